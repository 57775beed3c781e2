import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { dateRange } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'

type WeekSectionProps = { week: CycleWeek; children: () => ReactNode }

/** A week of the cycle under its dates; one that is over starts folded. */
export const WeekSection = ({ week, children }: WeekSectionProps) => {
  const [open, setOpen] = useState(!week.completed)
  const body = `week-${week.week}-days`
  return (
    <section
      id={`week-${week.week}`}
      aria-labelledby={`${body}-title`}
      className="flex scroll-mt-16 flex-col gap-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
        <h2 id={`${body}-title`} className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-display text-xl font-semibold">Week {week.week}</span>
          <span className="text-sm text-muted">{dateRange(week.startDate, week.endDate)}</span>
        </h2>
        {week.completed ? (
          <span className="flex items-center gap-2">
            <Badge icon="check">Completed</Badge>
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={open}
              aria-controls={body}
              onClick={() => setOpen(!open)}
            >
              {open ? 'Hide days' : 'Show days'}
            </Button>
          </span>
        ) : null}
      </div>
      <div id={body}>
        {open ? <div className="grid-cards grid items-start gap-3">{children()}</div> : null}
      </div>
    </section>
  )
}
