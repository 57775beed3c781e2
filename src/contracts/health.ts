import * as z from 'zod/mini'
import type { DietName, DishDiets } from './catalogue'
import { endpoint, idParam, type ReplyOf, givenVersion, listWrite, shownVersion } from './endpoint'

/** Register number, else guardian, where two children of a class share a name. */
export const tellApart = z.nullable(z.string())

export const diets = ['none', 'vegetarian', 'no_pork', 'no_beef', 'halal'] as const
export const diet = z.enum(diets, 'Choose a diet')
export type Diet = z.infer<typeof diet>

/** `block` refuses a meal with an allergen of the child; `warn` lets a parent confirm it. */
export const allergyRule = z.enum(['block', 'warn'], 'Choose what happens')
export type AllergyRule = z.infer<typeof allergyRule>

export const standardAllergens = [
  'Milk',
  'Eggs',
  'Fish',
  'Shellfish',
  'Tree Nuts',
  'Peanuts',
  'Wheat',
  'Soybeans',
  'Sesame',
] as const

export const maxOwnAllergens = 20
const maxAllergenLength = 80
export const maxMedicalNoteLength = 200

const allergen = z.string().check(
  z.trim(),
  z.minLength(1, 'An allergen has a name'),
  z.maxLength(maxAllergenLength, `An allergen has at most ${maxAllergenLength} characters`),
  z.refine((name) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(name), 'An allergen is written in one line'),
)

const medicalNote = z
  .string()
  .check(
    z.trim(),
    z.maxLength(maxMedicalNoteLength, `The note can have at most ${maxMedicalNoteLength} characters`),
  )

/** `allergies`: null is not declared, an empty list is none. */
const health = z.object({
  allergies: z.nullable(z.array(z.string())),
  diet,
  medicalNote: z.string(),
  noteConsent: z.boolean(),
  /** An ISO instant; null when nothing was declared. */
  updatedAt: z.nullable(z.string()),
})
export type Health = z.infer<typeof health>

export const getHealth = endpoint('GET', '/api/students/:id/health', {
  params: idParam,
  reply: z.extend(health, shownVersion),
})

/** Replaces the record; absent means none. Allergies in any words the school's list knows (`readAllergens`). */
export const saveHealth = endpoint('PUT', '/api/students/:id/health', {
  params: idParam,
  body: z.object({
    allergies: z.nullable(
      z
        .array(z.string().check(z.maxLength(500, 'Each entry can have at most 500 characters')))
        .check(z.maxLength(standardAllergens.length + maxOwnAllergens, 'Too many allergies')),
    ),
    diet: z._default(diet, 'none'),
    medicalNote: z._default(medicalNote, ''),
    noteConsent: z._default(z.boolean(), false),
    ...givenVersion,
  }),
  reply: z.extend(health, shownVersion),
})

const allergenList = z.object({ allergens: z.array(z.string()), ...shownVersion })

export const getAllergens = endpoint('GET', '/api/settings/allergens', {
  reply: allergenList,
})

export const foundAllergens = endpoint('GET', '/api/settings/allergens/found', {
  reply: z.object({ found: z.array(z.string()) }),
})

/** Replaces the school's own allergens; standard ones stay. Refused while a removed one is in use. */
export const saveAllergens = endpoint('POST', '/api/settings/allergens', {
  body: listWrite('allergens', z.array(allergen).check(z.maxLength(1000, 'Too many allergens'))),
  reply: allergenList,
})

export const ruleSetting = z.object({ rule: allergyRule })
const shownRule = z.extend(ruleSetting, shownVersion)
export const getAllergyRule = endpoint('GET', '/api/settings/allergy-rule', { reply: shownRule })
export const saveAllergyRule = endpoint('POST', '/api/settings/allergy-rule', {
  body: z.extend(ruleSetting, givenVersion),
  reply: shownRule,
})

const marksOfMeals = z.object({
  rule: allergyRule,
  students: z.array(z.object({ studentId: z.number(), allergies: z.nullable(z.array(z.string())), diet })),
})

export const mealMarks = endpoint('GET', '/api/students/meal-marks', { reply: marksOfMeals })

/** The same of a family, for the office that orders for it; the look is in the history. */
export const familyMealMarks = endpoint('GET', '/api/families/:id/meal-marks', {
  params: idParam,
  reply: marksOfMeals,
})

const dietNameOf: Record<Exclude<Diet, 'none'>, DietName> = {
  vegetarian: 'vegetarian',
  no_pork: 'noPork',
  no_beef: 'noBeef',
  halal: 'halal',
}

