import type { DayFigures, TotalFigures } from '#contracts/books'
import type { SchoolDate } from '#kernel/school-time'

export type ClosedDay = {
  date: SchoolDate
  closedAt: Date
  closedBy: number
  figures: TotalFigures
}

/** One spelling, to be hashed. */
export const closingText = ({ date, closedAt, closedBy, figures }: ClosedDay): string =>
  JSON.stringify([date, closedAt.toISOString(), closedBy, figureList(figures)])

export const figuresOf = ({ date: _date, ...figures }: DayFigures): TotalFigures => figures

const figureNames = ['creditGiven', 'creditSpent', 'paidOut', 'mealsFree', 'owed', 'unpaid'] as const

/** One spelling, whatever order the table returns. */
const figureList = ({ methods, ...figures }: TotalFigures): [name: string, value: number][] => [
  ...methods.flatMap(({ method, payments, amount, refundsPaid }): [string, number][] => [
    [`${method} payments`, payments],
    [`${method} amount`, amount],
    [`${method} refundsPaid`, refundsPaid],
  ]),
  ...figureNames.map((name): [string, number] => [name, figures[name]]),
]

/** `card amount was 45.00 and is 30.00`. */
export const differencesFrom = (closed: TotalFigures, now: TotalFigures): string[] => {
  const was = new Map(figureList(closed))
  const is = new Map(figureList(now))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [before, after] = [was.get(name) ?? 0, is.get(name) ?? 0]
    return before === after ? [] : [`${name} was ${before.toFixed(2)} and is ${after.toFixed(2)}`]
  })
}
