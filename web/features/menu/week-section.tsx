import type { ReactNode } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { classes } from '../../lib/classes'
import { dateRange } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { IconButton } from '../../ui/icon-button'
import { Skeleton } from '../../ui/skeleton'
import type { WeekStanding } from './menu-week'

type WeekSectionProps = {
  week: CycleWeek
  standing: WeekStanding
  /** Whether its days can be folded away: of a week with nothing left to order. */
  folds: boolean
  folded: boolean
  onFold: (folded: boolean) => void
  /** Orders its open days for all children at once; null where no child has one. */
  onPlan: (() => void) | null
  /** The days; null while they are not drawn yet. */
  children: ReactNode
}

/** A week of the cycle under its dates and what of it is done. Folded it is one line. */
export const WeekSection = ({
  week,
  standing,
  folds,
  folded,
  onFold,
  onPlan,
  children,
}: WeekSectionProps) => {
  const body = `week-${week.week}-days`
  return (
    <section id={`week-${week.week}`} aria-labelledby={`${body}-title`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 border-b border-line pb-1 sm:gap-x-4">
        <h2
          id={`${body}-title`}
          className="min-h-11 max-w-full flex-1 leading-tight break-words sm:flex sm:flex-none sm:items-center sm:gap-3"
        >
          <span className="font-display text-lg leading-tight font-semibold whitespace-nowrap sm:text-xl">
            Week {week.week}
          </span>{' '}
          <span className="block text-xs leading-tight text-muted sm:text-sm">
            {dateRange(week.startDate, week.endDate)}
          </span>
        </h2>
        <p
          className={classes(
            'flex flex-wrap items-center gap-x-3 text-xs text-muted sm:flex-1',
            folded ? null : 'max-sm:order-last max-sm:basis-full',
          )}
        >
          {week.completed ? <Badge icon="check">Completed</Badge> : null}
          <WeekCounts {...standing} />
        </p>
        {folds ? (
          <IconButton
            icon={folded ? 'chevron-down' : 'chevron-up'}
            label={folded ? 'Show days' : 'Hide days'}
            aria-expanded={!folded}
            aria-controls={body}
            onClick={() => onFold(!folded)}
          />
        ) : null}
        {onPlan ? (
          <Button variant="secondary" className="ml-auto px-2! text-sm! sm:px-4!" onClick={onPlan}>
            Order this week
          </Button>
        ) : null}
      </div>
      <div id={body} hidden={folded}>
        {folded ? null : (children ?? <Skeleton className="h-96" />)}
      </div>
    </section>
  )
}

const WeekCounts = ({ ordered, carted, open }: WeekStanding) => {
  const counts = [
    ['check', ordered, 'ordered'],
    ['cart', carted, 'in the cart'],
    ['bowl', open, 'open'],
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
