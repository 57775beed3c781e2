import type { DayFigures, TotalFigures } from '#contracts/books'
import type { SchoolDate } from '#kernel/school-time'

/** A day that was closed. `closedBy`: the administrator. */
export type ClosedDay = {
  date: SchoolDate
  closedAt: Date
  closedBy: number
  figures: TotalFigures
}

/** All that was closed, in one spelling. */
export const closingText = ({ date, closedAt, closedBy, figures }: ClosedDay): string =>
  JSON.stringify([date, closedAt.toISOString(), closedBy, figureList(figures)])

/** The figures of a day without its date. */
export const figuresOf = ({ date: _date, ...figures }: DayFigures): TotalFigures => figures

const figureNames = ['creditGiven', 'creditSpent', 'paidOut', 'mealsFree', 'owed', 'unpaid'] as const

/** In one spelling, whatever order a table gives the names back in. */
const figureList = ({ methods, ...figures }: TotalFigures): [name: string, value: number][] => [
  ...methods.flatMap(({ method, payments, amount, refundsPaid }): [string, number][] => [
    [`${method} payments`, payments],
    [`${method} amount`, amount],
    [`${method} refundsPaid`, refundsPaid],
  ]),
  ...figureNames.map((name): [string, number] => [name, figures[name]]),
]

/** Where a closed day's figures are not what the history comes to now: `card amount was 45.00 and is 30.00`. */
export const differencesFrom = (closed: TotalFigures, now: TotalFigures): string[] => {
  const was = new Map(figureList(closed))
  const is = new Map(figureList(now))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [before, after] = [was.get(name) ?? 0, is.get(name) ?? 0]
    return before === after ? [] : [`${name} was ${before.toFixed(2)} and is ${after.toFixed(2)}`]
  })
}
