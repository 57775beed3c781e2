import type { SchoolDate } from '#kernel/school-time'
import type { CycleFacts } from './line-facts'
import type { MealLine } from '#kernel/meal-line'

/** Why a paid meal cannot be had; slot conflicts are checked by the slot. */
export type PaidLineUnavailableReason =
  | 'unknown_student'
  | 'cycle_inactive'
  | 'day_blocked'
  | 'day_past'
  | 'missing_item'
  | 'item_withdrawn'

export type PaidLineFacts = {
  /** Students the user may order for. */
  studentIds: ReadonlySet<number>
  activeCycle: CycleFacts | null
  /** Existing items, also archived and unavailable ones. */
  items: ReadonlyMap<number, { isAvailable: boolean; isArchived: boolean }>
  today: SchoolDate
}

/**
 * Null when it can be had (payments.md section 8 rules 1, 2 and 14). A withdrawn item comes last: whoever took the money decides whether it
 * is cooked.
 */
export const paidLineUnavailableReason = (
  { slot, item, mealDate }: MealLine,
  { studentIds, activeCycle, items, today }: PaidLineFacts,
): PaidLineUnavailableReason | null => {
  if (!studentIds.has(slot.studentId)) return 'unknown_student'
  if (activeCycle?.id !== slot.cycleId) return 'cycle_inactive'
  if (activeCycle.blockedDays.some(({ week, day }) => week === slot.week && day === slot.day))
    return 'day_blocked'
  if (mealDate < today) return 'day_past'
  const offer = items.get(item.id)
  if (!offer) return 'missing_item'
  return offer.isAvailable && !offer.isArchived ? null : 'item_withdrawn'
}
