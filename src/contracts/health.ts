import * as z from 'zod/mini'
import { allergyRule, diet } from './eating'
import { endpoint, idParam } from './endpoint'

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

export const mostOwnAllergens = 20
const longestAllergen = 80
export const longestMedicalNote = 200

/** An allergen in one line. */
const allergen = z.string().check(
  z.trim(),
  z.minLength(1, 'An allergen has a name'),
  z.maxLength(longestAllergen, `An allergen has at most ${longestAllergen} characters`),
  z.refine((name) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(name), 'An allergen is written in one line'),
)

const medicalNote = z
  .string()
  .check(
    z.trim(),
    z.maxLength(longestMedicalNote, `The note can have at most ${longestMedicalNote} characters`),
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

/** The whole record: what is left out is none. Allergies are those of the school's list. */
export const saveHealth = endpoint('PUT', '/api/students/:id/health', {
  params: idParam,
  body: z.object({
    allergies: z.nullable(
      z.array(allergen).check(z.maxLength(standardAllergens.length + mostOwnAllergens, 'Too many allergies')),
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
