import type { cycleDays } from '#contracts/closures'
import type { CycleOverlap } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { classes } from '../../lib/classes'
import { capitalised, dayAndMonth, dayName, counted, dateRange, gradeLabel, longDay } from '../../lib/format'
import type { ToastText } from '../../lib/toast'
import type { IconName } from '../../ui/icon'

type FactsProps = {
  facts: readonly (readonly [term: string, value: string])[]
  short?: boolean
}

export const Facts = ({ facts, short }: FactsProps) => (
  <dl
    className={classes(
      'grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4',
      short ? 'grid-cols-2' : 'grid-cols-1',
    )}
  >
    {facts.map(([term, value]) => (
      <div key={term} className="min-w-0">
        <dt className="text-xs font-semibold text-muted">{term}</dt>
        <dd className="money font-semibold whitespace-normal">{value}</dd>
      </div>
    ))}
  </dl>
)

type DayBoxProps = {
  week: number
  day: number
  date: string
  checked: boolean
  disabled?: boolean
  onToggle: () => void
}

export const DayBox = ({ week, day, date, checked, disabled, onToggle }: DayBoxProps) => (
  <label
    className={classes(
      'flex min-h-14 flex-col items-center justify-center rounded-md border text-center text-xs transition-colors',
      'has-disabled:opacity-50 has-focus-visible:outline-3 has-focus-visible:outline-accent-500',
      checked
        ? 'border-danger-600 bg-danger-50 font-semibold text-danger-700'
        : 'border-sand-300 bg-surface hover:bg-sand-50',
    )}
  >
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={onToggle}
      aria-label={`Week ${week}, ${dayName(day)}, ${dayAndMonth(date)}`}
      className="sr-only"
    />
    <span>{dayName(day).slice(0, 3)}</span>
    <span className={classes('money', checked && 'line-through')}>{shortDate(date)}</span>
  </label>
)

const shortDate = (date: string) => {
  const [day, month] = dayAndMonth(date).split(' ')
  return `${day} ${month?.slice(0, 3)}`
}

export type CycleDay = ReplyOf<typeof cycleDays>['days'][number]

const states: Record<CycleDay['state'], readonly [words: string, icon: IconName]> = {
  open: ['Open', 'check'],
  blocked: ['Closed', 'lock'],
  past: ['Past', 'history'],
  cutoff: ['After the cutoff', 'clock'],
}

const closedForSome = ['Closed for some', 'people'] as const

const shownState = (day: CycleDay): readonly [words: string, icon: IconName] => {
  if (day.closure) return states.blocked
  return day.state === 'open' && day.closures.length > 0 ? closedForSome : states[day.state]
}

/** "Grade 4, class 9A"; empty for everybody. */
export const whomText = ({
  grades = [],
  classes: names = [],
}: {
  grades?: string[]
  classes?: string[]
}): string => capitalised([...grades.map(gradeLabel), ...names.map((name) => `class ${name}`)].join(', '))

export const stateText = (day: CycleDay): string => shownState(day)[0]
export const dayIcon = (day: CycleDay): IconName => shownState(day)[1]

/** "Monday, 14 September 2026: Open, 49 orders". */
export const dayLabel = (day: CycleDay): string =>
  [
    `${longDay(day.date)}: ${stateText(day)}`,
    ...day.closures.map(whomText),
    counted(day.orders, 'order'),
  ].join(', ')

export const isClosable = (day: CycleDay): boolean => day.closure === null && day.state !== 'past'

/** A date, or a count with first and last date. */
export const datesText = (dates: readonly string[]): string => {
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  return dates.length <= 1 ? longDay(first) : `${counted(dates.length, 'day')}, ${dateRange(first, last)}`
}

export const remedyText = { refund: 'refund', credit: 'family credit' } as const

const dayMs = 86_400_000

const timeOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** 1 (Monday) to 7 (Sunday). `date` is `YYYY-MM-DD`. */
export const weekdayOf = (date: string): number => ((new Date(timeOf(date)).getUTCDay() + 6) % 7) + 1

export const addDays = (date: string, days: number): string => dateOf(timeOf(date) + days * dayMs)

/** Sundays belong to the Monday before. */
export const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date))

/** `day` 1–5 of `week` from 1. */
export const cycleDate = (startDate: string, week: number, day: number): string =>
  addDays(startDate, 7 * (week - 1) + (day - 1))

export const lastDay = (startDate: string, weeks: number): string => cycleDate(startDate, weeks, 5)

export const comingMondays = (today: string, count: number): string[] =>
  Array.from({ length: count }, (_, week) => addDays(mondayOf(today), 7 * week))

export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(timeOf(text)) && dateOf(timeOf(text)) === text

/** At least one order is expected. */
export const overlapText = ({ orders, dates }: CycleOverlap): string => {
  const [are, stay] = orders === 1 ? ['is', 'It stays and is'] : ['are', 'They stay and are']
  return `${counted(orders, 'order')} of other cycles ${are} on ${dates.map(dayAndMonth).join(', ')}. ${stay} cooked.`
}

/** Stays longer when it mentions other orders. */
export const startedToast = (title: string, overlap: CycleOverlap): ToastText =>
  overlap.orders === 0 ? { title } : { title, text: overlapText(overlap), duration: 15_000 }
