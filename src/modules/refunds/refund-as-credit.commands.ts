import type { Ngwee } from '#kernel/money'
import { refundEntry, type CreditCommand } from '#modules/credit/published'
import type { OrderFactsInStream } from '#modules/ordering/index'
import { originOf } from '#modules/ordering/published'
import {
  advanced,
  loadStream,
  loadStreams,
  type By,
  type StreamChange,
  handleCommand,
} from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import type { RefundsNeeds } from './ports'
import { asCredit, type Payout, type Refund, type RefundAsCredit } from './refund'
import { orderChanges, payoutIdFor } from './refund.commands'
import { refundDecider } from './refund.decide'

const refundAsCredit =
  ({ eventStore }: Ports) =>
  async (refundId: string): Promise<RefundAsCredit | null> =>
    asCredit((await loadStream(eventStore, refundDecider, refundId)).state)

/** The total is fixed once some went back; 0 before. */
export const refundBegun =
  ({ eventStore }: Ports) =>
  async (orderId: string): Promise<Ngwee> => {
    const { state } = await loadStream(eventStore, refundDecider, orderId)
    return 'payouts' in state && state.payouts.length > 0 ? state.due.amount : 0
  }

export const paidBack =
  ({ eventStore }: Ports) =>
  async (
    refundId: string,
    payoutId: string,
  ): Promise<Pick<Payout, 'part' | 'method' | 'reference'> | null> => {
    const { state } = await loadStream(eventStore, refundDecider, refundId)
    const payout = 'payouts' in state ? state.payouts.find((one) => one.payoutId === payoutId) : undefined
    return payout ? { part: payout.part, method: payout.method, reference: payout.reference } : null
  }

export const payoutsOf =
  ({ eventStore }: Ports) =>
  async (refundIds: readonly string[]): Promise<Payout[]> =>
    (await loadStreams(eventStore, refundDecider, [...refundIds])).flatMap(({ state }) =>
      'payouts' in state ? state.payouts : [],
    )

type TurnIntoCredit = { refundId: string; idempotencyKey: string | null; administrator: number; by: By }

/** One append. Throws `refund_not_found`, `refund_withdrawn`, `refund_paid_back` and `idempotency_key_reused`. */
export const turnIntoCredit =
  (needs: RefundsNeeds) =>
  async ({ refundId, idempotencyKey, administrator, by }: TurnIntoCredit): Promise<Refund> => {
    const payoutId = payoutIdFor(refundId, idempotencyKey)
    const payout = {
      payoutId,
      amount: null,
      method: 'credit',
      reference: null,
      note: null,
      by: administrator,
    } as const
    const { refund } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(needs.eventStore, refundDecider, refundId)
      const events = refundDecider.decide({ kind: 'pay-back', payout, now: at }, loaded.state)
      const after = advanced(refundDecider, loaded, events).state
      const closing = events.length > 0 ? await orderChanges(needs, after, at) : []
      const given = asCredit(after)
      const credit = given ? await creditForRefund(needs)(given, at) : []
      return { changes: [...closing, { loaded, events, idSeed: payoutId }, ...credit], refund: after }
    })
    return refund
  }

const gifts = (
  refund: RefundAsCredit,
  { isDayClosed, origin }: { isDayClosed: boolean; origin: ReturnType<typeof originOf> },
  now: Date,
): CreditCommand[] =>
  refund.payouts.map(({ payoutId, amount }) => ({
    kind: 'give',
    entry: {
      userId: refund.userId,
      entryId: refundEntry(payoutId),
      kind: refund.reason === 'overpaid' ? 'overpaid' : isDayClosed ? 'closed' : 'cancelled',
      amount,
      attemptId: refund.attemptId,
      about: { orderId: refund.orderId, reference: null },
      ...origin,
      text:
        refund.reason === 'overpaid'
          ? 'Paid too much'
          : `${refund.item.name} for ${refund.student.name}: ${isDayClosed ? 'the day was closed' : 'refund as credit'}`,
    },
    now,
  }))

/** The day was closed before or after the meal became an order. */
const isOfClosedDay = async (
  { payments }: RefundsNeeds,
  { orderId, attemptId, part }: RefundAsCredit,
  order: OrderFactsInStream | undefined,
): Promise<boolean> => {
  if (orderId !== null) return (order?.closureId ?? null) !== null
  const owed = await payments.owedByAttempt(attemptId)
  return owed.some((one) => one.part === part && one.closure !== undefined)
}

const creditForRefund =
  (needs: RefundsNeeds) =>
  async (refund: RefundAsCredit, at: Date): Promise<StreamChange[]> => {
    const account = await needs.credit.accountOf(refund.userId)
    const [order] = refund.orderId === null ? [] : await needs.ordering.ordersNow([refund.orderId])
    const origin = originOf(order ?? { proof: 'provider', paidBy: null })
    const isDayClosed = await isOfClosedDay(needs, refund, order)
    return gifts(refund, { isDayClosed, origin }, at).map(account.change)
  }

/** Gives credit that a crash left out; repeatable. */
export const settleRefundAsCredit =
  (needs: RefundsNeeds) =>
  async (refundId: string, by: By): Promise<void> => {
    const refund = await refundAsCredit(needs)(refundId)
    if (!refund) return
    await handleCommand(needs, by, async (at) => ({
      changes: await creditForRefund(needs)(refund, at),
    }))
  }
