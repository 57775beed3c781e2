import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { grade } from './identity'
import { calendarDay } from './sorting'

const kitchenChange = z.object({
  /** An ISO instant. */
  at: z.string(),
  kind: z.enum(['ordered', 'cancelled', 'changed', 'absent']),
  orderId: z.string(),
  student: z.string(),
  grade,
  /** The name of the class, where children have one. */
  class: z.nullable(z.string()),
  /** What was to be cooked and what is now, in words; null for nothing. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type KitchenChange = z.infer<typeof kitchenChange>

/**
 * What changed for the kitchen on a day, every change by itself, oldest first, at most 5,000: since an instant, else
 * since the last print of that day by anybody, else since its first order. `at` is now by the school's clock.
 */
export const kitchenChanges = endpoint('GET', '/api/kitchen/changes', {
  query: z.object({ date: calendarDay, since: z.optional(z.iso.datetime({ offset: true })) }),
  reply: z.object({ at: z.string(), since: z.string(), changes: z.array(kitchenChange) }),
})

/** The list of a day is about to be printed. */
export const notePrint = endpoint('POST', '/api/kitchen/prints', {
  body: z.object({ date: calendarDay }),
  reply: z.object({ at: z.string() }),
})
