import type { Grade } from '#contracts/identity'
import type { KitchenOrder, Order } from '#contracts/ordering'
import { kwachaFromNgwee } from '#kernel/money'
import { cancellableUntil, cancelRefusal } from './meal-slot.decide'
import type { OrderRow } from './order'

/** An order as its owner sees it at this instant. */
export const orderReply = (row: OrderRow, now: Date): Order => {
  const placedAt = new Date(row.placed_at)
  return {
    id: row.id,
    orderDate: placedAt.toISOString(),
    studentId: row.student_id,
    student: { name: row.student_name, grade: row.student_grade as Grade },
    menuItem: itemOf(row),
    cycleId: row.cycle_id,
    weekNumber: row.week,
    dayOfWeek: row.day,
    mealDate: row.meal_date,
    category: row.category,
    sideDish: row.side_dish,
    comments: row.comments,
    originalPrice: kwachaFromNgwee(row.original_price),
    discountedPrice: kwachaFromNgwee(row.price),
    discountPercentage: row.discount_percentage,
    status: row.status,
    paymentStatus: row.payment_status,
    allowed: { cancel: cancelRefusal({ status: row.status, placedAt }, now) === null },
    cancellableUntil: cancellableUntil(placedAt).toISOString(),
  }
}

/** An order as the kitchen sees it: what and when, not whose or for how much. */
export const kitchenOrderReply = (row: OrderRow): KitchenOrder => ({
  id: row.id,
  weekNumber: row.week,
  dayOfWeek: row.day,
  mealDate: row.meal_date,
  menuItem: itemOf(row),
  category: row.category,
  sideDish: row.side_dish,
  comments: row.comments,
  status: row.status,
  paymentStatus: row.payment_status,
  cancelledLate: row.cancelled_late,
})

const itemOf = (row: OrderRow) => ({ id: row.item_id, name: row.item_name, type: row.item_type })
