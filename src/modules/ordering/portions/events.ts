import { z } from 'zod'
import { eventType } from '#kernel/event'
import { rowId } from '#kernel/id'
import { mealLine } from '#kernel/meal-line'

const at = z.iso.datetime()
const portion = {
  menuItemId: rowId,
  date: mealLine.shape.mealDate,
  studentId: rowId,
  attemptId: z.uuid(),
  at,
}

/** A checkout holds a portion of a limited item for a student until `until`. */
export const portionReserved = eventType(
  'ordering.portion-reserved.v1',
  z.strictObject({ ...portion, until: at }),
)
/** A portion of a limited item belongs to an order of a student. */
export const portionOrdered = eventType('ordering.portion-ordered.v1', z.strictObject(portion))
/** A portion of a limited item can be ordered again. */
export const portionReleased = eventType('ordering.portion-released.v1', z.strictObject(portion))
