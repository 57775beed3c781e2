import * as z from 'zod/mini'
import type { PlanRow } from './suggest-week'

export const isTaken = ({ skipped }: PlanRow): boolean => !skipped

export const needsProtein = ({ skipped, meal, protein }: PlanRow): boolean =>
  !skipped && meal.item.categories.length > 0 && !protein

export const needsSide = ({ skipped, meal, side }: PlanRow): boolean =>
  !skipped && meal.sides.length > 0 && !side

/** A plan that can be added to the cart: nothing is still to choose. */
export const finishedPlan = z.object({
  rows: z.array(
    z.custom<PlanRow>().check(
      z.refine((row) => !needsProtein(row), { message: 'Choose a protein', path: ['protein'] }),
      z.refine((row) => !needsSide(row), { message: 'Choose a side dish', path: ['side'] }),
    ),
  ),
})
export type Plan = z.infer<typeof finishedPlan>

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
