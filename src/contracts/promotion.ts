import * as z from 'zod/mini'
import { endpoint } from './endpoint'

/** A lunch to come that its child could not order again: of the other menu, or of a child that leaves. */
const affectedOrder = z.object({
  orderId: z.string(),
  student: z.string(),
  date: z.string(),
  menuItem: z.string(),
})

/**
 * What a year move does: `students` go one grade up, `leaving` leave after grade 12. `affectedOrders` stand as they are, the next
 * first, at most 500: the office or the family cancels or changes them.
 */
const yearMove = z.object({
  id: z.uuid(),
  students: z.number(),
  leaving: z.number(),
  affectedOrders: z.array(affectedOrder),
})

const promotionParams = z.object({ id: z.uuid() })

/** Works out the year move of every child that is at the school, and changes nothing; `rename` moves classes too, "3B" to "4B". */
export const previewPromotion = endpoint('POST', '/api/roll/promote/preview', {
  body: z.object({ rename: z.boolean() }),
  reply: yearMove,
})

/** Does what was previewed, once: asked again it answers the same. `roll_changed` where it would do anything else. */
export const applyPromotion = endpoint('POST', '/api/roll/promote/:id/apply', {
  params: promotionParams,
  reply: yearMove,
})

/**
 * Takes the last year move back within 7 days, once: `students` are as they were before. `kept` were changed since and stay so.
 * `affectedOrders` as above.
 */
export const undoPromotion = endpoint('POST', '/api/roll/promote/:id/undo', {
  params: promotionParams,
  reply: z.object({
    students: z.number(),
    kept: z.array(z.object({ id: z.number(), student: z.string() })),
    affectedOrders: z.array(affectedOrder),
  }),
})

/** The year move that can still be undone, if there is one: the last that was applied, for 7 days. */
export const lastPromotion = endpoint('GET', '/api/roll/last-promotion', {
  reply: z.object({
    promotion: z.nullable(
      z.object({
        id: z.uuid(),
        appliedAt: z.string(),
        undoUntil: z.string(),
        students: z.number(),
        leaving: z.number(),
      }),
    ),
  }),
})
