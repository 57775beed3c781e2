import type { ReactNode } from 'react'
import type { DayFigures, TotalFigures } from '#contracts/books-days'
import { kwacha, shortDay, wholeNumber } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { StackedCell, type StackedColumn, StackedRow, StackedTable } from '../../../ui/stacked-table'
import { methodNames } from './api'

const columns: readonly StackedColumn[] = [
  { label: 'Day' },
  { label: 'Received', className: 'text-right' },
  { label: 'Refunded', className: 'text-right' },
  { label: 'Credit given', className: 'text-right' },
  { label: 'Credit spent', className: 'text-right' },
  { label: 'Paid out', className: 'text-right' },
  { label: 'Free meals', className: 'text-right' },
  { label: 'Owed back', className: 'text-right' },
  { label: 'Unpaid', className: 'text-right' },
]

type DayTableProps = {
  days: readonly DayFigures[]
  totals: TotalFigures
  /** The days that were closed. */
  closed: ReadonlySet<string>
  /** Asks to close a day; null where the days cannot be closed. */
  onClose: ((date: string) => void) | null
}

/** The days on which something happened, the latest first, and all of the range together. */
export const DayTable = ({ days, totals, closed, onClose }: DayTableProps) => {
  const today = schoolDate(schoolNow())
  const shown = days.filter((day) => !isQuiet(day) || closed.has(day.date)).toReversed()
  return (
    <StackedTable label="Days" columns={columns}>
      <FigureRow name="All days" figures={totals} className="bg-sand-50 font-semibold" />
      {shown.map((day) => (
        <FigureRow key={day.date} name={shortDay(day.date)} figures={day}>
          {closed.has(day.date) ? (
            <span className="text-xs text-muted">Closed</span>
          ) : onClose && day.date < today ? (
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Close ${shortDay(day.date)}`}
              onClick={() => onClose(day.date)}
            >
              Close
            </Button>
          ) : null}
        </FigureRow>
      ))}
    </StackedTable>
  )
}

const isQuiet = ({ methods, creditGiven, creditSpent, paidOut, mealsFree }: DayFigures): boolean =>
  methods.length === 0 && creditGiven === 0 && creditSpent === 0 && paidOut === 0 && mealsFree === 0

type FigureRowProps = {
  name: string
  figures: TotalFigures
  className?: string
  children?: ReactNode
}

const FigureRow = ({ name, figures, className, children }: FigureRowProps) => (
  <StackedRow className={className}>
    <StackedCell width="full" className="whitespace-nowrap">
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-semibold">{name}</span>
        {children}
      </span>
    </StackedCell>
    <StackedCell label="Received" width="full" className="@4xl:text-right">
      <Received figures={figures} />
    </StackedCell>
    <Amount label="Refunded">{sum(figures.methods.map(({ refundsPaid }) => refundsPaid))}</Amount>
    <Amount label="Credit given">{figures.creditGiven}</Amount>
    <Amount label="Credit spent">{figures.creditSpent}</Amount>
    <Amount label="Paid out">{figures.paidOut}</Amount>
    <StackedCell label="Free meals" width="third" className="@4xl:text-right">
      {wholeNumber(figures.mealsFree)}
    </StackedCell>
    <Amount label="Owed back">{figures.owed}</Amount>
    <Amount label="Unpaid">{figures.unpaid}</Amount>
  </StackedRow>
)

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100

const Amount = ({ label, children }: { label: string; children: number }) => (
  <StackedCell label={label} width="third" className="@4xl:text-right">
    <span className="money whitespace-nowrap">{signedKwacha(children)}</span>
  </StackedCell>
)

/** An amount that may be below nothing, as where money moves to another day. */
export const signedKwacha = (amount: number): string => (amount < 0 ? `−${kwacha(-amount)}` : kwacha(amount))

/** What was received in all, and folded below it by which method. */
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
