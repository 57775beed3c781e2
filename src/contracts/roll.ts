import * as z from 'zod/mini'
import { endpoint, idParam, pageMetadata, rowNumber } from './endpoint'
import { childGrade, heldStudent } from './identity'
import { listQuery } from './list-query'
import { searchText, yesOrNo } from './sorting'

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
