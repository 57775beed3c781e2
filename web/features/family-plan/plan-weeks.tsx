import type { ReactNode } from 'react'
import type { NextWeek, PlanReply, WeekState } from '#contracts/plan'
import { counted, dayAndMonth, kwacha, weekdayOf } from '../../lib/format'

type Week = PlanReply['weeks'][number] | NextWeek

const states: Record<WeekState, string> = {
  announced: 'Announced',
  ordered: 'Ordered',
  waiting: 'Waiting for the payment',
  not_paid: 'Not paid',
  nothing: 'Nothing to order',
  failed: 'Could not be ordered',
}

type PlanWeeksProps = {
  title: string
  weeks: readonly Week[]
  namesOf: ReadonlyMap<number, string>
  /** What can be done about a week. */
  act?: (week: Week) => ReactNode
}

/** Behind a press: each week with what was ordered, and what was left out and why. */
export const PlanWeeks = ({ title, weeks, namesOf, act }: PlanWeeksProps) =>
  weeks.length === 0 ? null : (
    <details className="w-full">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">{title}</summary>
      <ul aria-label={title} className="flex max-h-96 flex-col gap-3 overflow-y-auto">
        {weeks.map((one) => (
          <li key={one.week}>
            <div className="flex flex-wrap items-center justify-between gap-x-4">
              <p>{`Week of ${dayText(one.week)}: ${one.state ? states[one.state] : 'Planned'}${sumText(one)}`}</p>
              {act?.(one)}
            </div>
            {one.left.length > 0 ? (
              <ul className="list-disc pl-5 text-sm text-muted" aria-label="Left out">
                {one.left.map(({ studentId, date, message }) => (
                  <li key={`${studentId} ${date}`}>
                    {`${dayText(date)}, ${namesOf.get(studentId) ?? 'a child'}: ${message}`}
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  )

const dayText = (date: string): string => `${weekdayOf(date)} ${dayAndMonth(date)}`

const sumText = ({ orders, total }: Week): string =>
  orders.length === 0 ? '' : `, ${counted(orders.length, 'meal')}, ${kwacha(total)}`
