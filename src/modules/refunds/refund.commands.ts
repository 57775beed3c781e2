import { v5, v7 } from 'uuid'
import type { Ngwee } from '#kernel/money'
import {
  advanced,
  commandHandler,
  handleCommand,
  loadStream,
  type By,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import { approvalDecider } from './approval.decide'
import type { OrderFacts, RefundsNeeds } from './needs'
import { countOutflow, type Leaving } from './outflow.commands'
import { refundPaidBack, type Due, type Payout, type Refund, type RefundEvent } from './refund'
import { leavesTheAccount, refundDecider, type PayoutRequest } from './refund.decide'

type StreamNeeds = Pick<RefundsNeeds, 'eventStore' | 'now'>

export type SettleNeeds = StreamNeeds & {
  ordering: Pick<RefundsNeeds['ordering'], 'orderFacts'>
  payments: Pick<RefundsNeeds['payments'], 'paidForLine'>
  credit: Pick<RefundsNeeds['credit'], 'owedAsMoney'>
}

/**
 * Makes what is owed for an order what the order says: a cancelled order that had been paid for is owed back, one that
 * is to be cooked after all is not. May run at any time, twice, and in any order; it looks again after each change, so
 * that an order that changed meanwhile is not left with yesterday's refund.
 */
export const settleRefund = ({ eventStore, now, ordering, payments, credit }: SettleNeeds) => {
  const handle = commandHandler(refundDecider, { eventStore, now })
  return async (orderId: string, by: By): Promise<void> => {
    for (let isSettled = false; !isSettled;) {
      const { events } = await handle(orderId, by, async (refund, at) => {
        const order = await ordering.orderFacts(orderId)
        const due =
          order &&
          isOwed(order) &&
          dueFor(
            order,
            await credit.owedAsMoney(
              order,
              order.paidLater ?? (await payments.paidForLine(order.attemptId, order.line)),
            ),
          )
        return refundDecider.decide(
          due ? { kind: 'open', due, now: at } : { kind: 'withdraw', now: at },
          refund,
        )
      })
      isSettled = events.length === 0
    }
  }
}

/** Nothing is owed for an order that is kept, was free or was never paid for. */
const isOwed = ({ status, paymentStatus, price }: OrderFacts): boolean =>
  (status === 'cancelled' || status === 'refunded') && paymentStatus === 'confirmed' && price > 0

/** The refund of what is owed for it as money. */
const dueFor = (order: OrderFacts, owed: Ngwee): Omit<Due, 'at'> | null =>
  owed === 0
    ? null
    : {
        refundId: order.id,
        orderId: order.id,
        attemptId: order.attemptId,
        part: order.line,
        userId: order.userId,
        amount: owed,
        reason: 'order_cancelled',
        student: { name: order.student.name, grade: order.student.grade },
        item: { name: order.item.name },
        orderedAt: order.placedAt.toISOString(),
      }

export type PayBackNeeds = StreamNeeds &
  Pick<RefundsNeeds, 'waitForViews' | 'zone' | 'refundApprovalAbove'> & {
    ordering: Pick<RefundsNeeds['ordering'], 'markOrderRefunded'>
  }

export type PayBack = {
  refundId: string
  payout: Omit<PayoutRequest, 'payoutId'>
  payoutId: string
  by: By
}

const payoutNamespace = '0c2f7d1e-8a54-4f5b-9d3c-6e1b7a90c4d2'

/** One act of paying back: the same Idempotency-Key names the same one, no key a new one. */
export const payoutIdFor = (refundId: string, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`${refundId}/${idempotencyKey}`, payoutNamespace)

/**
 * Records that money went back; answers the refund as it then is. The order is closed first, so that nobody can reopen it
 * once money left the house: a crash in between leaves the refund owed, to be completed by doing it again. What is
 * above what one administrator may let go is asked for instead, and waits in the refund for another.
 */
export const payBackRefund =
  (needs: PayBackNeeds) =>
  async ({ refundId, payout, payoutId, by }: PayBack): Promise<Refund> => {
    const { refund } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(needs.eventStore, refundDecider, refundId)
      const request = { ...payout, payoutId }
      const events = refundDecider.decide({ kind: 'pay-back', payout: request, now: at }, loaded.state)
      const decided = await letGo(needs, loaded, { request, events, by }, at)
      return { ...decided, refund: advanced(refundDecider, loaded, decided.events).state }
    })
    return refund
  }

type Decided = { request: PayoutRequest; events: RefundEvent[]; by: By }

/** Lets the money go that was decided to go back, or asks for it where that needs another administrator. */
const letGo = async (
  needs: PayBackNeeds,
  loaded: LoadedStream<Refund, RefundEvent>,
  { request, events, by }: Decided,
  at: Date,
): Promise<{ changes: StreamChange[]; events: RefundEvent[] }> => {
  const paid = events.find((event) => event.type === refundPaidBack.type)
  if (!paid || !('due' in loaded.state)) return { changes: [{ loaded, events }], events }
  const { due } = loaded.state
  const { method, amount } = paid.data
  const changes: StreamChange[] = []
  if (leavesTheAccount(method)) {
    const { needsApproval, change } = await countOutflow(needs)(leaving(due, paid.data), at)
    if (needsApproval) {
      const payout = { ...request, method, amount }
      const asked = approvalDecider.decide({ kind: 'ask', payout, toCard: false, now: at }, loaded.state)
      return { changes: [{ loaded, events: asked, idSeed: `ask/${request.payoutId}` }], events: asked }
    }
    changes.push(change)
  }
  if (due.orderId !== null) await needs.ordering.markOrderRefunded(due.orderId, by)
  return { changes: [...changes, { loaded, events, idSeed: request.payoutId }], events }
}

/** What leaves the family's account by this act: never more than is owed, in however many acts. */
export const leaving = (
  { userId, refundId, amount: most }: Due,
  { payoutId: actId, amount }: Pick<Payout, 'payoutId' | 'amount'>,
): Leaving => ({ userId, of: refundId, most, actId, amount })
