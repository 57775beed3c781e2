import * as z from 'zod/mini'
import { endpoint, idParam, pageMetadata, rowNumber, listQuery, searchText, yesOrNo } from './endpoint'
import { childGrade, heldStudent } from './identity'

/**
 * A child of the school's roll, or one that its parents entered. `parent` is its first guardian's account, `guardian` what the
 * roll says of whom no account has; `onRoll`: the school's own list has it. `leftAt`: it is no longer at the school.
 */
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
})
export type RollEntry = z.infer<typeof rollEntry>

export const rollSorts = ['name', 'class', 'number'] as const
export type RollSort = (typeof rollSorts)[number]

/**
 * Every child, with an account or not, 50 a page, by name unless asked otherwise; staff entries are none. `text` is found in the
 * name, the admission number and the guardian's names without regard to case; `class` is one of `classes`, or '' for children
 * without one; `left`: those who are no longer at the school, or those who are. A filter that is absent takes all.
 */
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

/** Puts a child on another account: its lunches follow, payments, receipts and refunds stay with who has paid. */
export const moveStudent = endpoint('POST', '/api/students/:id/move', {
  params: idParam,
  body: z.object({ parentId: rowNumber('Choose the account') }),
  reply: heldStudent,
})

/**
 * Makes a child that was entered twice one: `intoId` stays, and has the other's lunches too. `same_date` with `dates` where both
 * have a lunch on one date.
 */
export const mergeStudent = endpoint('POST', '/api/students/:id/merge', {
  params: idParam,
  body: z.object({ intoId: rowNumber('Choose the other child') }),
  reply: heldStudent,
})

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
