import * as z from 'zod/mini'
import { nonEmpty } from './endpoint'

const portionsMessage = 'Portions are a whole number from 1 to 100,000'
export const portionLimit = z
  .int(portionsMessage)
  .check(z.gte(1, portionsMessage), z.lte(100_000, portionsMessage))

/** A dish can ask to be ordered so many school days before its date's own cutoff. */
export const maxLeadDays = 5
const leadMessage = `Lead days are a whole number from 0 to ${maxLeadDays}`
export const leadDays = z.int(leadMessage).check(z.gte(0, leadMessage), z.lte(maxLeadDays, leadMessage))

export const ingredientUnits = ['g', 'ml', 'piece'] as const
const told = 'Give a name of up to 40 characters, and amounts from 0 to 10,000'
const amount = z.number(told).check(z.gte(0, told), z.lte(10_000, told))

/** Amounts of a portion of an item of each type. */
export const ingredients = z
  .array(
    z.strictObject({
      name: nonEmpty(told).check(z.maxLength(40, told)),
      unit: z.enum(ingredientUnits, told),
      primary: amount,
      secondary: amount,
    }),
  )
  .check(z.maxLength(12, 'At most 12 ingredients'))
export type Ingredient = z.infer<typeof ingredients>[number]
