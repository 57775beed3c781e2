import * as z from 'zod/mini'

export const diets = ['none', 'vegetarian', 'no_pork', 'no_beef', 'halal'] as const
export const diet = z.enum(diets, 'Choose a diet')
export type Diet = z.infer<typeof diet>

/** `block`: a meal with an allergen of the child is refused. `warn`: a parent may order it all the same. */
export const allergyRule = z.enum(['block', 'warn'], 'Choose what happens')
export type AllergyRule = z.infer<typeof allergyRule>

/** Allergens with the same key are the same: names compare without regard to case. */
export const allergenKey = (name: string): string => name.trim().toLowerCase()
