import type { MenuItem } from '#contracts/catalogue'

/** A meal on offer with the sides that go with it; none for a teacher. */
type PlanMeal = { item: MenuItem; sides: readonly string[] }

/** A day that can still be ordered; `day` counts from Monday 1, `date` is `YYYY-MM-DD`. */
export type PlanDay = { day: number; date: string; meals: readonly PlanMeal[] }

/** As much of an earlier order of this child as a suggestion looks at. */
export type EarlierMeal = {
  menuItem: { id: number }
  dayOfWeek: number
  mealDate: string
  category: string | null
  sideDish: string | null
}

/** What is to be ordered for one day. An empty protein or side is still to be chosen. */
export type PlanRow = {
  day: PlanDay
  skipped: boolean
  meal: PlanMeal
  protein: string
  side: string
  /** The day this child had the meal before, which its protein and side were taken from. */
  lastOrderedOn: string | null
}

/**
 * A meal for every day: what this child had most recently on that weekday of what is offered, else most recently on any
 * day and not suggested for another day already, so that a week does not become five times the same; else the first on
 * the menu. Days without meals fall away.
 */
export const suggestWeek = (days: readonly PlanDay[], earlier: readonly EarlierMeal[]): PlanRow[] => {
  const newest = newestFirst(earlier)
  const offered = days.filter(({ meals }) => meals.length > 0)
  const usual = offered.map((day) =>
    newest.find((one) => one.dayOfWeek === day.day && mealOf(day, one.menuItem.id)),
  )
  const suggested = new Set(usual.map((one) => one?.menuItem.id))
  return offered.map((day, at) => {
    const known = newest.filter(({ menuItem }) => mealOf(day, menuItem.id))
    const last = usual[at] ?? known.find(({ menuItem }) => !suggested.has(menuItem.id)) ?? known[0]
    suggested.add(last?.menuItem.id)
    const meal = (last && mealOf(day, last.menuItem.id)) ?? day.meals[0]!
    return { day, skipped: false, ...asBefore(meal, newest) }
  })
}

/** The row with another meal of its day, chosen as this child had it before. */
export const withMeal = (row: PlanRow, itemId: number, earlier: readonly EarlierMeal[]): PlanRow => ({
  ...row,
  ...asBefore(mealOf(row.day, itemId) ?? row.meal, earlier),
})

// A protein or a side is never guessed: it is what the child had with this meal, or the only one there is.
const asBefore = (
  meal: PlanMeal,
  earlier: readonly EarlierMeal[],
): Pick<PlanRow, 'meal' | 'protein' | 'side' | 'lastOrderedOn'> => {
  const last = newestFirst(earlier).find(({ menuItem }) => menuItem.id === meal.item.id)
  return {
    meal,
    protein: among(meal.item.categories, last?.category),
    side: among(meal.sides, last?.sideDish),
    lastOrderedOn: last?.mealDate ?? null,
  }
}

const among = (names: readonly string[], before: string | null | undefined): string =>
  names.find((name) => name === before) ?? (names.length === 1 ? names[0]! : '')

const mealOf = (day: PlanDay, itemId: number) => day.meals.find(({ item }) => item.id === itemId)

const newestFirst = (earlier: readonly EarlierMeal[]) =>
  earlier.toSorted((one, other) => other.mealDate.localeCompare(one.mealDate))
