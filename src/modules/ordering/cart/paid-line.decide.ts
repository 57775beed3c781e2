import type { SchoolDate } from '#kernel/school-time'
import type { CycleFacts } from './line-facts'
import type { MealLine } from '#kernel/meal-line'

/** Why a meal that was paid for can no longer be had; the day being somebody else's is asked of its slot. */
export type PaidLineUnavailableReason =
  | 'unknown_student'
  | 'cycle_inactive'
  | 'day_blocked'
  | 'day_past'
  | 'missing_item'
  | 'item_withdrawn'

export type PaidLineFacts = {
  /** Whom the user may order for now. */
  studentIds: ReadonlySet<number>
  activeCycle: CycleFacts | null
  /** The items that exist, archived and unavailable ones too. */
  items: ReadonlyMap<number, { isAvailable: boolean; isArchived: boolean }>
  today: SchoolDate
}

/**
 * The first reason why a paid line can no longer be had; null when it can (payments.md section 8 rules 1, 2 and 14). An
 * item that was withdrawn since comes last: whether it is cooked all the same is for whoever took the money to say.
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
