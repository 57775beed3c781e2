import { v5, v7 } from 'uuid'
import { isUnproven, type Ngwee, type Proof } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { Leaving } from '#modules/credit/published'
import type { OrderFactsInStream, RefundStep } from '#modules/ordering/index'
import { owedForOrder, type OrderMoney } from '#modules/ordering/published'
import {
  advanced,
  commandHandler,
  loadStream,
  loadStreams,
  type By,
  type LoadedStream,
  type StreamChange,
  handleCommand,
} from '#platform/event-store/command-handler'
import { limitConcurrency } from '#platform/pacing'
import { isUnderWay } from './card-refund'
import type { RefundsNeeds } from './ports'
import {
  evolve,
  refundPaidBack,
  type Due,
  type Payout,
  type Refund,
  type RefundEvent,
  isAskedAs,
} from './refund'
import { approvalDecider, isCashOut, refundDecider, type PayoutRequest } from './refund.decide'
import { dueOfAttempt } from './refunds.rows'
import { approvalTied, refusal } from './refusals'

/** Cancelled and paid is owed, active is not. Repeatable in any order; checks again after each change. */
export const settleRefund = (needs: RefundsNeeds) => {
  const { eventStore, ordering, payments } = needs
  const handle = commandHandler(refundDecider, needs)
  return async (orderId: string, by: By): Promise<void> => {
    for (let isSettled = false; !isSettled;) {
      let order: OrderFactsInStream | undefined
      const { events, state } = await handle(orderId, by, async (refund, at) => {
        ;[order] = await ordering.ordersNow([orderId])
        const due =
          order &&
          isOwed(order) &&
          dueFor(
            order,
            await owedAsMoney(needs)(
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
      if (isSettled && order && isMarkedWrong(order, state))
        await handleCommand(needs, by, async (at) => {
          const refund = await loadStream(eventStore, refundDecider, orderId)
          return { changes: await orderChanges(needs, refund.state, at) }
        })
    }
  }
}

const isMarkedWrong = ({ status }: OrderFactsInStream, refund: Refund): boolean =>
  (status === 'refunded' && refund.status === 'due') ||
  (status === 'cancelled' && refund.status === 'paid_back')

const isOwed = ({ status, paymentStatus, price }: OrderFactsInStream): boolean =>
  (status === 'cancelled' || status === 'refunded') && paymentStatus === 'confirmed' && price > 0

const dueFor = (order: OrderFactsInStream, owed: Ngwee): Omit<Due, 'at'> | null =>
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

export type PayBack = {
  refundId: string
  payout: Omit<PayoutRequest, 'payoutId'>
  payoutId: string
  by: By
}

const payoutNamespace = '0c2f7d1e-8a54-4f5b-9d3c-6e1b7a90c4d2'

/** Derived from the Idempotency-Key; without one a new id. */
export const payoutIdFor = (refundId: string, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`${refundId}/${idempotencyKey}`, payoutNamespace)

/** Closes the order in the same append, so that it cannot reopen. Above one administrator's limit it becomes a request. */
export const payBackRefund =
  (needs: RefundsNeeds) =>
  async ({ refundId, payout, payoutId, by }: PayBack): Promise<Refund> => {
    const { refund } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(needs.eventStore, refundDecider, refundId)
      const request = { ...payout, payoutId }
      const events = refundDecider.decide({ kind: 'pay-back', payout: request, now: at }, loaded.state)
      const decided = await releaseOrRequestApproval(needs, loaded, { request, events }, at)
      return { ...decided, refund: advanced(refundDecider, loaded, decided.events).state }
    })
    return refund
  }

type Decided = { request: PayoutRequest; events: RefundEvent[] }

const releaseOrRequestApproval = async (
  needs: RefundsNeeds,
  loaded: LoadedStream<Refund, RefundEvent>,
  { request, events }: Decided,
  at: Date,
): Promise<{ changes: StreamChange[]; events: RefundEvent[] }> => {
  const paid = events.find((event) => event.type === refundPaidBack.type)
  if (!paid || !('due' in loaded.state)) return { changes: [{ loaded, events }], events }
  const { due } = loaded.state
  const { method, amount } = paid.data
  const changes: StreamChange[] = []
  if (isCashOut(method)) {
    const counted = { ...leaving(due, paid.data), by: request.by }
    const { needsApproval, changes: counts } = await needs.credit.countOutflow([counted], at)
    if (needsApproval || isUnproven(await proofOfDue(needs, due))) {
      const payout = { ...request, method, amount }
      const asked = approvalDecider.decide({ kind: 'ask', payout, toCard: false, now: at }, loaded.state)
      return { changes: [{ loaded, events: asked, idSeed: `ask/${request.payoutId}` }], events: asked }
    }
    changes.push(...counts)
  }
  changes.push(...(await orderChanges(needs, events.reduce(evolve, loaded.state), at)))
  return { changes: [...changes, { loaded, events, idSeed: request.payoutId }], events }
}

/** What never became an order was paid through the provider. */
export const proofOfDue = async (
  { ordering }: RefundsNeeds,
  { orderId }: Pick<Due, 'orderId'>,
): Promise<Proof> => {
  const [order] = orderId === null ? [] : await ordering.ordersNow([orderId])
  return order?.proof ?? 'provider'
}

/** Changes to the order, appended first so that a refunded order cannot reopen. */
export const orderChanges = async (
  { ordering }: RefundsNeeds,
  refund: Refund,
  at: Date,
): Promise<StreamChange[]> => {
  if (!('payouts' in refund) || refund.due.orderId === null) return []
  return [await ordering.refundStep(refund.due.orderId, orderStepOf(refund), at)]
}

const orderStepOf = ({ status, payouts, card }: Extract<Refund, { payouts: unknown }>): RefundStep => {
  if (status === 'paid_back') return 'refund'
  return payouts.length > 0 || isUnderWay(card) ? 'begin-refund' : 'fail-refund'
}

export const leaving = (
  { userId, refundId, amount: most }: Due,
  { payoutId: actId, amount }: Pick<Payout, 'payoutId' | 'amount'>,
): Leaving => ({ userId, kind: 'payout', of: refundId, most, actId, amount })

/** Throws `approval_asker_gone` when the asker lost the right, `approval_own` when both may be one person. */
export const needTwoPersons = async (
  { identity }: RefundsNeeds,
  asker: number,
  approver: number,
): Promise<void> => {
  if (!(await identity.holdsFeature(asker, 'refunds'))) throw refusal('approval_asker_gone')
  if ((await identity.tiedTo(approver, [asker])).has(asker)) throw approvalTied()
}

type Judged = { refundId: string; administrator: number; by: By }

/** Of a mobile payment all rows were asked for together, and are withdrawn so. */
export const withdrawAsked =
  (needs: RefundsNeeds) =>
  async ({ refundId, administrator, by }: Judged): Promise<Refund> => {
    const { refund } = await handleCommand(needs, by, async (now) => {
      const withdraw = { kind: 'withdraw-ask', by: administrator, now } as const
      const loaded = await loadStream(needs.eventStore, approvalDecider, refundId)
      const others = await askedTogether(needs, loaded.state)
      const changes = [loaded, ...others].map((one) => ({
        loaded: one,
        events: approvalDecider.decide(withdraw, one.state),
      }))
      return { changes, refund: advanced(approvalDecider, loaded, changes[0]!.events).state }
    })
    return refund
  }

const isToCard = (one: Refund) => 'asks' in one && one.asks.waiting?.toCard === true

const askedTogether = async ({ database, eventStore }: RefundsNeeds, refund: Refund) => {
  if (!('due' in refund) || !isToCard(refund)) return []
  const { attemptId, refundId } = refund.due
  const ids = (await dueOfAttempt(database.knex, attemptId)).filter((id) => id !== refundId)
  return (await loadStreams(eventStore, approvalDecider, ids)).filter(({ state }) => isToCard(state))
}

const owedAsMoney =
  ({ credit }: RefundsNeeds) =>
  async (order: OrderMoney & { userId: number }, received: Ngwee): Promise<Ngwee> =>
    owedForOrder(order, received, (await credit.accountOf(order.userId)).credit()).money

type PayBackMany = {
  refundIds: readonly string[]
  payout: Omit<PayoutRequest, 'payoutId' | 'amount'>
  idempotencyKey: string | null
  by: By
}

type Skipped = { id: string; code: string; message: string }

const atOnce = 8

/** Records full payment of many refunds; others are skipped with a reason. Idempotent by key and refunds. */
export const payBackMany =
  (needs: RefundsNeeds) =>
  async ({ refundIds, payout, idempotencyKey, by }: PayBackMany) => {
    const ids = [...new Set(refundIds)]
    const inTurn = limitConcurrency(atOnce)
    const payBack = async (refundId: string): Promise<Ngwee | Skipped> => {
      const payoutId = payoutIdFor(refundId, idempotencyKey)
      try {
        const asked = { refundId, payoutId, payout: { ...payout, amount: null }, by }
        const refund = await payBackRefund(needs)(asked)
        if (isAskedAs(refund, payoutId)) throw refusal('approval')
        const done = 'payouts' in refund ? refund.payouts.find((one) => one.payoutId === payoutId) : undefined
        if (!done) throw refusal('refund_paid_back')
        return done.amount
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === 'idempotency_key_reused') throw error
        return { id: refundId, code: error.code, message: error.message }
      }
    }
    const settled = await Promise.allSettled(ids.map((id) => inTurn(() => payBack(id))))
    const answers = settled.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
    const amounts = answers.filter((answer): answer is Ngwee => typeof answer === 'number')
    return {
      completed: amounts.length,
      amount: amounts.reduce((sum, amount) => sum + amount, 0),
      skipped: answers.filter((answer): answer is Skipped => typeof answer !== 'number'),
    }
  }
