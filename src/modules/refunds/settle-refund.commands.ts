import type { Ngwee } from '#kernel/money'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import type { Due } from './refund'
import { refundDecider } from './refund.decide'
import { appendRefund, loadRefund } from './refund-streams.commands'
import type { By, RefundStreamNeeds } from './refund-streams.commands'

/** What refunds knows of an order; `price` is what was to pay. */
export type OrderFacts = {
  id: string
  attemptId: string
  line: number
  userId: number
  student: { name: string; grade: string }
  item: { name: string }
  price: Ngwee
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  paymentStatus: 'confirmed' | 'pending'
  placedAt: Date
}

export type SettleNeeds = RefundStreamNeeds & {
  /** The order as its stream tells it; null when there is none. */
  orderFacts: (orderId: string) => Promise<OrderFacts | null>
  /** What was received for the line of an attempt: its price, or less where a person accepted that money is missing. */
  paidForLine: (attemptId: string, line: number) => Promise<Ngwee>
}

/**
 * Makes what is owed for an order what the order says: a cancelled order that had been paid for is owed back, one that
 * is to be cooked after all is not. May run at any time, twice, and in any order; it looks again after each change, so
 * that an order that changed meanwhile is not left with yesterday's refund.
 */
export const settleRefund =
  (needs: SettleNeeds) =>
  async (orderId: string, by: By): Promise<void> => {
    let changed = true
    while (changed) changed = await retryOnConflict(() => settleOnce(needs, orderId, by))
  }

const settleOnce = async (
  { eventStore, orderFacts, paidForLine, now }: SettleNeeds,
  orderId: string,
  by: By,
): Promise<boolean> => {
  const loaded = await loadRefund(eventStore, orderId)
  const order = await owedOrder(orderFacts, orderId)
  const due = order && dueFor(order, await paidForLine(order.attemptId, order.line))
  const at = now()
  const command = due ? ({ kind: 'open', due, now: at } as const) : ({ kind: 'withdraw', now: at } as const)
  const events = refundDecider.decide(command, loaded.refund)
  await appendRefund(eventStore, loaded, events, { ...by, at })
  return events.length > 0
}

/** The order if money is owed for it; null for one that is kept, was free or was never paid for. */
const owedOrder = async (orderFacts: SettleNeeds['orderFacts'], orderId: string) => {
  const order = await orderFacts(orderId)
  if (!order || order.paymentStatus !== 'confirmed' || order.price === 0) return null
  return order.status === 'cancelled' || order.status === 'refunded' ? order : null
}

/** What is owed for it: never more than was received. */
const dueFor = (order: OrderFacts, received: Ngwee): Omit<Due, 'at'> | null =>
  received === 0
    ? null
    : {
        refundId: order.id,
        orderId: order.id,
        attemptId: order.attemptId,
        part: order.line,
        userId: order.userId,
        amount: Math.min(order.price, received),
        reason: 'order_cancelled',
        student: { name: order.student.name, grade: order.student.grade },
        item: { name: order.item.name },
        orderedAt: order.placedAt.toISOString(),
      }
