import * as fc from 'fast-check'
import { v5 } from 'uuid'
import type { DomainEvent } from '#kernel/event'
import { creditGiven, creditPaidOut, creditTakenBack } from '#modules/credit/published'
import { lunchOrdered, orderPaymentConfirmed, orderPaymentUndone } from '#modules/ordering/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { anyPlan, historyOf } from '../audit/money-model'
import { recorded } from '../support/recorded-events'

/** What happened at a school, and how it is spread over days. */
export type Story = { plans: Parameters<typeof historyOf>[0]; gaps: number[]; pick: number }

export const anyStory: fc.Arbitrary<Story> = fc.record({
  plans: fc.array(anyPlan, { minLength: 1, maxLength: 6 }),
  /** Hours between one event and the next. */
  gaps: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 5, maxLength: 9 }),
  pick: fc.nat(1000),
})

const namespace = '8d1b1f0e-0000-4000-8000-000000000002'
const idOf = (what: string) => v5(what, namespace)

/**
 * The events of a story, from a few days before a year ends. Every second order that is confirmed is paid by a transfer
 * of a method of its own, now and then with a surplus, and some of these are undone; a family gets a gift, which is
 * partly paid out.
 */
export const eventsOf = ({ plans, gaps, pick }: Story): RecordedEvent[] => {
  const { events } = historyOf(plans)
  const prices = new Map(
    events.flatMap((event) =>
      event.type === lunchOrdered.type
        ? [[dataOf(event).orderId as string, dataOf(event).price as number] as const]
        : [],
    ),
  )
  const refunded = new Set(
    events.flatMap((event) => (event.type === refundDue.type ? [dataOf(event).orderId as string] : [])),
  )
  const told = [
    ...events.flatMap((event, index) => {
      const orderId = dataOf(event).orderId as string
      return event.type === orderPaymentConfirmed.type && index % 2 === 0
        ? transferOf(orderId, prices.get(orderId)!, refunded.has(orderId), pick + index)
        : [event]
    }),
    ...gift(pick),
  ]
  return placed(told, gaps)
}

const dataOf = (event: DomainEvent) => event.data as Record<string, unknown>
const at = '2026-12-15T06:00:00.000Z'
const methods = ['airtel', 'mtn', 'bank', 'cash', 'other'] as const

const transferOf = (orderId: string, amount: number, keeps: boolean, pick: number): DomainEvent[] => {
  const transferId = idOf(`transfer ${orderId}`)
  const surplus = pick % 3 === 0 ? 700 : 0
  const method = methods[pick % methods.length]!
  const common = {
    transferId,
    confirmationId: transferId,
    method,
    by: 1,
    families: [{ userId: 5, orders: [{ orderId, amount }], surplus }],
    at,
  }
  const confirmed = transferConfirmed({
    ...common,
    rowId: null,
    transactionId: null,
    paidAt: null,
    amount: amount + surplus,
    payer: null,
    note: null,
  })
  return [
    confirmed,
    orderPaymentConfirmed({ orderId, transferId, at }),
    ...(keeps || pick % 5 > 1
      ? []
      : [transferUndone(common), orderPaymentUndone({ orderId, transferId, at })]),
  ]
}

const gift = (pick: number): DomainEvent[] => {
  const change = { userId: 5, about: { orderId: null, reference: null }, text: 'Fête', attemptId: null, at }
  const given = { ...change, entryId: 'gift/1', amount: pick + 1, balanceAfter: pick + 1 }
  const payout = { userId: 5, payoutId: idOf('payout'), reference: null, by: 1, balanceAfter: 0, at }
  return [
    creditGiven({ ...given, kind: 'gift' }),
    pick % 2 === 0
      ? creditPaidOut({ ...payout, amount: pick + 1, method: pick % 4 === 0 ? 'cash' : 'given_up' })
      : creditTakenBack({ ...given, balanceAfter: 0 }),
  ]
}

const hourMs = 3_600_000

/** Each event at its own time, under an id of its own; each refund is an act of its own. */
const placed = (events: readonly DomainEvent[], gaps: readonly number[]): RecordedEvent[] => {
  let time = Date.parse('2026-12-20T06:00:00.000Z')
  return events.map((event, index) => {
    time += gaps[index % gaps.length]! * hourMs
    const payoutId = event.type === refundPaidBack.type ? { payoutId: idOf(`back ${index}`) } : {}
    const data = { ...dataOf(event), ...payoutId, at: new Date(time).toISOString() }
    return recorded({ ...event, data } as DomainEvent, {
      id: idOf(`event ${index}`),
      position: String(index + 1).padStart(20, '0'),
      revision: index,
    })
  })
}
