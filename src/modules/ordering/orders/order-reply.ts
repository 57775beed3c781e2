import type { CycleOrder } from '#contracts/cycle-orders'
import type { Grade } from '#contracts/identity'
import type { KitchenOrder, Order } from '#contracts/ordering'
import { kwachaFromNgwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { cancellableUntil, cancelRefusal } from '../slot/meal-slot.decide'
import { changesFrom } from './order-batch.decide'
import type { KitchenRow, OrderRow, OwnOrderRow } from './order'

/** Orders as their owner sees them at this instant. Those of one checkout stand together: their times are told once. */
export const ownOrderReplies = (rows: readonly OwnOrderRow[], now: Date): Order[] => {
  let known: Times | null = null
  return rows.map((row) => {
    if (known?.placed !== row.placed_at) known = timesOf(row.placed_at)
    return orderReply(row, now, known)
  })
}

type Times = ReturnType<typeof timesOf>

const timesOf = (placed: OwnOrderRow['placed_at']) => {
  const placedAt = new Date(placed)
  const until = cancellableUntil(placedAt)
  return { placed, placedAt, until, orderDate: placedAt.toISOString(), cancellableUntil: until.toISOString() }
}

/** An order as its owner sees it at this instant. */
export const orderReply = (row: OwnOrderRow, now: Date, times = timesOf(row.placed_at)): Order => ({
  id: row.id,
  orderDate: times.orderDate,
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
  allowed: allowedTo(row.status, times, now),
  cancellableUntil: times.cancellableUntil,
})

/** Relative to the server's clock: that of a phone may be wrong. */
const allowedTo = (status: OrderRow['status'], { placedAt, until }: Times, now: Date): Order['allowed'] =>
  cancelRefusal({ status, placedAt }, now)
    ? { cancel: false }
    : { cancel: true, cancelForMs: until.getTime() - now.getTime() }

/** An order as the kitchen sees it. */
export const kitchenOrderReply = (row: KitchenRow): KitchenOrder => ({
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

/** An order as the cycle history lists it; `startDate` of its cycle, null when nobody knows it. */
export const cycleOrderReply = (row: OrderRow, startDate: SchoolDate | null): CycleOrder => {
  const { category, side_dish: sideDish, item_name: name } = row
  const allowed = changesFrom(row.status)
  return {
    id: row.id,
    orderDate: new Date(row.placed_at).toISOString(),
    student: { name: row.student_name, grade: row.student_grade as Grade },
    menuItem: { id: row.item_id, name },
    cartItems: [{ menuItem: { name }, category, sideDish }],
    cycleId: row.cycle_id,
    cycle: { startDate },
    weekNumber: row.week,
    dayOfWeek: row.day,
    category,
    sideDish,
    comments: row.comments,
    originalPrice: kwachaFromNgwee(row.original_price),
    discountedPrice: kwachaFromNgwee(row.price),
    discountPercentage: row.discount_percentage,
    status: row.status,
    paymentStatus: row.payment_status,
    allowed,
    owedIfCancelled: kwachaFromNgwee(allowed.cancelled && row.payment_status === 'confirmed' ? row.price : 0),
  }
}

const itemOf = (row: Pick<OrderRow, 'item_id' | 'item_name' | 'item_type'>) => ({
  id: row.item_id,
  name: row.item_name,
  type: row.item_type,
})
