import type { MenuItem } from '#contracts/catalogue'
import { mondayOf } from '../../lib/format'

type PlanMeal = { item: MenuItem; sides: readonly string[] }

/** `day` from Monday 1, `date` `YYYY-MM-DD`; `soldOut` holds meal ids. */
export type PlanDay = { day: number; date: string; meals: readonly PlanMeal[]; soldOut: readonly number[] }

/** `why`: "Chipo is allergic"; `contains`: "contains peanuts, not halal". */
type AvoidedMeal = { id: number; name: string; contains: string; why: string }

/** Open and closed days, offers, avoided meals and history of a child. */
export type PlanChild = {
  id: number
  name: string
  /** "Ask the kitchen: halal not stated"; null for nothing to ask. */
  unstatedOf: (item: MenuItem) => string | null
  days: readonly PlanDay[]
  avoided: readonly AvoidedMeal[]
  told: readonly { day: number; date: string; words: string }[]
  earlier: readonly EarlierMeal[]
}

/** Fields of an earlier order used here. */
export type EarlierMeal = {
  menuItem: { id: number; name: string }
  dayOfWeek: number
  mealDate: string
  category: string | null
  sideDish: string | null
}

/** Empty protein or side: still to choose. */
export type PlanRow = {
  childId: number
  day: PlanDay
  skipped: boolean
  meal: PlanMeal
  protein: string
  side: string
  /** Day whose protein and side were copied. */
  lastOrderedOn: string | null
  /** "Stew is sold out". */
  missing?: string
  /** One line; open or manual choices show fields. */
  isShort?: boolean
}

/**
 * Per day: the most recent meal on that weekday, else the most recent not yet suggested (to avoid five equal days), else the first on the
 * menu.
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

/** Copies the last week with lunches; unavailable days are skipped with a reason. Null without such a week. */
export const asLastWeek = (child: PlanChild): PlanRow[] | null => {
  const last = lastWeekOf(child)
  if (last.length === 0) return null
  return suggestWeek(child).map((row) => {
    const before = last.find(({ dayOfWeek }) => dayOfWeek === row.day.day)
    if (!before) return { ...row, skipped: true, missing: 'No lunch last week' }
    const meal = mealOf(row.day, before.menuItem.id)
    return meal
      ? shortWhereDone({ ...row, ...asBefore(meal, [before]) })
      : { ...row, skipped: true, missing: goneText(child, row.day, before) }
  })
}

/** How a child's week is filled. */
export type Way = 'lastWeek' | 'dish' | 'days'

export const firstWay = (child: PlanChild): Way => (asLastWeek(child)?.some(isTaken) ? 'lastWeek' : 'days')

/** Keeps choices where the way makes none. */
export const filled = (child: PlanChild, way: Way, now: readonly PlanRow[]): readonly PlanRow[] => {
  if (way === 'lastWeek') return asLastWeek(child) ?? []
  if (way === 'dish' && now.length > 0) return now
  return suggestWeek(child).map((row) => {
    const known = now.find(({ day }) => day.day === row.day.day)
    return known && isTaken(known) ? { ...known, isShort: false } : row
  })
}

/** Other days are skipped with a reason. */
export const dishForAllDays = (child: PlanChild, itemId: number): PlanRow[] =>
  suggestWeek(child).map((row) =>
    mealOf(row.day, itemId)
      ? shortWhereDone(withMeal(row, itemId, child.earlier))
      : { ...row, skipped: true, missing: 'Not offered on this day' },
  )

/** By number of days offering them; at most `most`. */
export const dishesOf = ({ days }: PlanChild, most: number): { id: number; name: string; on: number }[] => {
  const dishes = new Map<number, { id: number; name: string; on: number }>()
  for (const { meals } of days)
    for (const { item } of meals)
      dishes.set(item.id, { id: item.id, name: item.name, on: (dishes.get(item.id)?.on ?? 0) + 1 })
  return [...dishes.values()].toSorted((one, other) => other.on - one.on).slice(0, most)
}

/** Before this week. */
export const lastWeekOf = ({ days, earlier }: PlanChild): EarlierMeal[] => {
  const before = earlier.filter(({ mealDate }) => days[0] !== undefined && mealDate < mondayOf(days[0].date))
  const newest = newestFirst(before)[0]
  return newest ? before.filter(({ mealDate }) => mondayOf(mealDate) === mondayOf(newest.mealDate)) : []
}

const goneText = (
  { avoided }: PlanChild,
  { soldOut }: PlanDay,
  { menuItem: { id, name } }: EarlierMeal,
): string => {
  const known = avoided.find((one) => one.id === id)
  if (known) return `${name} ${known.contains} – ${known.why}`
  return soldOut.includes(id) ? `${name} is sold out` : `${name} is not offered`
}

/** One line when all is chosen. */
const shortWhereDone = (row: PlanRow): PlanRow => ({
  ...row,
  isShort:
    (row.meal.item.categories.length === 0 || row.protein !== '') &&
    (row.meal.sides.length === 0 || row.side !== ''),
})

export const withMeal = (row: PlanRow, itemId: number, earlier: readonly EarlierMeal[]): PlanRow => ({
  ...row,
  ...asBefore(mealOf(row.day, itemId) ?? row.meal, earlier),
})

// Never guessed: as before, or the only option.
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

// The only place that picks a meal by id.
const mealOf = (day: PlanDay, itemId: number) => day.meals.find(({ item }) => item.id === itemId)

const newestFirst = (earlier: readonly EarlierMeal[]) =>
  earlier.toSorted((one, other) => other.mealDate.localeCompare(one.mealDate))

export const isTaken = ({ skipped }: PlanRow): boolean => !skipped

export const needsProtein = ({ skipped, meal, protein }: PlanRow): boolean =>
  !skipped && meal.item.categories.length > 0 && !protein

export const needsSide = ({ skipped, meal, side }: PlanRow): boolean =>
  !skipped && meal.sides.length > 0 && !side

export type Plan = { rows: PlanRow[] }

/** For days without one, most widely offered first. */
export const missingProteins = (rows: readonly PlanRow[]): string[] => {
  const names = rows.filter(needsProtein).flatMap(({ meal }) => meal.item.categories)
  const count = (name: string) => names.filter((one) => one === name).length
  return [...new Set(names)].toSorted((one, other) => count(other) - count(one))
}

/** Where offered and missing. */
export const withProtein = (rows: readonly PlanRow[], protein: string): PlanRow[] =>
  rows.map((row) =>
    needsProtein(row) && row.meal.item.categories.includes(protein) ? { ...row, protein } : row,
  )

/** The first option where missing. */
export const withSides = (rows: readonly PlanRow[]): PlanRow[] =>
  rows.map((row) => (needsSide(row) ? { ...row, side: row.meal.sides[0]! } : row))

/** Days not skipped, in kwacha with whole ngwee. */
export const totalOf = (rows: readonly PlanRow[]): number =>
  rows
    .filter(isTaken)
    .reduce(
      (sum, { meal: { item } }) => sum + Math.round(Number(item.discountPrice ?? item.price) * 100),
      0,
    ) / 100
