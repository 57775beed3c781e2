import { useState } from 'react'
import { classes } from '../../lib/classes'
import { dayAndMonth, dayName } from '../../lib/format'
import { Badge, type Tone } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { Icon, type IconName } from '../../ui/icon'
import type { LineState, WeekLine, WeekRow } from './family-week'
import { orderUntil } from './menu-week'

type WeekTableProps = {
  /** "This week · 23–27 Nov". */
  title: string
  summary: string
  rows: readonly WeekRow[]
  /** So many days are over: one line until they are asked for. */
  past: number
  /** Null at the calendar's ends. */
  onBefore: (() => void) | null
  onAfter: (() => void) | null
  onOpen: (line: WeekLine) => void
}

const headingId = 'family-week'

/** The week of a family: a row a day, a line a child; each line is a button. */
export const WeekTable = ({ title, summary, rows, past, onBefore, onAfter, onOpen }: WeekTableProps) => {
  const [isPastShown, setPastShown] = useState(false)
  const next = rows.find(({ lines }) => lines.some(({ state }) => state === 'choose'))
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-1">
      <div className="flex items-center">
        <Turn icon="chevron-left" label="Week before" className="-ml-3" onTurn={onBefore} />
        <div className="min-w-0 flex-1 text-center">
          <h2 id={headingId} className="font-display text-lg leading-tight font-semibold">
            {title}
          </h2>
          <p aria-live="polite" className="text-xs leading-tight text-muted">
            {summary}
          </p>
        </div>
        <Turn icon="chevron-right" label="Week after" className="-mr-3" onTurn={onAfter} />
      </div>
      <ol className="@container/week divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface lg:grid lg:grid-cols-5 lg:divide-x lg:divide-y-0">
        {past > 0 ? (
          <li className="lg:hidden">
            <button
              type="button"
              aria-expanded={isPastShown}
              onClick={() => setPastShown(!isPastShown)}
              className="flex min-h-11 w-full items-center justify-between gap-2 px-3 py-1 text-left text-sm text-muted hover:bg-sand-50 focus-visible:-outline-offset-3"
            >
              {pastName(rows.slice(0, past))}
              <Icon name={isPastShown ? 'chevron-up' : 'chevron-down'} size="sm" />
            </button>
          </li>
        ) : null}
        {rows.map((row, at) => (
          <DayRow
            key={row.date}
            row={row}
            isNext={row === next}
            isFolded={at < past && !isPastShown}
            onOpen={onOpen}
          />
        ))}
      </ol>
    </section>
  )
}

/** "Monday to Wednesday: over". */
const pastName = (rows: readonly WeekRow[]): string =>
  `${[...new Set([rows[0]!, rows.at(-1)!])].map(({ day }) => dayName(day)).join(' to ')}: over`

type TurnProps = { icon: IconName; label: string; className: string; onTurn: (() => void) | null }

const Turn = ({ icon, label, className, onTurn }: TurnProps) => (
  <IconButton
    icon={icon}
    label={label}
    disabled={!onTurn}
    className={className}
    onClick={onTurn ?? undefined}
  />
)

type DayRowProps = {
  row: WeekRow
  isNext: boolean
  isFolded: boolean
  onOpen: WeekTableProps['onOpen']
}

