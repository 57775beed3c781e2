import { moneyOf, type MealLine } from '#kernel/meal-line'
import type { SchoolDate } from '#kernel/school-time'

/** Unpaid meals of today and later lapse from `from` on; those with their cutoff before the rule (`since`) are spared. */
export type Lapsing = { since: Date; from: Date; today: SchoolDate }

const transferTakesMs = 30 * 60_000

/** The date of the meal whose cutoff comes first, if a transfer from now on would come too late for it. */
export const tooLateForTransfer = (lines: readonly MealLine[], at: Date): SchoolDate | null => {
  const [first] = lines
    .filter((line) => moneyOf(line) > 0)
    .toSorted((one, other) => one.cutoffAt.localeCompare(other.cutoffAt))
  return first && Date.parse(first.cutoffAt) - at.getTime() <= transferTakesMs ? first.mealDate : null
}

type Unpaid = { mealDate: SchoolDate; lapsesAt: Date | null; portionUntil: Date | null }

/** When the rule cancels it unpaid, the grace after its cutoff included; null: not by its cutoff. */
export const lapseByCutoff = (
  { mealDate, lapsesAt }: Omit<Unpaid, 'portionUntil'>,
  lapsing: Lapsing | null,
): Date | null =>
  lapsing !== null && lapsesAt !== null && lapsesAt >= lapsing.from && mealDate >= lapsing.today
    ? lapsesAt
    : null

/** The first instant at which one lapses, by cutoff or portion limit; null for none. */
export const firstLapse = (orders: readonly Unpaid[], lapsing: Lapsing | null): Date | null => {
  const times = orders.flatMap((order) =>
    [lapseByCutoff(order, lapsing), order.portionUntil].flatMap((at) => at?.getTime() ?? []),
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}
