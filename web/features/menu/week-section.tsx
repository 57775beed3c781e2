import { type ReactNode, useState } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { dateRange } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import type { OpenDay, WeekStanding } from './menu-week'

type WeekSectionProps = {
  week: CycleWeek
  standing: WeekStanding
  onPlan: (days: OpenDay[]) => void
  children: () => ReactNode
}

/** A week of the cycle under its dates and what of it is done; one that is over starts folded. */
export const WeekSection = ({ week, standing, onPlan, children }: WeekSectionProps) => {
  const [unfolded, setUnfolded] = useState(!week.completed)
  const { open } = standing
  const body = `week-${week.week}-days`
  return (
    <section
      id={`week-${week.week}`}
      aria-labelledby={`${body}-title`}
      className="flex scroll-mt-16 flex-col gap-3"
    >
      <div className="grid grid-cols-[minmax(0,10rem)_auto] items-center gap-x-2 gap-y-1 border-b border-line pb-2 sm:flex sm:gap-x-4">
        <h2 id={`${body}-title`}>
          <span className="font-display text-xl font-semibold">Week {week.week}</span>{' '}
          <span className="block text-xs text-muted sm:text-sm">
            {dateRange(week.startDate, week.endDate)}
          </span>
        </h2>
        <p className="col-span-2 row-start-2 flex min-h-7 flex-wrap items-center gap-x-3 text-xs text-muted sm:flex-1">
          {week.completed ? <Badge icon="check">Completed</Badge> : null}
          <WeekCounts {...standing} />
        </p>
        {week.completed ? (
          <Button
            variant="ghost"
            className="justify-self-end"
            aria-expanded={unfolded}
            aria-controls={body}
            onClick={() => setUnfolded(!unfolded)}
          >
            {unfolded ? 'Hide days' : 'Show days'}
          </Button>
        ) : null}
        {open.length > 0 ? (
          <Button
            variant="secondary"
            className="justify-self-end px-2! text-sm! sm:px-4!"
            onClick={() => onPlan(open)}
          >
            Order this week
          </Button>
        ) : null}
      </div>
      <div id={body}>
        {unfolded ? <div className="grid items-start gap-3 lg:grid-cols-5">{children()}</div> : null}
      </div>
    </section>
  )
}

const WeekCounts = ({ ordered, carted, open }: WeekStanding) => {
  const counts = [
    ['check', ordered, 'ordered'],
    ['cart', carted, 'in the cart'],
    ['bowl', open.length, 'open'],
  ] as const
  return counts.map(([icon, count, words]) =>
    count > 0 ? (
      <span key={icon} className="flex items-center gap-1">
        <Icon name={icon} size="sm" />
        {count} {words}
      </span>
    ) : null,
  )
}
