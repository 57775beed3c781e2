import * as z from 'zod/mini'
import { endpoint, idParam, type ReplyOf } from './endpoint'

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

export const getHealth = endpoint('GET', '/api/students/:id/health', { params: idParam, reply: health })

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
  }),
  reply: health,
})

export const getAllergens = endpoint('GET', '/api/settings/allergens', {
  reply: z.object({ allergens: z.array(z.string()) }),
})

export const foundAllergens = endpoint('GET', '/api/settings/allergens/found', {
  reply: z.object({ found: z.array(z.string()) }),
})

/** Replaces the school's own allergens; standard ones stay. Refused while a removed one is in use. */
export const saveAllergens = endpoint('POST', '/api/settings/allergens', {
  body: z.object({ allergens: z.array(allergen).check(z.maxLength(1000, 'Too many allergens')) }),
  reply: z.object({ allergens: z.array(z.string()) }),
})

const ruleSetting = z.object({ rule: allergyRule })
export const getAllergyRule = endpoint('GET', '/api/settings/allergy-rule', { reply: ruleSetting })
export const saveAllergyRule = endpoint('POST', '/api/settings/allergy-rule', {
  body: ruleSetting,
  reply: ruleSetting,
})

export const mealMarks = endpoint('GET', '/api/students/meal-marks', {
  reply: z.object({
    rule: allergyRule,
    students: z.array(z.object({ studentId: z.number(), allergies: z.nullable(z.array(z.string())), diet })),
  }),
})

const pork = ['pork', 'bacon', 'ham', 'gammon', 'salami', 'pepperoni', 'chorizo']
const beef = ['beef', 'steak', 'oxtail', 'veal', 'biltong']
const anyMeat = ['meat', 'mince', 'sausage', 'polony', 'burger', 'liver', 'offal']
const otherMeat = ['chicken', 'turkey', 'duck', 'goat', 'mutton', 'lamb']
const fish = ['fish', 'bream', 'tilapia', 'kapenta', 'tuna', 'hake', 'sardine', 'prawn', 'seafood']
const meatless = ['vegetarian', 'vegan', 'vegetable', 'bean', 'egg', 'cheese', 'soya', 'none']

/** Words that make a family of this diet check; a menu does not say how an animal was slaughtered. */
const askedAbout: Record<Exclude<Diet, 'none'>, ReadonlySet<string>> = {
  vegetarian: new Set([...pork, ...beef, ...anyMeat, ...otherMeat, ...fish]),
  no_pork: new Set([...pork, ...anyMeat]),
  no_beef: new Set([...beef, ...anyMeat]),
  halal: new Set([...pork, ...beef, ...anyMeat, ...otherMeat]),
}
const known = new Set([...pork, ...beef, ...anyMeat, ...otherMeat, ...fish, ...meatless])

const dietNames: Record<Exclude<Diet, 'none'>, string> = {
  vegetarian: 'vegetarian',
  no_pork: 'no pork',
  no_beef: 'no beef',
  halal: 'halal',
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => (known.has(word) ? word : word.replace(/s$/, '')))

const among = (texts: readonly string[], words: ReadonlySet<string>): string[] => [
  ...new Set(texts.flatMap(wordsOf).filter((word) => words.has(word))),
]

/** A hint such as "Check: halal – chicken"; null does not mean the child may eat it (docs/decisions/0034). */
export const dietMark = (
  diet: Diet,
  meal: { name: string; proteins: readonly string[]; protein?: string | null | undefined },
): string | null => {
  if (diet === 'none') return null
  const proteins = meal.protein ? [meal.protein] : meal.proteins
  const judged = among(proteins, known).length > 0 ? proteins : [...proteins, meal.name]
  const found = among(judged, askedAbout[diet])
  return found.length > 0 ? `Check: ${dietNames[diet]} – ${found.join(', ')}` : null
}

export type MealMarks = ReplyOf<typeof mealMarks>

/** Both sides use the names of the school's list; only case may differ. */
const allergensMet = (
  allergies: readonly string[] | null | undefined,
  allergens: readonly string[],
): string[] => {
  const avoided = new Set(allergies?.map((name) => name.toLowerCase()))
  return allergens.filter((name) => avoided.has(name.toLowerCase()))
}

type Marked = { id: number; name: string; grade: string }

type MarkedMeal = { name: string; allergens: readonly string[]; categories: readonly string[] }

export type MealMark = {
  /** "Contains peanuts – Chipo is allergic"; null for no known allergen. */
  allergy: string | null
  diet: string | null
  /** `block`: cannot be ordered; `warn`: only after confirmation; null: free. */
  rule: MealMarks['rule'] | null
}

const unmarked: MealMark = { allergy: null, diet: null, rule: null }

/** Marks a meal for an eater by the chosen protein; empty while marks are loading. */
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
    allergy: met.length > 0 ? `${containsText(met)} – ${allergicText(eater)}` : null,
    diet: dietMark(known.diet, { name, proteins: categories, protein }),
    rule: met.length > 0 ? marks.rule : null,
  }
}

export const containsText = (allergens: readonly string[]): string =>
  `Contains ${allergens.join(', ').toLowerCase()}`

export const allergicText = ({ name, grade }: Omit<Marked, 'id'>): string =>
  grade === 'teacher' ? 'you are allergic' : `${name} is allergic`

export const allergensFor = (
  marks: MealMarks | undefined,
  eaterId: number,
  allergens: readonly string[],
): string[] =>
  allergensMet(marks?.students.find(({ studentId }) => studentId === eaterId)?.allergies, allergens)

export const dietOf = (marks: MealMarks | undefined, eaterId: number): Diet =>
  marks?.students.find(({ studentId }) => studentId === eaterId)?.diet ?? 'none'
