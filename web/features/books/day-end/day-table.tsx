import type { ReactNode } from 'react'
import {
  type DayFigures,
  type TotalFigures,
  closeDay,
  closingOf,
  closings,
  dayEnd,
  dayEndCsv,
  type BookMethod,
  type DayKind,
} from '#contracts/books'
import { kwacha, shortDay, wholeNumber } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { type DataColumn, DataTable } from '../../../ui/data-table'
import { endpointMutation, endpointQuery, listQuery } from '../../../lib/endpoint-query'

type DayTableProps = {
  days: readonly DayFigures[]
  totals: TotalFigures
  closed: ReadonlySet<string>
  /** Null where days cannot be closed. */
  onClose: ((date: string) => void) | null
}

/** Latest day first, with totals. */
export const DayTable = ({ days, totals, closed, onClose }: DayTableProps) => {
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
  return (
    <DataTable
      label="Days"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      rowClass={({ isTotal }) => (isTotal ? 'bg-sand-50 font-semibold' : undefined)}
    />
  )
}

const isQuiet = ({ methods, creditGiven, creditSpent, paidOut, mealsFree }: DayFigures): boolean =>
  methods.length === 0 && creditGiven === 0 && creditSpent === 0 && paidOut === 0 && mealsFree === 0

type Figures = { key: string; name: string; figures: TotalFigures; isTotal?: boolean; act?: ReactNode }

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100

const numbers = {
  named: true,
  width: 'third',
  headClass: 'text-right',
  className: '@4xl:text-right',
} as const
const amounts = (label: string, of: (figures: TotalFigures) => number): DataColumn<Figures> => ({
  label,
  ...numbers,
  cell: ({ figures }) => <span className="money whitespace-nowrap">{signedKwacha(of(figures))}</span>,
})

const columns: readonly DataColumn<Figures>[] = [
  {
    label: 'Day',
    width: 'full',
    className: 'whitespace-nowrap',
    cell: ({ name, act }) => (
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-semibold">{name}</span>
        {act}
      </span>
    ),
  },
  { label: 'Received', ...numbers, width: 'full', cell: ({ figures }) => <Received figures={figures} /> },
  amounts('Refunded', ({ methods }) => sum(methods.map(({ refundsPaid }) => refundsPaid))),
  amounts('Credit given', ({ creditGiven }) => creditGiven),
  amounts('Credit spent', ({ creditSpent }) => creditSpent),
  amounts('Paid out', ({ paidOut }) => paidOut),
  { label: 'Free meals', ...numbers, cell: ({ figures }) => wholeNumber(figures.mealsFree) },
  amounts('Owed back', ({ owed }) => owed),
  amounts('Unpaid', ({ unpaid }) => unpaid),
]

/** May be negative, when money moves to another day. */
export const signedKwacha = (amount: number): string => (amount < 0 ? `−${kwacha(-amount)}` : kwacha(amount))

const Received = ({ figures: { methods } }: { figures: TotalFigures }) => {
  const all = signedKwacha(sum(methods.map(({ amount }) => amount)))
  if (methods.length === 0) return <span className="money">{all}</span>
  return (
    <details>
      <summary className="money cursor-pointer whitespace-nowrap">{all}</summary>
      <ul className="pt-1 text-xs">
        {methods.map(({ method, payments, amount }) => (
          <li key={method} className="flex justify-between gap-3 py-0.5 text-left">
            <span>{`${methodNames[method]} (${wholeNumber(payments)})`}</span>
            <span className="money whitespace-nowrap">{signedKwacha(amount)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

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
  other: 'Other',
}
