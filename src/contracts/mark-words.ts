import type { Diet } from './eating'
import { dietMark } from './diet-marks'
import type { ReplyOf } from './endpoint'
import { allergensMet, mealMarks } from './meal-marks'

/** What the children of a family must not eat, and the school's rule. */
export type MealMarks = ReplyOf<typeof mealMarks>

/** As much of an eater as a mark names. */
type Marked = { id: number; name: string; grade: string }

/** As much of a meal as a mark is judged by. */
type MarkedMeal = { name: string; allergens: readonly string[]; categories: readonly string[] }

/** What to write at a meal for one eater. */
export type MealMark = {
  /** "Contains peanuts – Chipo is allergic"; null where nothing in it is known to be. */
  allergy: string | null
  /** "Check: halal – chicken"; null for nothing. */
  diet: string | null
  /** `block`: it cannot be ordered; `warn`: only by somebody who was asked; null: it can. */
  rule: MealMarks['rule'] | null
}

const unmarked: MealMark = { allergy: null, diet: null, rule: null }

/** How a meal is marked for this eater, by the protein that was chosen where one was; nothing while it is not known. */
export const markOf = (
  marks: MealMarks | undefined,
  eater: Marked,
  { name, allergens, categories }: MarkedMeal,
  protein?: string | null,
): MealMark => {
  const known = marks?.students.find(({ studentId }) => studentId === eater.id)
  if (!marks || !known) return unmarked
  const met = allergensMet(known.allergies, allergens)
  return {
    allergy: met.length > 0 ? `${containsWords(met)} – ${allergicWords(eater)}` : null,
    diet: dietMark(known.diet, { name, proteins: categories, protein }),
    rule: met.length > 0 ? marks.rule : null,
  }
}

/** "Contains milk, peanuts". */
export const containsWords = (allergens: readonly string[]): string =>
  `Contains ${allergens.join(', ').toLowerCase()}`

/** "Chipo is allergic"; whoever orders for themselves is spoken to. */
export const allergicWords = ({ name, grade }: Omit<Marked, 'id'>): string =>
  grade === 'teacher' ? 'you are allergic' : `${name} is allergic`

/** What of a meal this eater is allergic to. */
export const allergensFor = (
  marks: MealMarks | undefined,
  eaterId: number,
  allergens: readonly string[],
): string[] =>
  allergensMet(marks?.students.find(({ studentId }) => studentId === eaterId)?.allergies, allergens)

export const dietOf = (marks: MealMarks | undefined, eaterId: number): Diet =>
  marks?.students.find(({ studentId }) => studentId === eaterId)?.diet ?? 'none'
