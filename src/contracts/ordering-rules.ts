import * as z from 'zod/mini'
import { endpoint } from './endpoint'

const percentMessage = 'Percent must be a whole number from 0 to 100'
const portionsMessage = 'Portions must be a whole number from 0 to 1,000'

/** What families may do with their orders, and how their money goes back then (days-and-changes.md section 6). */
const orderingRules = z.object({
  /** Until when a family may cancel or change an order: for an hour, or until the cutoff of its day too. */
  cancelUntil: z.enum(['hour', 'cutoff']),
  /** How money goes back for what is cancelled after the hour. */
  lateRemedy: z.enum(['credit', 'refund']),
  /** Whether a paid meal of a child who is ill gives credit. */
  absence: z.enum(['none', 'credit']),
  /** How much of the price of such a meal, in percent. */
  absencePercent: z.int(percentMessage).check(z.gte(0, percentMessage), z.lte(100, percentMessage)),
  /** Below how many portions the menu tells how many are left. */
  lowPortions: z.int(portionsMessage).check(z.gte(0, portionsMessage), z.lte(1000, portionsMessage)),
})
export type OrderingRules = z.infer<typeof orderingRules>

export const getOrderingRules = endpoint('GET', '/api/settings/ordering-rules', { reply: orderingRules })

export const saveOrderingRules = endpoint('POST', '/api/settings/ordering-rules', {
  body: orderingRules,
  reply: orderingRules,
})
