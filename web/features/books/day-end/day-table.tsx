import { type ReactNode, useState } from 'react'
import {
  type DayFigures,
  type TotalFigures,
  bookMethods,
  closeDay,
  closingOf,
  closings,
  dayEnd,
  dayEndCsv,
  type BookMethod,
  type DayKind,
} from '#contracts/books'
import { endpointMutation, endpointQuery, listQuery } from '../../../lib/endpoint-query'
import { counted, kwacha, shortDay, wholeNumber, kwachaSum } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { type DataColumn, DataTable } from '../../../ui/data-table'

type DayTableProps = {
  days: readonly DayFigures[]
  totals: TotalFigures
  by: DayKind
  closed: ReadonlySet<string>
  /** Null where days cannot be closed. */
  onClose: ((date: string) => void) | null
}

/** Latest day first, with totals. */
export const DayTable = ({ days, totals, by, closed, onClose }: DayTableProps) => {
  const [isWide, setWide] = useState(false)
  const today = schoolDate(schoolNow())
  const shown = days.filter((day) => !isQuiet(day) || closed.has(day.date)).toReversed()
  const act = ({ date }: DayFigures) => {
    if (closed.has(date)) return <span className="text-xs text-muted">Closed</span>
    return onClose && date < today ? (
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Close ${shortDay(date)}`}
        onClick={() => onClose(date)}
      >
        Close
      </Button>
    ) : null
  }
  const rows: Figures[] = [
    { key: 'all', name: 'All days', figures: totals, isTotal: true },
    ...shown.map((day) => ({ key: day.date, name: shortDay(day.date), figures: day, act: act(day) })),
  ]
  const more = moreColumns(rows)
  return (
    <div className="flex flex-col gap-2">
      {more.length > 0 ? (
        <Button
          variant="ghost"
          size="sm"
          icon={isWide ? 'chevron-up' : 'chevron-down'}
          className="self-end"
          aria-expanded={isWide}
          onClick={() => setWide(!isWide)}
        >
          {isWide ? 'Fewer columns' : 'More columns'}
        </Button>
      ) : null}
      <DataTable
        label="Days"
        columns={[...columnsOf(rows, by), ...(isWide ? more : [])]}
        rows={rows}
        keyOf={({ key }) => key}
        rowClass={({ isTotal }) => (isTotal ? 'bg-sand-50 font-semibold' : 'bg-surface')}
      />
    </div>
  )
}

export const isQuiet = ({
  methods,
  creditGiven,
  creditSpent,
  paidOut,
  mealsFree,
  late,
}: DayFigures): boolean =>
  methods.length === 0 &&
  creditGiven === 0 &&
  creditSpent === 0 &&
  paidOut === 0 &&
  mealsFree === 0 &&
  late === 0

type Figures = { key: string; name: string; figures: TotalFigures; isTotal?: boolean; act?: ReactNode }

const numbers = {
  named: true,
  width: 'third',
  headClass: 'text-right',
  className: '@4xl:text-right',
} as const
const amounts = (
  label: string,
  of: (figures: TotalFigures) => number,
  text: (value: number) => string = signedKwacha,
): DataColumn<Figures> => ({
  label,
  ...numbers,
  cell: ({ figures }) => <span className="money whitespace-nowrap">{text(of(figures))}</span>,
})

const dayColumn: DataColumn<Figures> = {
  label: 'Day',
  width: 'full',
  headClass: '@4xl:sticky @4xl:left-0 bg-sand-50',
  className: 'whitespace-nowrap @4xl:sticky @4xl:left-0 bg-inherit',
  cell: ({ name, act }) => (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="font-semibold">{name}</span>
      {act}
    </span>
  ),
}

const methodColumn = (method: BookMethod): DataColumn<Figures> => ({
  label: methodNames[method],
  ...numbers,
  cell: ({ figures }) => {
    const found = figures.methods.find((one) => one.method === method)
    if (!found) return '–'
    return (
      <>
        <span className="money whitespace-nowrap">{signedKwacha(found.amount)}</span>
        <span className="block text-xs font-normal text-muted">{counted(found.payments, 'payment')}</span>
      </>
    )
  },
})

const refundedIn = ({ methods }: TotalFigures): number =>
  kwachaSum(methods.map(({ refundsPaid }) => refundsPaid))

/** Cash moves on the day it is booked, whatever day it is for. */
const tillColumn: DataColumn<Figures> = {
  label: 'Till',
  ...numbers,
  cell: ({ figures: { till } }) => (
    <>
      <span className="money whitespace-nowrap">{signedKwacha(till.expected)}</span>
      <span className="money block text-xs font-normal whitespace-nowrap text-muted">
        {`${signedKwacha(till.in)} in, ${kwacha(till.out)} out`}
      </span>
    </>
  ),
}

type Column = readonly [string, (figures: TotalFigures) => number, ((value: number) => string)?]

const others: readonly Column[] = [
  ['Credit given', ({ creditGiven }) => creditGiven],
  ['Credit spent', ({ creditSpent }) => creditSpent],
  ['Paid out', ({ paidOut }) => paidOut],
  ['Owed back', ({ owed }) => owed],
  ['Unpaid', ({ unpaid }) => unpaid],
  ['Free meals', ({ mealsFree }) => mealsFree, wholeNumber],
  ['Ordered late', ({ late }) => late, wholeNumber],
]

const isUsed = (rows: readonly Figures[], of: (figures: TotalFigures) => number): boolean =>
  rows.some(({ figures }) => of(figures) !== 0)

/** Columns without an amount in any row are left out. */
const columnsOf = (rows: readonly Figures[], by: DayKind): DataColumn<Figures>[] => {
  const used = bookMethods.filter((method) =>
    rows.some(({ figures }) => figures.methods.some((one) => one.method === method)),
  )
  const hasTill = by === 'payment' && isUsed(rows, ({ till }) => till.in + till.out)
  return [
    dayColumn,
    amounts('Received', receivedIn),
    ...used.map(methodColumn),
    ...(isUsed(rows, refundedIn) ? [amounts('Refunded', refundedIn)] : []),
    ...(hasTill ? [tillColumn] : []),
  ]
}

const moreColumns = (rows: readonly Figures[]): DataColumn<Figures>[] =>
  others.filter(([, of]) => isUsed(rows, of)).map(([label, of, text]) => amounts(label, of, text))

export const receivedIn = ({ methods }: TotalFigures): number =>
  kwachaSum(methods.map(({ amount }) => amount))

/** May be negative, when money moves to another day. */
export const signedKwacha = (amount: number): string => (amount < 0 ? `−${kwacha(-amount)}` : kwacha(amount))

export type Asked = { from: string; to: string; by: DayKind }

export const dayEndQuery = (asked: Asked) => listQuery('payments', dayEnd, { query: asked })

export const dayEndAddress = (asked: Asked): string => `${dayEndCsv.path}?${new URLSearchParams(asked)}`

export const closingsQuery = listQuery('payments', closings, {})
export const closingQuery = (date: string) => endpointQuery('payments', closingOf, { params: { date } })
export const closing = endpointMutation(closeDay, 'payments')

export const methodNames: Record<BookMethod, string> = {
  card: 'Card',
  airtel: 'Airtel Money',
  mtn: 'MTN Money',
  bank: 'Bank',
  cash: 'Cash',
  other: 'Other',
}
