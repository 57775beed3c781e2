import type { KitchenTotal } from '#contracts/kitchen'
import { capitalised, dayAndMonth, dayName } from '../../../lib/format'

/** One day of the kitchen: its rows by type and what must be cooked in all. Counts are portions. */
export type KitchenDay = {
  key: string
  weekNumber: number
  dayOfWeek: number
  mealDate: string
  primary: KitchenTotal[]
  secondary: KitchenTotal[]
  total: number
  unpaid: number
  completed: number
  cancelledLate: number
  absent: number
}

/** The day in words, such as "Tuesday, 24 November". */
export const dateOf = ({ dayOfWeek, mealDate }: Pick<KitchenDay, 'dayOfWeek' | 'mealDate'>): string =>
  `${dayName(dayOfWeek)}, ${dayAndMonth(mealDate)}`

/** The key of a row, stable across refreshes. */
export const rowKey = (row: KitchenTotal): string => `${row.mealDate}/${row.type}/${row.menuItemId}`

const sum = (rows: KitchenTotal[], of: (row: KitchenTotal) => number) =>
  rows.reduce((total, row) => total + of(row), 0)

const dayOf = (rows: [KitchenTotal, ...KitchenTotal[]]): KitchenDay => {
  const ofType = (type: KitchenTotal['type']) =>
    rows
      .filter((row) => row.type === type)
      .toSorted((a, b) => b.total - a.total || a.menuItem.localeCompare(b.menuItem))
  const { weekNumber, dayOfWeek, mealDate } = rows[0]
  return {
    key: mealDate,
    weekNumber,
    dayOfWeek,
    mealDate,
    primary: ofType('primary'),
    secondary: ofType('secondary'),
    total: sum(rows, (row) => row.total),
    unpaid: sum(rows, (row) => row.unpaid),
    completed: sum(rows, (row) => row.completed),
    cancelledLate: sum(rows, (row) => row.cancelledLate),
    absent: sum(rows, (row) => row.absent ?? 0),
  }
}

/** The totals by day in calendar order, each day's rows largest first. */
export const kitchenDays = (totals: KitchenTotal[]): KitchenDay[] => {
  const byDate = new Map<string, [KitchenTotal, ...KitchenTotal[]]>()
  for (const row of totals) {
    const rows = byDate.get(row.mealDate)
    if (rows) rows.push(row)
    else byDate.set(row.mealDate, [row])
  }
  return [...byDate.values()].map(dayOf).toSorted((a, b) => a.mealDate.localeCompare(b.mealDate))
}

/** Rows with something left to complete; only these can be chosen. */
export const completable = (row: KitchenTotal): boolean => row.pendingOrderIds.length > 0

/** The orders behind the chosen rows, each once; rows that are gone or done add nothing. */
export const ordersToComplete = (totals: KitchenTotal[], chosen: ReadonlySet<string>): string[] => [
  ...new Set(totals.filter((row) => chosen.has(rowKey(row))).flatMap((row) => row.pendingOrderIds)),
]

type Plate = KitchenTotal['plates'][number]

/** What is on a plate, such as "Beef with Nshima"; the meal itself where there is nothing to choose. */
export const plateInWords = (
  { category, sideDish }: Pick<Plate, 'category' | 'sideDish'>,
  meal: string,
): string => capitalised([category, sideDish].filter((word) => word !== null).join(' with ') || meal)

const maxTogether = 12

/** Whether a row is short enough to stay in one piece on paper; with many remarks half a sheet would stay empty. */
export const avoidsPageBreak = ({ plates }: KitchenTotal): boolean =>
  plates.reduce((lines, { comments }) => lines + Math.max(1, comments.length), 0) <= maxTogether