const DayRow = ({ row: { date, day, isToday, lines }, isNext, isFolded, onOpen }: DayRowProps) => (
  <li
    aria-current={isToday ? 'date' : undefined}
    className={classes('flex @max-[14rem]/week:flex-col lg:flex-col', isFolded && 'max-lg:hidden')}
  >
    <p
      className={classes(
        'flex w-[3.25rem] flex-none flex-col justify-center border-r border-line px-1 text-center text-xs leading-tight',
        '@max-[14rem]/week:w-auto @max-[14rem]/week:flex-row @max-[14rem]/week:justify-start @max-[14rem]/week:gap-2 @max-[14rem]/week:px-2',
        'lg:w-auto lg:flex-row lg:justify-start lg:gap-1 lg:border-r-0 lg:border-b lg:px-3 lg:py-2',
        isToday ? 'bg-accent-50 font-semibold text-accent-800' : 'bg-sand-50 text-muted',
      )}
    >
      <span className="font-semibold">{isToday ? 'Today' : dayName(day).slice(0, 3)}</span>
      <span className="max-lg:hidden">{dayAndMonth(date)}</span>
      <span className="lg:hidden">{Number(date.slice(8))}</span>
    </p>
    <ul className="min-w-0 flex-1 divide-y divide-line">
      {lines.map((line) => (
        <li key={line.eater.id} className="@container">
          <Line line={line} isNamed={lines.length > 1} isNext={isNext} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  </li>
)

type LineProps = {
  line: WeekLine
  isNamed: boolean
  isNext: boolean
  onOpen: WeekTableProps['onOpen']
}

const lineClass =
  'flex min-h-11 w-full items-center gap-2 px-2 py-0.5 text-left @max-[14rem]:flex-wrap lg:min-h-24 lg:flex-col lg:items-start lg:px-3 lg:py-2'

/** A closed day has nothing behind it. */
const Line = ({ line, isNamed, isNext, onOpen }: LineProps) => {
  const { eater, view, state } = line
  const words = (
    <>
      <span className="sr-only">
        {dayName(view.day.day)} {dayAndMonth(view.day.date)}, {eater.name}:{' '}
      </span>
      <LineText line={line} isNamed={isNamed} isNext={isNext} />
      <Word line={line} />
    </>
  )
  if (state === 'closed' || state === 'empty')
    return <p className={classes(lineClass, 'text-muted')}>{words}</p>
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className={classes(lineClass, 'hover:bg-sand-50 focus-visible:-outline-offset-3')}
      onClick={() => onOpen(line)}
    >
      {words}
    </button>
  )
}

const clamped = 'line-clamp-1 break-words @max-[14rem]:line-clamp-none lg:line-clamp-none'

const LineText = ({ line, isNamed, isNext }: Omit<LineProps, 'onOpen'>) => {
  const { dish, choices, name, state, needsLook, view } = line
  const missing = isNext ? `Order until ${orderUntil(view)}` : 'No lunch yet'
  const below = [isNamed ? name : '', choices].filter(Boolean).join(' · ')
  return (
    <span className="min-w-0 flex-1 leading-tight @max-[14rem]:basis-full lg:flex-none">
      <span
        className={classes(
          clamped,
          'text-sm leading-tight',
          dish && state !== 'closed' ? 'font-semibold' : 'text-muted',
        )}
      >
        {needsLook ? (
          <>
            <Icon name="alert" size="sm" className="mr-1 inline text-danger-700" />
            <span className="sr-only">Needs a look: </span>
          </>
        ) : null}
        {dish || missing}
      </span>
      {below ? <span className={classes(clamped, 'text-xs leading-tight text-muted')}>{below}</span> : null}
    </span>
  )
}

const faces: Record<Exclude<LineState, 'choose'>, { tone?: Tone; icon?: IconName }> = {
  carted: { tone: 'accent', icon: 'cart' },
  toPay: { tone: 'warning', icon: 'wallet' },
  othersToPay: {},
  paid: { tone: 'brand', icon: 'check' },
  free: { tone: 'brand', icon: 'check' },
  ill: { tone: 'info' },
  given: { tone: 'brand', icon: 'check' },
  missed: { tone: 'warning' },
  cancelled: {},
  closed: { icon: 'lock' },
  empty: {},
}

const Word = ({ line: { state, word } }: { line: WeekLine }) =>
  state === 'choose' ? (
    <span className="rounded-md border border-brand-700 px-2.5 py-1 text-sm leading-tight font-semibold whitespace-nowrap text-brand-700">
      {word}
    </span>
  ) : (
    <span
      className={classes(
        'max-w-36 @max-[14rem]:max-w-full',
        state === 'othersToPay' && '[&>.badge]:whitespace-normal',
      )}
    >
      <Badge {...faces[state]}>{word}</Badge>
    </span>
  )
