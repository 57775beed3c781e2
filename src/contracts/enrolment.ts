import * as z from 'zod/mini'
import {
  endpoint,
  idParam,
  pageMetadata,
  rowNumber,
  listQuery,
  searchText,
  yesOrNo,
  shownVersion,
} from './endpoint'
import { childGrade, heldStudent } from './identity'

/** `parent` is the first guardian's account; `guardian` is the contact on the roll of a child without an account. */
const rollEntry = z.object({
  id: z.number(),
  name: z.string(),
  grade: childGrade,
  class: z.nullable(z.string()),
  admissionNumber: z.nullable(z.string()),
  parent: z.nullable(z.object({ id: z.number(), username: z.string(), name: z.string() })),
  guardian: z.nullable(
    z.object({ name: z.nullable(z.string()), email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  ),
  onRoll: z.boolean(),
  leftAt: z.nullable(z.string()),
  ...shownVersion,
})
export type RollEntry = z.infer<typeof rollEntry>

export const rollSorts = ['name', 'class', 'number'] as const
export type RollSort = (typeof rollSorts)[number]

/** By name, 50 a page; no staff entries. `text` matches name, admission number and guardians. `class` '' means none. */
export const roll = endpoint('GET', '/api/roll', {
  query: z.object({
    ...listQuery(rollSorts),
    text: z.optional(searchText),
    class: z.optional(z.string().check(z.maxLength(20))),
    claimed: z.optional(yesOrNo),
    left: z.optional(yesOrNo),
  }),
  reply: z.object({ data: z.array(rollEntry), metadata: pageMetadata, classes: z.array(z.string()) }),
})

/** Moves a child to another account with its lunches; payments, receipts and refunds stay with the payer. */
export const moveStudent = endpoint('POST', '/api/students/:id/move', {
  params: idParam,
  body: z.object({ parentId: rowNumber('Choose the account') }),
  reply: heldStudent,
})

/** Merges a duplicate child into `intoId` with its lunches. 409 `same_date` with `dates` where both have a lunch. */
export const mergeStudent = endpoint('POST', '/api/students/:id/merge', {
  params: idParam,
  body: z.object({ intoId: rowNumber('Choose the other child') }),
  reply: heldStudent,
})

/** A future lunch that the child could not order again, because it changes menus or leaves. */
const affectedOrder = z.object({
  orderId: z.string(),
  student: z.string(),
  date: z.string(),
  menuItem: z.string(),
})

/** `students` go up one grade, `leaving` leave after grade 12. `affectedOrders` are not changed; soonest first, at most 500. */
const yearMove = z.object({
  id: z.uuid(),
  students: z.number(),
  leaving: z.number(),
  affectedOrders: z.array(affectedOrder),
})

const promotionParams = z.object({ id: z.uuid() })

/** Changes nothing. `rename` also moves classes, "3B" to "4B". */
export const previewPromotion = endpoint('POST', '/api/roll/promote/preview', {
  body: z.object({ rename: z.boolean() }),
  reply: yearMove,
})

/** Applies a preview; repeatable. 409 `roll_changed` where the result would differ from the preview. */
export const applyPromotion = endpoint('POST', '/api/roll/promote/:id/apply', {
  params: promotionParams,
  reply: yearMove,
})

/** Within 7 days, once. `kept` students were edited since and are left alone. */
export const undoPromotion = endpoint('POST', '/api/roll/promote/:id/undo', {
  params: promotionParams,
  reply: z.object({
    students: z.number(),
    kept: z.array(z.object({ id: z.number(), student: z.string() })),
    affectedOrders: z.array(affectedOrder),
  }),
})

/** The last promotion if it can still be undone (7 days). */
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
