import type { KitchenTotal } from '#contracts/kitchen'
import { capitalised, dayAndMonth, dayName } from '../../../lib/format'

/** Counts are portions. */
export type KitchenDay = {
  key: string
  weekNumber: number
  dayOfWeek: number
  mealDate: string
  primary: KitchenTotal[]
  secondary: KitchenTotal[]
  total: number
  primaryTotal: number
  secondaryTotal: number
  unpaid: number
  completed: number
  cancelledLate: number
  absent: number
}

export const dateOf = ({ dayOfWeek, mealDate }: Pick<KitchenDay, 'dayOfWeek' | 'mealDate'>): string =>
  `${dayName(dayOfWeek)}, ${dayAndMonth(mealDate)}`

/** Stable across refreshes. */
export const rowKey = (row: KitchenTotal): string => `${row.mealDate}/${row.type}/${row.menuItemId}`

const sum = (rows: KitchenTotal[], of: (row: KitchenTotal) => number) =>
  rows.reduce((total, row) => total + of(row), 0)

const dayOf = (rows: [KitchenTotal, ...KitchenTotal[]]): KitchenDay => {
  const ofType = (type: KitchenTotal['type']) =>
    rows
      .filter((row) => row.type === type)
      .toSorted((a, b) => b.total - a.total || a.menuItem.localeCompare(b.menuItem))
  const { weekNumber, dayOfWeek, mealDate } = rows[0]
  const [primary, secondary] = [ofType('primary'), ofType('secondary')]
  return {
    key: mealDate,
    weekNumber,
    dayOfWeek,
    mealDate,
    primary,
    secondary,
    total: sum(rows, (row) => row.total),
    primaryTotal: sum(primary, (row) => row.total),
    secondaryTotal: sum(secondary, (row) => row.total),
    unpaid: sum(rows, (row) => row.unpaid),
    completed: sum(rows, (row) => row.completed),
    cancelledLate: sum(rows, (row) => row.cancelledLate),
    absent: sum(rows, (row) => row.absent ?? 0),
  }
}

export const kitchenDays = (totals: KitchenTotal[]): KitchenDay[] => {
  const byDate = new Map<string, [KitchenTotal, ...KitchenTotal[]]>()
  for (const row of totals) {
    const rows = byDate.get(row.mealDate)
    if (rows) rows.push(row)
    else byDate.set(row.mealDate, [row])
  }
  return [...byDate.values()].map(dayOf).toSorted((a, b) => a.mealDate.localeCompare(b.mealDate))
}

type DishOfWeek = { key: string; name: string; counts: number[]; total: number }

/** A count for each day, primary dishes first, the most ordered before others. */
export const dishesByDay = (days: readonly KitchenDay[]): DishOfWeek[] =>
  (['primary', 'secondary'] as const).flatMap((type) => {
    const names = new Map(days.flatMap((day) => day[type].map((row) => [row.menuItemId, row.menuItem])))
    return [...names]
      .map(([id, name]) => {
        const counts = days.map((day) => day[type].find((row) => row.menuItemId === id)?.total ?? 0)
        return { key: `${type} ${id}`, name, counts, total: counts.reduce((all, count) => all + count, 0) }
      })
      .toSorted((one, other) => other.total - one.total || one.name.localeCompare(other.name))
  })

/** Only rows with pending orders can be chosen. */
export const completable = (row: KitchenTotal): boolean => row.pendingOrderIds.length > 0

/** Skips rows that are gone or done. */
export const ordersToComplete = (
  totals: KitchenTotal[],
  chosen: { has: (key: string) => boolean },
): string[] => [
  ...new Set(totals.filter((row) => chosen.has(rowKey(row))).flatMap((row) => row.pendingOrderIds)),
]

type Plate = KitchenTotal['plates'][number]

/** "Beef with Nshima", or the meal without choices. */
export const plateText = (
  { category, sideDish }: Pick<Plate, 'category' | 'sideDish'>,
  meal: string,
): string => capitalised([category, sideDish].filter((word) => word !== null).join(' with ') || meal)

const maxTogether = 12

/** Rows with many remarks may break, or half a sheet stays empty. */
export const avoidsPageBreak = ({ plates }: KitchenTotal): boolean =>
  plates.reduce((lines, { comments }) => lines + Math.max(1, comments.length), 0) <= maxTogether
