import { allergensMet } from '#contracts/allergens'
import type { SchoolDate } from '#kernel/school-time'
import type { AcknowledgedBy, AllergensOfMeal, MealInConflict } from '../ports'

export type UpcomingMeal = Omit<MealInConflict, 'allergens'> & { acknowledged: boolean }

export type Conflict = MealInConflict & {
  acceptedByOffice: boolean
}

type Accepted = AllergensOfMeal & { by: AcknowledgedBy }

export type ConflictFacts = {
  allergies: ReadonlyMap<number, readonly string[]>
  allergens: ReadonlyMap<number, readonly string[]>
  accepted: readonly Accepted[]
}

const mealKey = ({ studentId, date, itemId }: { studentId: number; date: SchoolDate; itemId: number }) =>
  `${studentId}.${date}.${itemId}`

/** Meals with unaccepted allergens. Acceptance counts only for its order and the allergens known then. */
export const conflictsAmong = (
  meals: readonly UpcomingMeal[],
  { allergies, allergens, accepted }: ConflictFacts,
): Conflict[] => {
  const acceptedOf = new Map(accepted.map((one) => [mealKey(one), one]))
  return meals.flatMap(({ acknowledged, ...meal }): Conflict[] => {
    const met = allergensMet(allergies.get(meal.studentId), allergens.get(meal.itemId))
    const known = acknowledged ? acceptedOf.get(mealKey(meal)) : undefined
    const asked = new Set(allergensMet(known?.allergens, met))
    const open = met.filter((name) => !asked.has(name))
    if (open.length > 0) return [{ ...meal, allergens: open, acceptedByOffice: false }]
    return met.length > 0 && known?.by === 'office'
      ? [{ ...meal, allergens: met, acceptedByOffice: true }]
      : []
  })
}

export const pairsInConflict = ({
  allergies,
  allergens,
}: Pick<ConflictFacts, 'allergies' | 'allergens'>): { studentId: number; itemId: number }[] =>
  [...allergies].flatMap(([studentId, avoided]) =>
    [...allergens].flatMap(([itemId, contained]) =>
      allergensMet(avoided, contained).length > 0 ? [{ studentId, itemId }] : [],
    ),
  )
