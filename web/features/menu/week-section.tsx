import { type ReactNode, useState } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import type { MealMarks } from '#contracts/health'
import { classes } from '../../lib/classes'
import { dateRange, dayName } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { Skeleton } from '../../ui/query-result'
import { type DayActs, DayCard } from './day-card'
import {
  type WeekTotals,
  type Eater,
  type RemainingPortions,
  type CartedMeal,
  cartedOn,
  type DayView,
} from './menu-week'

type WeekSectionProps = {
  week: CycleWeek
  standing: WeekTotals
  folds: boolean
  folded: boolean
  onFold: (folded: boolean) => void
  /** Null where no child has an open day. */
  onPlan: (() => void) | null
  children: ReactNode
}

/** Collapses to one line. */
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
    <section
      id={`week-${week.week}`}
      aria-labelledby={`${body}-title`}
      className="@container flex flex-col gap-3"
    >
      <div
        className={classes(
          'flex flex-wrap items-center gap-x-3 border-b border-line pb-1 sm:gap-x-4',
          folded && '@min-[14rem]:max-sm:flex-nowrap',
        )}
      >
        <h2
          id={`${body}-title`}
          className={classes(
            'max-w-full flex-1 leading-tight break-words sm:flex sm:min-h-11 sm:flex-none sm:items-center sm:gap-3',
            folded ? null : 'min-h-11',
          )}
        >
          <span className="font-display text-lg leading-tight font-semibold whitespace-nowrap sm:text-xl">
            Week {week.week}
          </span>{' '}
          <span
            className={classes(
              'block text-xs leading-tight text-muted sm:text-sm',
              folded && 'max-sm:sr-only',
            )}
          >
            {dateRange(week.startDate, week.endDate)}
          </span>
        </h2>
        <p
          className={classes(
            'flex items-center gap-x-3 text-xs text-muted sm:flex-1',
            folded ? '@max-[14rem]:flex-wrap' : 'flex-wrap max-sm:order-last max-sm:basis-full',
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

const WeekCounts = ({ ordered, carted, open }: WeekTotals) => {
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

type WeekDaysProps = DayActs & {
  views: readonly DayView[]
  eater: Eater
  cart: readonly CartedMeal[]
  few: Readonly<Record<string, RemainingPortions>>
  marks: MealMarks | undefined
}

/** Stacked days before the first open one collapse to one line, but for today's meal, which a child may be too ill for. */
export const WeekDays = ({ views, eater, cart, few, marks, ...acts }: WeekDaysProps) => {
  const [unfolded, setUnfolded] = useState(false)
  // Fixed at first: a day ordered later stays in place.
  const [first] = useState(() => views.findIndex(({ content }) => content.kind === 'meals'))
  const earlier = views.slice(0, Math.max(0, first)).filter((view) => !isTodaysMeal(view))
  return (
    <div className="flex flex-col gap-3">
      {earlier.length > 0 ? (
        <EarlierDays views={earlier} shown={unfolded} onShow={() => setUnfolded(!unfolded)} />
      ) : null}
      <div className="grid items-start gap-3 lg:grid-cols-5">
        {views.map((view) => (
          <DayCard
            key={view.day.day}
            view={view}
            eater={eater}
            carted={cartedOn(view, eater, cart)}
            few={few[view.day.date]}
            marks={marks}
            folded={!unfolded && earlier.includes(view)}
            {...acts}
          />
        ))}
      </div>
    </div>
  )
}

const isTodaysMeal = ({ isToday, content }: DayView) => isToday && content.kind === 'ordered'

type EarlierDaysProps = { views: readonly DayView[]; shown: boolean; onShow: () => void }

const EarlierDays = ({ views, shown, onShow }: EarlierDaysProps) => (
  <button
    type="button"
    aria-expanded={shown}
    onClick={onShow}
    className="flex min-h-11 items-center gap-3 rounded-md bg-sand-100 px-3 text-left text-sm lg:hidden"
  >
    <span className="flex flex-1 flex-wrap gap-x-4 gap-y-1">
      {views.map(({ day, content }) => (
        <span key={day.day} className="flex items-center gap-1">
          <Icon name={faceIcons[content.kind]} size="sm" />
          <span aria-hidden="true">{dayName(day.day).slice(0, 3)}</span>
          <span className="sr-only">
            {dayName(day.day)}: {content.kind === 'ordered' ? content.title : faceText[content.kind]}.
          </span>
        </span>
      ))}
    </span>
    <Icon name={shown ? 'chevron-up' : 'chevron-down'} size="sm" className="text-muted" />
  </button>
)

const faceIcons = { ordered: 'check', closed: 'lock', empty: 'bowl', meals: 'bowl' } as const
const faceText = { closed: 'School Closed', empty: 'No meal available', meals: 'Open' } as const
