import { allergensMet, conflictOf, type Contents, type Needs } from '#contracts/allergens'
import { isConflict, type MealConflict } from '#contracts/health'
import type { SchoolDate } from '#kernel/school-time'
import type { AcknowledgedBy, ConflictOfMeal, MealInConflict } from '../ports'

export type UpcomingMeal = Omit<MealInConflict, keyof MealConflict> & { acknowledged: boolean }

export type Conflict = MealInConflict & {
  acceptedByOffice: boolean
}

type Accepted = ConflictOfMeal & { by: AcknowledgedBy }

export type ConflictFacts = {
  needs: ReadonlyMap<number, Needs>
  contents: ReadonlyMap<number, Contents>
  accepted: readonly Accepted[]
}

const mealKey = ({ studentId, date, itemId }: { studentId: number; date: SchoolDate; itemId: number }) =>
  `${studentId}.${date}.${itemId}`

/** Meals with something unaccepted. Acceptance counts only for its order and what was known against it then. */
export const conflictsAmong = (
  meals: readonly UpcomingMeal[],
  { needs, contents, accepted }: ConflictFacts,
): Conflict[] => {
  const acceptedOf = new Map(accepted.map((one) => [mealKey(one), one]))
  return meals.flatMap(({ acknowledged, ...meal }): Conflict[] => {
    const met = conflictOf(needs.get(meal.studentId), contents.get(meal.itemId))
    const known = acknowledged ? acceptedOf.get(mealKey(meal)) : undefined
    const open = known ? without(met, known) : met
    if (isConflict(open)) return [{ ...meal, ...open, acceptedByOffice: false }]
    return isConflict(met) && known?.by === 'office' ? [{ ...meal, ...met, acceptedByOffice: true }] : []
  })
}

const without = ({ allergens, diets }: MealConflict, known: MealConflict): MealConflict => {
  const asked = new Set(allergensMet(known.allergens, allergens))
  return {
    allergens: allergens.filter((name) => !asked.has(name)),
    diets: diets.filter((name) => !known.diets.includes(name)),
  }
}

export const pairsInConflict = ({
  needs,
  contents,
}: Pick<ConflictFacts, 'needs' | 'contents'>): { studentId: number; itemId: number }[] =>
  [...needs].flatMap(([studentId, own]) =>
    [...contents].flatMap(([itemId, dish]) =>
      isConflict(conflictOf(own, dish)) ? [{ studentId, itemId }] : [],
    ),
  )

/** What children are allergic to is the kitchen's and the office's to know. */
export const healthFeatures = ['kitchen', 'parents_students']
