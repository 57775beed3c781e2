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
  { eventStore, orderFacts, now }: SettleNeeds,
  orderId: string,
  by: By,
): Promise<boolean> => {
  const loaded = await loadRefund(eventStore, orderId)
  const due = dueFor(await orderFacts(orderId))
  const at = now()
  const command = due ? ({ kind: 'open', due, now: at } as const) : ({ kind: 'withdraw', now: at } as const)
  const events = refundDecider.decide(command, loaded.refund)
  await appendRefund(eventStore, loaded, events, { ...by, at })
  return events.length > 0
}

/** What an order is owed back; null for one that is kept, was free or was never paid for. */
const dueFor = (order: OrderFacts | null): Omit<Due, 'at'> | null => {
  if (!order || order.paymentStatus !== 'confirmed' || order.price === 0) return null
  if (order.status !== 'cancelled' && order.status !== 'refunded') return null
  return {
    refundId: order.id,
    orderId: order.id,
    attemptId: order.attemptId,
    part: order.line,
    userId: order.userId,
    amount: order.price,
    reason: 'order_cancelled',
    student: { name: order.student.name, grade: order.student.grade },
    item: { name: order.item.name },
    orderedAt: order.placedAt.toISOString(),
  }
}
