import { allergenKeys, allergensMet } from '#contracts/allergens'
import type { Diet } from '#contracts/health'
import type { AllergyOfDay, DietOfDay, KitchenReply, NoteOfDay } from '#contracts/kitchen'

export type EatenMeal = Omit<NoteOfDay, 'medicalNote'> & {
  studentId: number
  menuItem: string
  allergies: readonly string[] | null
  diet: Diet
  medicalNote: string | null
  allergens: readonly string[]
}

type Meals = Map<string, number>
type Group<Name> = { mealDate: string; name: Name; children: Set<number>; meals: Meals }

const grouped = <Name extends string>(
  eaten: readonly EatenMeal[],
  namesOf: (meal: EatenMeal) => readonly { name: Name; inMeal: boolean }[],
): Group<Name>[] => {
  const groups = new Map<string, Group<Name>>()
  for (const meal of eaten)
    for (const { name, inMeal } of namesOf(meal)) {
      const key = JSON.stringify([meal.mealDate, allergenKeys(name)])
      const group = groups.get(key) ?? {
        mealDate: meal.mealDate,
        name,
        children: new Set(),
        meals: new Map(),
      }
      groups.set(key, group)
      group.children.add(meal.studentId)
      if (inMeal) group.meals.set(meal.menuItem, (group.meals.get(meal.menuItem) ?? 0) + 1)
    }
  return [...groups.values()].toSorted(
    (one, other) =>
      one.mealDate.localeCompare(other.mealDate) ||
      other.children.size - one.children.size ||
      one.name.localeCompare(other.name),
  )
}

const counted = <Name>({ mealDate, children, meals }: Group<Name>) => ({
  mealDate,
  children: children.size,
  meals: [...meals].map(([menuItem, count]) => ({ menuItem, count })),
})

const allergiesOf = (eaten: readonly EatenMeal[]): AllergyOfDay[] =>
  grouped(eaten, ({ allergies, allergens }) =>
    (allergies ?? []).map((name) => ({ name, inMeal: allergensMet([name], allergens).length > 0 })),
  ).map((group) => ({ name: group.name, ...counted(group) }))

const dietsOf = (eaten: readonly EatenMeal[]): DietOfDay[] =>
  grouped<Diet>(eaten, ({ diet }) => (diet === 'none' ? [] : [{ name: diet, inMeal: true }])).map(
    (group) => ({ diet: group.name, ...counted(group) }),
  )

const notesOf = (eaten: readonly EatenMeal[]): NoteOfDay[] =>
  eaten.flatMap(({ mealDate, student, grade, class: inClass, medicalNote }) =>
    medicalNote === null ? [] : [{ mealDate, student, grade, class: inClass, medicalNote }],
  )

export const kitchenHealth = (
  eaten: readonly EatenMeal[],
): Pick<KitchenReply, 'allergies' | 'diets' | 'medicalNotes'> => {
  const diets = dietsOf(eaten)
  const medicalNotes = notesOf(eaten)
  return {
    allergies: eaten.some(({ allergies }) => allergies !== null) ? allergiesOf(eaten) : null,
    ...(diets.length > 0 && { diets }),
    ...(medicalNotes.length > 0 && { medicalNotes }),
  }
}
