import type { Order } from '#contracts/ordering'

/** The orders of one student, newest first, with what was spent on them. */
export type OrderGroup = {
  studentId: number
  name: string
  grade: string
  orders: Order[]
  /** In kwacha, see `spentOn`. */
  spent: number
}

/** The orders by student: children in the order in which they were registered, a staff account after them. */
export const groupOrders = (orders: readonly Order[]): OrderGroup[] => {
  const groups = new Map<number, Order[]>()
  for (const order of orders) {
    const group = groups.get(order.studentId)
    if (group) group.push(order)
    else groups.set(order.studentId, [order])
  }
  return [...groups].map(([studentId, mine]) => groupOf(studentId, mine)).toSorted(byRegistration)
}

const groupOf = (studentId: number, mine: readonly Order[]): OrderGroup => {
  const orders = mine.toSorted(newestFirst)
  return { studentId, ...orders[0]!.student, orders, spent: spentOn(orders) }
}

/**
 * What these orders cost, in kwacha: the price to pay of every pending and completed one, its payment confirmed or still
 * awaited. Cancelled and refunded orders count nothing, nor does one whose payment failed.
 */
export const spentOn = (orders: readonly Order[]): number => {
  const ngwee = orders
    .filter(({ status, paymentStatus }) => counted.has(status) && paymentStatus !== 'failed')
    .reduce((sum, { discountedPrice }) => sum + Math.round(discountedPrice * 100), 0)
  return ngwee / 100
}

const counted: ReadonlySet<Order['status']> = new Set(['pending', 'completed'])

/** By when it was placed; of those placed together the later meal first. */
const newestFirst = (one: Order, other: Order): number =>
  descending(one.orderDate, other.orderDate) ||
  descending(one.mealDate, other.mealDate) ||
  descending(one.id, other.id)

const descending = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0)

const byRegistration = (one: OrderGroup, other: OrderGroup) =>
  Number(one.grade === 'teacher') - Number(other.grade === 'teacher') || one.studentId - other.studentId
