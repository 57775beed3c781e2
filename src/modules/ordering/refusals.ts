import type { LineRefusal } from '#contracts/ordering'
import { Refusal } from '#kernel/refusal'

/** Why something cannot be done to an order that exists. */
export type OrderRefusal =
  | 'order_not_found'
  | 'already_completed'
  | 'already_cancelled'
  | 'already_refunded'
  | 'not_cancelled'
  | 'cancel_window_over'
  | 'slot_taken'
  | 'newer_order'

type DiscountRefusal =
  'no_discount_code' | 'discount_code_taken' | 'discount_code_not_found' | 'discount_user_not_found'

/** Why a day cannot be had; these and a week beyond the cycle are also refused outside of a cart. */
type LineRefusalAlone = 'already_ordered' | 'day_reserved' | 'week_outside_cycle'

type OrderingRefusal = LineRefusalAlone | OrderRefusal | DiscountRefusal | 'lines_refused'

/** Other codes of cart lines stand only inside `lines_refused`. */
export const orderingStatuses = {
  already_ordered: 409,
  day_reserved: 409,
  week_outside_cycle: 422,
  lines_refused: 422,
  order_not_found: 404,
  already_completed: 409,
  already_cancelled: 409,
  already_refunded: 409,
  not_cancelled: 409,
  cancel_window_over: 409,
  slot_taken: 409,
  newer_order: 409,
  no_discount_code: 404,
  discount_code_taken: 409,
  discount_code_not_found: 404,
  discount_user_not_found: 422,
} satisfies Record<OrderingRefusal, number>

const refusalMessages: Record<LineRefusal | Exclude<OrderingRefusal, 'lines_refused'>, string> = {
  student_not_found: 'This student is not on your account',
  no_active_cycle: 'There is no active order cycle',
  week_outside_cycle: 'This week is not part of the active order cycle',
  day_blocked: 'The school is closed on this day',
  day_past: 'This day has passed',
  cutoff_passed: "Today's orders have closed",
  item_missing: 'This meal no longer exists',
  item_archived: 'This meal is no longer on the menu',
  item_unavailable: 'This meal is not available',
  item_not_offered: 'This meal is not offered on this day',
  wrong_menu_for_grade: "This meal is not on the menu for the student's grade",
  protein_required: 'Choose a protein for this meal',
  protein_not_offered: 'This protein is not offered with this meal',
  side_required: 'Choose a side dish for this meal',
  side_not_offered: 'This side dish is not offered with this meal',
  price_changed: 'The price of this meal has changed',
  duplicate_line: 'You already have this day in your cart',
  already_ordered: 'You already have an order for this day',
  day_reserved: 'An order for this day is being paid for',
  order_not_found: 'Order not found',
  already_completed: 'This order is already completed',
  already_cancelled: 'This order is already cancelled',
  already_refunded: 'This order was paid back',
  not_cancelled: 'Only a cancelled order can be refunded',
  cancel_window_over: 'Orders can only be cancelled within 1 hour of placing the order',
  slot_taken: 'There is another order for this student and day',
  newer_order: 'A later order was placed for this student and day',
  no_discount_code: 'You have no discount code',
  discount_code_taken: 'This discount code already exists',
  discount_code_not_found: 'Discount code not found',
  discount_user_not_found: 'Please select a user',
}

export const refusal = (code: Exclude<OrderingRefusal, 'lines_refused'>): Refusal =>
  new Refusal(code, refusalMessages[code])

const conflicts: ReadonlySet<LineRefusal> = new Set(['already_ordered', 'day_reserved'])

/** All lines or none: the whole cart is refused and each refused line says why (DESIGN sections 4 and 7). */
export const linesRefused = (lines: readonly { index: number; code: LineRefusal }[]): Refusal => {
  const told = lines.map(({ index, code }) => ({ index, code, message: refusalMessages[code] }))
  const message = told.length === 1 ? told[0]!.message : `${told.length} meals in your cart cannot be ordered`
  const status = lines.some(({ code }) => conflicts.has(code)) ? 409 : 422
  return new Refusal('lines_refused', message, { extra: { lines: told }, status })
}