/** The diet of a child, as a list that is empty for none, where the kitchen says this of the dish. No word of its name counts. */
const dietsAnswered = (diet: Diet, diets: DishDiets | undefined, answer: 'no' | 'unknown'): DietName[] => {
  if (diet === 'none' || !diets) return []
  const name = dietNameOf[diet]
  return diets[name] === answer ? [name] : []
}

export const dietsMet = (diet: Diet, diets: DishDiets | undefined): DietName[] =>
  dietsAnswered(diet, diets, 'no')

/** What speaks against a meal for one child. */
export type MealConflict = { allergens: readonly string[]; diets: readonly DietName[] }

export const isConflict = ({ allergens, diets }: MealConflict): boolean =>
  allergens.length > 0 || diets.length > 0

export type MealMarks = ReplyOf<typeof mealMarks>

/** Both sides use the names of the school's list; only case may differ. */
const allergensMet = (
  allergies: readonly string[] | null | undefined,
  allergens: readonly string[] | null,
): string[] => {
  const avoided = new Set(allergies?.map((name) => name.toLowerCase()))
  return (allergens ?? []).filter((name) => avoided.has(name.toLowerCase()))
}

type Marked = { id: number; name: string; grade: string }

type Dish = { allergens: readonly string[] | null; diets: DishDiets }

export type MealMark = {
  /** "Contains peanuts – Chipo is allergic"; null where nothing is known against it. */
  conflict: string | null
  /** "Ask the kitchen: halal not stated" */
  unstated: string | null
  /** `block`: cannot be ordered; `warn`: only after confirmation; null: free. */
  rule: MealMarks['rule'] | null
}

const knownOf = (marks: MealMarks | undefined, eaterId: number) =>
  marks?.students.find(({ studentId }) => studentId === eaterId)

/** Nothing while marks are loading. */
export const conflictFor = (marks: MealMarks | undefined, eaterId: number, dish: Dish): MealConflict => {
  const known = knownOf(marks, eaterId)
  if (!known) return { allergens: [], diets: [] }
  return {
    allergens: allergensMet(known.allergies, dish.allergens),
    diets: dietsMet(known.diet, dish.diets),
  }
}

export const markOf = (marks: MealMarks | undefined, eater: Marked, dish: Dish): MealMark => {
  const conflict = conflictFor(marks, eater.id, dish)
  const isMet = marks !== undefined && isConflict(conflict)
  return {
    conflict: isMet ? conflictText(conflict, eater) : null,
    unstated: unstatedText(knownOf(marks, eater.id)?.diet ?? 'none', dish.diets),
    rule: isMet ? marks.rule : null,
  }
}

export const dietWords: Record<DietName, string> = {
  halal: 'halal',
  vegetarian: 'vegetarian',
  noPork: 'no pork',
  noBeef: 'no beef',
}

/** Null where the kitchen stated it, or the child has no diet. */
const unstatedText = (diet: Diet, diets: DishDiets): string | null => {
  const [name] = dietsAnswered(diet, diets, 'unknown')
  return name ? `Ask the kitchen: ${dietWords[name]} not stated` : null
}

/** What a dish with the answer `no` is or has. */
export const againstDiet: Record<DietName, string> = {
  halal: 'not halal',
  vegetarian: 'not vegetarian',
  noPork: 'has pork',
  noBeef: 'has beef',
}

/** "contains peanuts, not halal" */
export const conflictFacts = ({ allergens, diets }: MealConflict): string =>
  [
    ...(allergens.length > 0 ? [`contains ${allergens.join(', ').toLowerCase()}`] : []),
    ...diets.map((name) => againstDiet[name]),
  ].join(', ')

/** "Chipo is allergic and eats halal" */
export const conflictReason = (
  { allergens, diets }: MealConflict,
  { name, grade }: Omit<Marked, 'id'>,
): string => {
  const [who, is, eats] = grade === 'teacher' ? ['you', 'are', 'eat'] : [name, 'is', 'eats']
  const reasons = [
    ...(allergens.length > 0 ? [`${is} allergic`] : []),
    ...diets.map((diet) => `${eats} ${dietWords[diet]}`),
  ]
  return `${who} ${reasons.join(' and ')}`
}

/** "Contains peanuts – Chipo is allergic" */
export const conflictText = (conflict: MealConflict, eater: Omit<Marked, 'id'>): string => {
  const facts = conflictFacts(conflict)
  return `${facts.charAt(0).toUpperCase()}${facts.slice(1)} – ${conflictReason(conflict, eater)}`
}

/** All that speaks against some meals of one child. */
export const allConflicts = (conflicts: readonly MealConflict[]): MealConflict => ({
  allergens: [...new Set(conflicts.flatMap(({ allergens }) => allergens))],
  diets: [...new Set(conflicts.flatMap(({ diets }) => diets))],
})
