import { z } from 'zod'
import { markKinds } from '#contracts/serving'
import { eventType } from '#kernel/event'
import { orderId, rowId } from '#kernel/id'

const markId = z.uuid()

/** `at` is arrival; `userId` owns the order. */
const told = z.strictObject({
  orderId,
  userId: rowId,
  markId,
  by: rowId,
  note: z.string().nullable(),
  deviceAt: z.iso.datetime(),
  at: z.iso.datetime(),
})

/** The lunch was given out at the hatch. */
export const lunchGiven = eventType('ordering.lunch-given.v1', told)
/** The hatch says that the child did not come for the lunch. */
export const absentAtHatch = eventType('ordering.absent-at-hatch.v1', told)
/** The hatch says that something is wrong with the lunch; `note` says what. */
export const problemAtHatch = eventType('ordering.problem-at-hatch.v1', told)
/** The mark `undoes` does not count any more. */
export const markUndone = eventType(
  'ordering.mark-undone.v1',
  z.strictObject({ ...told.shape, undoes: markId }),
)
/** A mark that changed nothing: `result` was answered to it, with the mark that stood (`other`). */
export const markNotKept = eventType(
  'ordering.mark-not-kept.v1',
  z.strictObject({
    ...told.shape,
    kind: z.enum([...markKinds, 'undone']),
    undoes: markId.nullable(),
    result: z.enum(['already', 'conflict']),
    other: z
      .strictObject({ markId, kind: z.enum(markKinds), by: rowId, deviceAt: z.iso.datetime() })
      .nullable(),
  }),
)
