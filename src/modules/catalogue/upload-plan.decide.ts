import { describedProteins, mealIn, type Meal, type MenuItem } from './menu-item.decide'
import type { OptionalColumn, RowProblem } from './upload-row.decide'

type UploadPlan = {
  inserts: Meal[]
  updates: (Meal & { id: number })[]
  problems: RowProblem[]
}

type Offer = { meal: Meal; id: number | null; row: number | null }

const nameOf = (meal: Meal) => `${meal.type}/${meal.name.toLowerCase()}`

const overlap = (one: number[], other: number[]) => one.some((number) => other.includes(number))

const sharesADay = (one: Meal, other: Meal) =>
  overlap(one.weekNumbers, other.weekNumbers) && overlap(one.daysOfWeek, other.daysOfWeek)

/**
 * A row updates the item with the same name (any case) and type and a common day; the item keeps its spelling, picture, portions and the
 * `missing` columns (docs/decisions/0005-bulk-upload-identity.md). `menu` holds unarchived items.
 */
export const planUpload = (
  rows: readonly { row: number; meal: Meal }[],
  menu: readonly MenuItem[],
  missing: readonly OptionalColumn[] = [],
): UploadPlan => {
  const offers = new Map<string, Offer[]>()
  const known = (meal: Meal) => offers.get(nameOf(meal)) ?? []
  for (const item of menu)
    offers.set(nameOf(item), [...known(item), { meal: mealIn(item), id: item.id, row: null }])
  const problems: RowProblem[] = []
  for (const { row, meal } of rows) {
    const same = known(meal).filter((offer) => sharesADay(offer.meal, meal))
    const problem = problemWith(same)
    if (problem) problems.push({ row, column: 'name', message: problem })
    else
      offers.set(nameOf(meal), [
        ...known(meal).filter((offer) => offer !== same[0]),
        placed(row, meal, { same: same[0], missing }),
      ])
  }
  const fromFile = [...offers.values()].flat().filter((offer) => offer.row !== null)
  const inOrder = fromFile.toSorted((one, other) => Number(one.row) - Number(other.row))
  return {
    inserts: inOrder.flatMap(({ id, meal }) => (id === null ? [meal] : [])),
    updates: inOrder.flatMap(({ id, meal }) => (id === null ? [] : [{ ...meal, id }])),
    problems,
  }
}

const problemWith = (same: Offer[]): string | null => {
  const earlier = same.find(({ row }) => row !== null)
  if (earlier) return `The same meal for the same day stands in row ${earlier.row}`
  if (same.length > 1) return 'Several menu items have this name, type and day; change them one by one'
  return null
}

const keptBy = (item: Meal, meal: Meal, missing: readonly OptionalColumn[]): Partial<Meal> => {
  const { name, imageUrl, portionLimit } = item
  const untold = Object.fromEntries(missing.map((column) => [column, item[column]]))
  return {
    ...untold,
    ...(missing.includes('proteinDescriptions') && {
      proteinDescriptions: describedProteins(item.proteinDescriptions, meal.categories),
    }),
    name,
    imageUrl,
    portionLimit,
  }
}

type Found = { same: Offer | undefined; missing: readonly OptionalColumn[] }

const placed = (row: number, meal: Meal, { same, missing }: Found): Offer =>
  same
    ? { row, id: same.id, meal: { ...meal, ...keptBy(same.meal, meal, missing) } }
    : { row, id: null, meal }
