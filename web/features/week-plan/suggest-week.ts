import type { MenuItem } from '#contracts/catalogue'
import type { Diet } from '#contracts/health'

/** A meal on offer with the sides that go with it; none for a teacher. */
type PlanMeal = { item: MenuItem; sides: readonly string[] }

/** A day that can still be ordered; `day` counts from Monday 1, `date` is `YYYY-MM-DD`. `soldOut` are the ids of meals. */
export type PlanDay = { day: number; date: string; meals: readonly PlanMeal[]; soldOut: readonly number[] }

/** A meal that is left out by itself: `why` reads "Chipo is allergic", `contains` "contains peanuts". */
type AvoidedMeal = { id: number; name: string; contains: string; why: string }

/**
 * A child whose week is planned: the days that are open, the others with why, what is offered and left out for what is in
 * it, and what was ordered before.
 */
export type PlanChild = {
  id: number
  name: string
  diet: Diet
  days: readonly PlanDay[]
  avoided: readonly AvoidedMeal[]
  told: readonly { day: number; date: string; words: string }[]
  earlier: readonly EarlierMeal[]
}

/** As much of an earlier order of this child as a suggestion looks at. */
export type EarlierMeal = {
  menuItem: { id: number; name: string }
  dayOfWeek: number
  mealDate: string
  category: string | null
  sideDish: string | null
}

/** What is to be ordered for one day. An empty protein or side is still to be chosen. */
export type PlanRow = {
  childId: number
  day: PlanDay
  skipped: boolean
  meal: PlanMeal
  protein: string
  side: string
  /** The day this child had the meal before, which its protein and side were taken from. */
  lastOrderedOn: string | null
  /** Why the day is not as last week: "Stew is sold out". */
  missing?: string
  /** Shown in one line; what is to be chosen or was chosen by hand shows its fields. */
  isShort?: boolean
}

/**
 * A meal for every day: what this child had most recently on that weekday of what is offered, else most recently on any
 * day and not suggested for another day already, so that a week does not become five times the same; else the first on
 * the menu. Days without meals fall away.
 */
export const suggestWeek = ({ id, days, earlier }: PlanChild): PlanRow[] => {
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
    return { childId: id, day, skipped: false, ...asBefore(meal, newest) }
  })
}

/**
 * The days as they were in the last week with lunches before this one: what is offered again is taken; a day whose meal
 * is not, or that had no lunch, is left out with the reason. Null where no such week is known.
 */
export const asLastWeek = (child: PlanChild): PlanRow[] | null => {
  const last = lastWeekOf(child)
  if (last.length === 0) return null
  return suggestWeek(child).map((row) => {
    const before = last.find(({ dayOfWeek }) => dayOfWeek === row.day.day)
    if (!before) return { ...row, skipped: true, missing: 'No lunch last week' }
    const meal = mealOf(row.day, before.menuItem.id)
    return meal
      ? shortWhereDone({ ...row, ...asBefore(meal, [before]) })
      : { ...row, skipped: true, missing: goneWords(child, row.day, before) }
  })
}

/** This dish on every day that offers it; the other days are left out and say so. */
export const dishForAllDays = (child: PlanChild, itemId: number): PlanRow[] =>
  suggestWeek(child).map((row) =>
    mealOf(row.day, itemId)
      ? shortWhereDone(withMeal(row, itemId, child.earlier))
      : { ...row, skipped: true, missing: 'Not offered on this day' },
  )

/** The dishes of the week with the number of days that offer them, the most first; at most `most` of them. */
export const dishesOf = ({ days }: PlanChild, most: number): { id: number; name: string; on: number }[] => {
  const dishes = new Map<number, { id: number; name: string; on: number }>()
  for (const { meals } of days)
    for (const { item } of meals)
      dishes.set(item.id, { id: item.id, name: item.name, on: (dishes.get(item.id)?.on ?? 0) + 1 })
  return [...dishes.values()].toSorted((one, other) => other.on - one.on).slice(0, most)
}

/** What was ordered in the last week before this one that had a lunch. */
export const lastWeekOf = ({ days, earlier }: PlanChild): EarlierMeal[] => {
  const before = earlier.filter(({ mealDate }) => days[0] !== undefined && mealDate < mondayOf(days[0].date))
  const newest = newestFirst(before)[0]
  return newest ? before.filter(({ mealDate }) => mondayOf(mealDate) === mondayOf(newest.mealDate)) : []
}

const mondayOf = (date: string): string => {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

const goneWords = (
  { avoided }: PlanChild,
  { soldOut }: PlanDay,
  { menuItem: { id, name } }: EarlierMeal,
): string => {
  const known = avoided.find((one) => one.id === id)
  if (known) return `${name} ${known.contains} – ${known.why}`
  return soldOut.includes(id) ? `${name} is sold out` : `${name} is not offered`
}

/** In one line where nothing of it is to be chosen any more. */
const shortWhereDone = (row: PlanRow): PlanRow => ({
  ...row,
  isShort:
    (row.meal.item.categories.length === 0 || row.protein !== '') &&
    (row.meal.sides.length === 0 || row.side !== ''),
})

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

// The one place where a meal is chosen for a child and a day by its number; the suggestion takes the first of `meals`.
const mealOf = (day: PlanDay, itemId: number) => day.meals.find(({ item }) => item.id === itemId)

const newestFirst = (earlier: readonly EarlierMeal[]) =>
  earlier.toSorted((one, other) => other.mealDate.localeCompare(one.mealDate))

export const isTaken = ({ skipped }: PlanRow): boolean => !skipped

export const needsProtein = ({ skipped, meal, protein }: PlanRow): boolean =>
  !skipped && meal.item.categories.length > 0 && !protein

export const needsSide = ({ skipped, meal, side }: PlanRow): boolean =>
  !skipped && meal.sides.length > 0 && !side

export type Plan = { rows: PlanRow[] }

/** The proteins that days without one could have, the one most of them could have first. */
export const missingProteins = (rows: readonly PlanRow[]): string[] => {
  const names = rows.filter(needsProtein).flatMap(({ meal }) => meal.item.categories)
  const count = (name: string) => names.filter((one) => one === name).length
  return [...new Set(names)].toSorted((one, other) => count(other) - count(one))
}

/** Gives this protein to every day that has none yet and offers it. */
export const withProtein = (rows: readonly PlanRow[], protein: string): PlanRow[] =>
  rows.map((row) =>
    needsProtein(row) && row.meal.item.categories.includes(protein) ? { ...row, protein } : row,
  )

/** Gives every day without a side the first that goes with its meal. */
export const withSides = (rows: readonly PlanRow[]): PlanRow[] =>
  rows.map((row) => (needsSide(row) ? { ...row, side: row.meal.sides[0]! } : row))

/** What the meals of the days that are not skipped cost together, in kwacha with whole ngwee. */
export const totalOf = (rows: readonly PlanRow[]): number =>
  rows
    .filter(isTaken)
    .reduce(
      (sum, { meal: { item } }) => sum + Math.round(Number(item.discountPrice ?? item.price) * 100),
      0,
    ) / 100
