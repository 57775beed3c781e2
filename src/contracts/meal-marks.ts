import * as z from 'zod/mini'
import { allergenKey, allergyRule, diet } from './eating'
import { endpoint } from './endpoint'

/** Of a meal's allergens, as the menu writes them, those that a child is allergic to; names without regard to case. */
export const allergensMet = (
  allergies: readonly string[] | null | undefined,
  allergens: readonly string[] | undefined,
): string[] => {
  if (!allergies?.length || !allergens?.length) return []
  const avoided = new Set(allergies.map(allergenKey))
  return allergens.filter((name) => avoided.has(allergenKey(name)))
}

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
