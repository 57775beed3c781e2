import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { dateRange } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { openDays } from './menu-week'
import type { DayView, OpenDay } from './menu-week'

type WeekSectionProps = {
  week: CycleWeek
  days: readonly DayView[]
  /** Asks to order all the open days of the week at once. */
  onPlan: (days: OpenDay[]) => void
  children: () => ReactNode
}

/** A week of the cycle under its dates and what of it is done; one that is over starts folded. */
export const WeekSection = ({ week, days, onPlan, children }: WeekSectionProps) => {
  const [unfolded, setUnfolded] = useState(!week.completed)
  const open = openDays(days)
  const body = `week-${week.week}-days`
  return (
    <section
      id={`week-${week.week}`}
      aria-labelledby={`${body}-title`}
      className="flex scroll-mt-16 flex-col gap-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line pb-2">
        <div className="min-w-0 flex-1">
          <h2 id={`${body}-title`} className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-display text-xl font-semibold">Week {week.week}</span>{' '}
            <span className="text-sm text-muted">{dateRange(week.startDate, week.endDate)}</span>
          </h2>
          <WeekCounts days={days} open={open.length} />
        </div>
        {week.completed ? (
          <>
            <Badge icon="check">Completed</Badge>
            <Button
              variant="ghost"
              aria-expanded={unfolded}
              aria-controls={body}
              onClick={() => setUnfolded(!unfolded)}
            >
              {unfolded ? 'Hide days' : 'Show days'}
            </Button>
          </>
        ) : null}
        {open.length > 0 ? (
          <Button variant="secondary" onClick={() => onPlan(open)}>
            Order this week
          </Button>
        ) : null}
      </div>
      <div id={body}>
        {unfolded ? <div className="grid-cards grid items-start gap-3">{children()}</div> : null}
      </div>
    </section>
  )
}

const WeekCounts = ({ days, open }: { days: readonly DayView[]; open: number }) => {
  const counts = [
    ['check', days.filter(({ face }) => face.kind === 'ordered').length, 'ordered'],
    ['cart', days.filter(({ carted }) => carted).length, 'in the cart'],
    ['bowl', open, 'open'],
  ] as const
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-muted">
      {counts.map(([icon, count, words]) =>
        count > 0 ? (
          <span key={icon} className="flex items-center gap-1">
            <Icon name={icon} size="sm" />
            {count} {words}
          </span>
        ) : null,
      )}
    </p>
  )
}
