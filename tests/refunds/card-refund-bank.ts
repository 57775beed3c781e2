import { countPayout } from '#modules/credit/count-payout.commands'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import type { CardRefunder, ReportedRefund } from '#modules/refunds/card-refund'
import { requestCardRefund } from '#modules/refunds/card-refund.commands'
import { recordCardRefundOutcome } from '#modules/refunds/card-refund.routes'
import { followCardRefund } from '#modules/refunds/follow-card-refunds.commands'
import { refundDue, type Due } from '#modules/refunds/refund'
import { payBackRefund } from '#modules/refunds/refund.commands'
import { refundDecider } from '#modules/refunds/refund.decide'
import { approveAsked } from '#modules/refunds/refunds.routes'
import { loadStream, stampEvents } from '#platform/event-store/command-handler'
import { noStream, type EventStore } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { attempt, monday7, tuesdayLunch } from '../ordering/lunches'
import { heardLog } from '../support/captured-log'
import { standIn } from '../support/stand-ins'
import { requestId, bursar, cancelledAt, owedForNshima } from './refund-words'

type Answer = Awaited<ReturnType<CardRefunder['refund']>>
type List = Awaited<ReturnType<CardRefunder['verifyRefund']>>

type Provider = CardRefunder & {
  asked: { amount: number; refundRef: string }[]
  books: ReportedRefund[]
  carryOut: ReportedRefund['status'] | null
  answer: Answer
  list: List | null
  /** Runs when it is asked to refund, before it answers. */
  meanwhile: () => Promise<void>
}

export const timeout = { kind: 'unreachable', why: 'timeout', detail: null } as const
const by = { actor: 'user:5', correlationId: 'request-1' }

/**
 * The refunds of one card payment of K100.00 over an event store in memory, and the card provider's books: `carryOut` says
 * what it does when it is asked, `answer` what it says then. `through` changes the store.
 */
export const cardRefundBank = (
  through: (store: EventStore) => Pick<EventStore, 'read' | 'append'> = (store) => store,
) => {
  const store = memoryEventStore()
  const eventStore = through(store)
  const clock = { now: cancelledAt }
  const provider: Provider = {
    asked: [],
    books: [],
    carryOut: 'done',
    answer: { kind: 'accepted' },
    list: null,
    meanwhile: async () => {},
    refund: async ({ amount, refundRef }) => {
      provider.asked.push({ amount, refundRef })
      if (provider.carryOut) provider.books.push({ status: provider.carryOut, amount })
      await provider.meanwhile()
      return provider.answer
    },
    verifyRefund: async () => provider.list ?? { kind: 'reported', refunds: [...provider.books] },
  }
  const school = {
    isOn: true,
    byCard: true,
    received: 10_000,
    closed: [] as string[],
    wentBack: 0,
    approvalAbove: null as number | null,
    /** Administrators who may be the same person as any other. */
    tied: new Set<number>(),
  }
  const log = heardLog()
  const needs = {
    eventStore,
    now: () => clock.now,
    viewsInclude: async () => {},
    log,
    cards: provider,
    cardRefundsOn: async () => school.isOn,
    zone: 'Africa/Lusaka',
    refundApprovalAbove: async () => school.approvalAbove,
    identity: {
      holdsFeature: async () => true,
      tiedTo: async () => school.tied,
      usernamesOf: async () => new Map(),
      peopleOf: async () => new Map(),
    },
    messaging: { messageUser: async () => true },
    credit: {
      countOutflow: countPayout(
        standIn({ eventStore, zone: 'Africa/Lusaka', refundApprovalAbove: async () => school.approvalAbove }),
      ),
    },
    ordering: {
      ordersNow: async () => [],
      refundStep: async (orderId: string, step: string) => {
        if (step === 'refund') school.closed.push(orderId)
        return { loaded: await loadStream(eventStore, mealSlot, tuesdayLunch), events: [] }
      },
    },
    payments: {
      cardPayments: async () =>
        new Map(
          school.byCard
            ? [[attempt, { token: 'TOKEN', ref: 'R1', received: school.received, method: 'card' as const }]]
            : [],
        ),
    },
    wentBackOf: async () => school.wentBack,
  }
  return {
    store,
    clock,
    provider,
    school,
    log,
    /** Money of the payment is owed for this order, cancelled on Monday. */
    owe: async (refundId: string, amount = 4550) => {
      const due: Due = { ...owedForNshima, refundId, orderId: refundId, amount, at: monday7.toISOString() }
      const events = stampEvents([refundDue(due)], { ...by, at: monday7 })
      await store.append([{ stream: refundDecider.streamOf(refundId), expectedRevision: noStream, events }])
    },
    ask: (refundId: string, number = 1) =>
      requestCardRefund(standIn(needs))({
        refundId,
        requestId: requestId(number),
        administrator: bursar,
        by,
      }),
    approve: (refundId: string, administrator: number) =>
      approveAsked(standIn(needs))({ refundId, administrator, seenAt: null, by }),
    follow: (refundId: string) => followCardRefund(standIn(needs))(refundId, by),
    say: (refundId: string, outcome: 'done' | 'failed') =>
      recordCardRefundOutcome(standIn(needs))({ refundId, outcome, note: null, administrator: bursar, by }),
    inCash: (refundId: string) =>
      payBackRefund(standIn(needs))({
        refundId,
        payout: { amount: null, method: 'cash', reference: null, note: null, by: bursar },
        payoutId: requestId(9),
        by,
      }),
    refund: async (refundId: string) => (await loadStream(store, refundDecider, refundId)).state,
  }
}
