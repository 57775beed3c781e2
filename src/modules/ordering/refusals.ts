import { cancelRuleOfHour } from '#contracts/cancel-texts'
import type { MealConflict } from '#contracts/health'
import type { LineRefusal } from '#contracts/ordering'
import { Refusal, refusalTable } from '#kernel/refusal'

export const lineMessages: Record<LineRefusal, string> = {
  student_not_found: 'This student is not on your account',
  no_active_cycle: 'There is no active order cycle',
  day_moved: 'This day is no longer on the calendar',
  week_outside_cycle: 'This week is not part of the active order cycle',
  day_blocked: 'The school is closed on this day',
  day_past: 'This day has passed',
  cutoff_passed: "Today's orders have closed",
  item_missing: 'This meal no longer exists',
  item_archived: 'This meal is no longer on the menu',
  item_unavailable: 'This meal is not available',
  item_not_offered: 'This meal is not offered on this day',
  sold_out: 'This meal is sold out on this day',
  wrong_menu_for_grade: "This meal is not on the menu for the student's grade",
  protein_required: 'Choose a protein for this meal',
  protein_not_offered: 'This protein is not offered with this meal',
  side_required: 'Choose a side dish for this meal',
  side_not_offered: 'This side dish is not offered with this meal',
  allergen_conflict: 'This meal contains something that this child is allergic to',
  diet_conflict: 'This meal is against the diet of this child',
  price_changed: 'The price of this meal has changed',
  duplicate_line: 'You already have this day in your cart',
  already_ordered: 'You already have an order for this day',
  day_reserved: 'An order for this day is being paid for',
  too_many_orders: 'This lunch was ordered and cancelled 30 times. Ask the office.',
  credit_gone: 'Your credit no longer covers this meal',
}

const table = refusalTable({
  already_ordered: [409, lineMessages.already_ordered],
  day_reserved: [409, lineMessages.day_reserved],
  sold_out: [409, lineMessages.sold_out],
  week_outside_cycle: [422, lineMessages.week_outside_cycle],
  cutoff_passed: [409, 'The orders of this day have closed'],
  idempotency_key_reused: [409, 'Idempotency key already used for a different request'],
  price_changed: [422, lineMessages.price_changed],
  allergen_conflict: [422, lineMessages.allergen_conflict],
  diet_conflict: [422, lineMessages.diet_conflict],
  no_active_cycle: [422, lineMessages.no_active_cycle],
  day_moved: [422, lineMessages.day_moved],
  student_not_found: [404, lineMessages.student_not_found],
  order_not_found: [404, 'Order not found'],
  already_paid: [409, 'This order is already paid for'],
  already_completed: [409, 'This order is already completed'],
  already_cancelled: [409, 'This order is already cancelled'],
  already_refunded: [409, 'This order was paid back'],
  refund_under_way: [409, 'Money for this order is being paid back'],
  given_as_credit: [409, 'The money for this order is going back as credit'],
  not_cancelled: [409, 'Only a cancelled order can be refunded'],
  absence_too_early: [409, 'This order can still be cancelled'],
  meal_given: [409, 'This lunch was handed out'],
  too_many_changes: [409, 'This order was changed 20 times. Cancel it and order again, or ask the office.'],
  absence_over: [409, 'It is too late to report this child ill'],
  cancel_window_over: [409, cancelRuleOfHour],
  late_order: [409, 'The office ordered this lunch after the cutoff: the kitchen cooks it already'],
  credit_spent: [409, 'The credit that was given for this order has been spent'],
  slot_taken: [409, 'There is another order for this student and day'],
  payer_only: [409, 'Only the person who paid for this lunch can change it to one that costs more'],
  newer_order: [409, 'A later order was placed for this student and day'],
  order_cancelled: [409, 'This order is cancelled'],
  day_not_come: [409, 'The day of this lunch has not come yet'],
  too_old: [409, 'This mark is more than 7 days old, so it was not counted'],
  before_its_day: [409, 'This mark is dated before the day of the lunch, so it was not counted'],
  mark_not_found: [404, 'There is no such mark on this lunch to take back'],
  too_many_marks: [409, 'This lunch has too many marks to take another. Call the office.'],
  marker_not_found: [404, 'There is no user of this name'],
  batch_not_found: [404, 'There is nothing to undo'],
  not_your_batch: [403, 'Only the person who did this can undo it'],
  too_late: [409, 'This can be undone for ten minutes'],
  changed_since: [409, 'This order has changed since'],
  no_discount_code: [404, 'You have no discount code'],
  discount_code_taken: [409, 'This discount code already exists'],
  discount_code_not_found: [404, 'Discount code not found'],
  discount_user_not_found: [422, 'Please select a user'],
  discount_child_wrong: [422, 'Please choose a child of this user'],
})
export const { refusal, denial } = table
export const orderingStatuses = { ...table.statuses, lines_refused: 422 }

const conflicts: ReadonlySet<LineRefusal> = new Set([
  'already_ordered',
  'day_reserved',
  'too_many_orders',
  'sold_out',
])

/** What a reply of a conflict names: both kinds, as one acceptance is of both. */
export const namedIn = (code: string, { allergens, diets }: MealConflict): Partial<MealConflict> => ({
  ...(code === 'allergen_conflict' ? { allergens } : {}),
  ...(code === 'diet_conflict' || (code === 'allergen_conflict' && diets.length > 0) ? { diets } : {}),
})

const noConflict: MealConflict = { allergens: [], diets: [] }

/** `left`: portions with `sold_out`; `message` overrides the code's text. */
export type RefusedLine = {
  index: number
  code: LineRefusal
  left?: number | undefined
  conflict?: MealConflict
  message?: string | undefined
  /** Why the day is closed, with `day_blocked`. */
  reason?: string | undefined
}

/** All or none, with reasons (DESIGN sections 4 and 7). */
export const linesRefused = (lines: readonly RefusedLine[]): Refusal => {
  const refused = lines.map(({ index, code, left = 0, conflict = noConflict, message, reason }) => ({
    index,
    code,
    message: message ?? lineMessages[code],
    ...(reason === undefined ? {} : { reason }),
    ...(code === 'sold_out' ? { left } : {}),
    ...namedIn(code, conflict),
  }))
  const message =
    refused.length === 1 ? refused[0]!.message : `${refused.length} meals in your cart cannot be ordered`
  const status = lines.some(({ code }) => conflicts.has(code)) ? 409 : 422
  return new Refusal('lines_refused', message, { extra: { lines: refused }, status })
}
