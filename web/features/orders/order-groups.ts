import type { Order } from '#contracts/ordering'

/** The orders of one student, newest first, with what was spent on them. */
export type OrderGroup = {
  studentId: number
  name: string
  grade: string
  orders: Order[]
  /** In kwacha; cancelled and refunded orders cost nothing. */
  spent: number
}

const costs = (order: Order) => order.status === 'pending' || order.status === 'completed'

export const groupOrders = (orders: readonly Order[]): OrderGroup[] => {
  const groups = new Map<number, Order[]>()
  for (const order of orders) groups.set(order.studentId, [...(groups.get(order.studentId) ?? []), order])
  return [...groups].map(([studentId, mine]) => {
    const newestFirst = mine.toSorted((one, other) => other.orderDate.localeCompare(one.orderDate))
    const latest = newestFirst[0]!
    const ngwee = mine.filter(costs).reduce((sum, order) => sum + Math.round(order.discountedPrice * 100), 0)
    return { studentId, ...latest.student, orders: newestFirst, spent: ngwee / 100 }
  })
}
