import * as z from 'zod/mini'
import { endpoint, idParam, type ReplyOf } from './endpoint'

export const diets = ['none', 'vegetarian', 'no_pork', 'no_beef', 'halal'] as const
export const diet = z.enum(diets, 'Choose a diet')
export type Diet = z.infer<typeof diet>

/** `block`: a meal with an allergen of the child is refused. `warn`: a parent may order it all the same. */
export const allergyRule = z.enum(['block', 'warn'], 'Choose what happens')
export type AllergyRule = z.infer<typeof allergyRule>

/** Of the school's list, what stays whatever the school adds. */
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

/** An allergen in one line. */
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

/** What a child, or somebody of the staff, must not eat. `allergies`: null is not declared, none is an empty list. */
const health = z.object({
  allergies: z.nullable(z.array(z.string())),
  diet,
  /** Empty: none. */
  medicalNote: z.string(),
  /** Whether the kitchen may read the note. */
  noteConsent: z.boolean(),
  /** An ISO instant; null when nothing was ever declared. */
  updatedAt: z.nullable(z.string()),
})
export type Health = z.infer<typeof health>

export const getHealth = endpoint('GET', '/api/students/:id/health', { params: idParam, reply: health })

/** The whole record: what is left out is none. Allergies are those of the school's list, in whatever words (`readAllergens`). */
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

/** The school's list: the standard ones, then its own by name. */
export const getAllergens = endpoint('GET', '/api/settings/allergens', {
  reply: z.object({ allergens: z.array(z.string()) }),
})

/** The school's own that came from menu items since the office last saved the list. */
export const foundAllergens = endpoint('GET', '/api/settings/allergens/found', {
  reply: z.object({ found: z.array(z.string()) }),
})

/** Sets the school's own; the standard ones stay, named or not. Refused where a menu item or a child has one that goes. */
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

/**
 * By what meals are marked for those whom this user orders for, at this moment: what they are allergic to (null where
 * nothing was declared), their diet, and what the school's rule is. Never kept by a browser.
 */
export const mealMarks = endpoint('GET', '/api/students/meal-marks', {
  reply: z.object({
    rule: allergyRule,
    students: z.array(z.object({ studentId: z.number(), allergies: z.nullable(z.array(z.string())), diet })),
  }),
})

const pork = ['pork', 'bacon', 'ham', 'gammon', 'salami', 'pepperoni', 'chorizo']
const beef = ['beef', 'steak', 'oxtail', 'veal', 'biltong']
/** Of whatever animal. */
const anyMeat = ['meat', 'mince', 'sausage', 'polony', 'burger', 'liver', 'offal']
const otherMeat = ['chicken', 'turkey', 'duck', 'goat', 'mutton', 'lamb']
const fish = ['fish', 'bream', 'tilapia', 'kapenta', 'tuna', 'hake', 'sardine', 'prawn', 'seafood']
const meatless = ['vegetarian', 'vegan', 'vegetable', 'bean', 'egg', 'cheese', 'soya', 'none']

/** The words at which a family of this diet wants to look twice; a menu does not say how an animal was slaughtered. */
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

/**
 * What to write beside a meal for a child of this diet, e.g. "Check: halal – chicken"; null for nothing, which does not
 * mean that the child may eat it. Judged by its proteins, or by the one that was chosen; by its name where no protein tells
 * what it is (docs/decisions/0034).
 */
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

/** What the children of a family must not eat, and the school's rule. */
export type MealMarks = ReplyOf<typeof mealMarks>

/** Both come from the server under the names of the school's list; only their case may differ. */
const allergensMet = (
  allergies: readonly string[] | null | undefined,
  allergens: readonly string[],
): string[] => {
  const avoided = new Set(allergies?.map((name) => name.toLowerCase()))
  return allergens.filter((name) => avoided.has(name.toLowerCase()))
}

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
