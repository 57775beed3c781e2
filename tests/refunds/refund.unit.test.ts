import { Refusal } from '#kernel/refusal'
import { type RefundEvent, owedOf, refundDue, refundWithdrawn } from '#modules/refunds/refund'
import { type PayoutRequest, refundDecider } from '#modules/refunds/refund.decide'
import type { EventStore } from '#platform/event-store/event-store'
import { after, mary, monday7 } from '../ordering/lunches'
import { fold, specificationOf } from '../support/given-when-then'
import { refundOffice } from './refund-office'
import {
  bursar,
  cancelledAt,
  due,
  orderRefund,
  owedForNshima,
  paidBack,
  payoutId,
  withdrawn,
} from './refund-words'

const refund = specificationOf(refundDecider)
const open = { kind: 'open', due: owedForNshima, now: cancelledAt } as const
const withdraw = { kind: 'withdraw', now: after(monday7, 20) } as const
const payBack = (number: number, more: Partial<PayoutRequest> = {}) =>
  ({
    kind: 'pay-back',
    payout: {
      payoutId: payoutId(number),
      amount: null,
      method: 'cash',
      reference: null,
      note: null,
      by: bursar,
      ...more,
    },
    now: after(monday7, 30),
  }) as const

describe('money is owed back', () => {
  test('from when the paid order is cancelled', () => refund.given().when(open).then(due))
  test('once, however often it is asked', () => refund.given(due).when(open).nothingHappens())
  test('again when the reopened order is cancelled again', () =>
    refund.given(due, withdrawn).when(open).then(due))
  test('corrected when it is less or more than was thought', () => {
    const corrected = refundDue({ ...owedForNshima, amount: 2275, at: cancelledAt.toISOString() })
    refund
      .given(due)
      .when({ ...open, due: { ...owedForNshima, amount: 2275 }, now: cancelledAt })
      .then(refundWithdrawn({ refundId: orderRefund, at: cancelledAt.toISOString() }), corrected)
  })
  test('as it stands once a part went back, whatever is thought now', () =>
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when({ ...open, due: { ...owedForNshima, amount: 2275 } })
      .nothingHappens())
  test('no more once it went back', () =>
    refund
      .given(due, paidBack(1, 4550, 0))
      .when(open)
      .nothingHappens())
  test('to what has yet to go back when a part did', () =>
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when(open)
      .nothingHappens())
})

describe('an order that is cooked after all', () => {
  test('is owed nothing', () => refund.given(due).when(withdraw).then(withdrawn))
  test('twice is once', () => refund.given(due, withdrawn).when(withdraw).nothingHappens())
  test('of which nothing was owed changes nothing', () => refund.given().when(withdraw).nothingHappens())
  test('keeps what was paid back on the books', () => {
    refund
      .given(due, paidBack(1, 4550, 0))
      .when(withdraw)
      .nothingHappens()
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when(withdraw)
      .nothingHappens()
  })
})

describe('money goes back', () => {
  test('all of it when no amount is said', () =>
    refund
      .given(due)
      .when(payBack(1))
      .then(paidBack(1, 4550, 0)))

  test('with how, what to find it by, what to know of it, and who', () => {
    const how = { method: 'mobile_money', reference: 'MM-9', note: 'to the mother', by: 6 } as const
    refund
      .given(due)
      .when(payBack(1, how))
      .then(paidBack(1, 4550, 0, how))
  })

  test('in parts', () => {
    refund
      .given(due)
      .when(payBack(1, { amount: 1000 }))
      .then(paidBack(1, 1000, 3550))
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when(payBack(2))
      .then(paidBack(2, 3550, 0))
  })

  test('in 50 parts at most before the last', () => {
    const parts = Array.from({ length: 50 }, (_, turn) => paidBack(turn + 1, 1, 4549 - turn))
    const full = [due, ...parts]
    refund
      .given(...full)
      .when(payBack(51, { amount: 1 }))
      .refused('too_many_payouts')
    refund
      .given(...full)
      .when(payBack(50, { amount: 1 }))
      .nothingHappens()
    refund
      .given(...full)
      .when(payBack(51))
      .then(paidBack(51, 4500, 0))
    refund
      .given(...full.slice(0, -1))
      .when(payBack(50, { amount: 1 }))
      .then(paidBack(50, 1, 4500))
  })

  test('never more than is owed', () => {
    refund
      .given(due)
      .when(payBack(1, { amount: 4551 }))
      .refused('refund_exceeds_due')
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when(payBack(2, { amount: 3551 }))
      .refused('refund_exceeds_due')
  })

  test('once for one request, and a finished refund is finished', () => {
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when(payBack(1, { amount: 1000 }))
      .nothingHappens()
    refund
      .given(due, paidBack(1, 4550, 0))
      .when(payBack(1))
      .nothingHappens()
    refund
      .given(due, paidBack(1, 4550, 0))
      .when(payBack(2))
      .nothingHappens()
  })

  test.each([{ amount: 1 }, { method: 'bank' }, { method: 'credit' }] as const)(
    'in no other way once it went back: %j',
    (more) =>
      refund
        .given(due, paidBack(1, 4550, 0))
        .when(payBack(2, more))
        .refused('refund_paid_back'),
  )

  test.each([{ amount: 999 }, { method: 'bank' }, { reference: 'other' }, { note: 'other' }] as const)(
    'one request cannot be two payments: %j',
    (more) =>
      refund
        .given(due, paidBack(1, 1000, 3550))
        .when(payBack(1, more))
        .refused('idempotency_key_reused'),
  )

  test('only where it is owed', () => {
    refund.given().when(payBack(1)).refused('refund_not_found')
    refund.given(due, withdrawn).when(payBack(1)).refused('refund_withdrawn')
  })
})

test.each<[string, RefundEvent[], string, number]>([
  ['nothing', [], 'none', 0],
  ['due', [due], 'due', 4550],
  ['paid back in part', [due, paidBack(1, 1000, 3550)], 'due', 3550],
  ['paid back', [due, paidBack(1, 1000, 3550), paidBack(2, 3550, 0)], 'paid_back', 0],
  ['withdrawn', [due, withdrawn], 'withdrawn', 0],
  ['due again', [due, withdrawn, due], 'due', 4550],
  ['a withdrawal that came too late', [due, paidBack(1, 4550, 0), withdrawn], 'paid_back', 0],
  ['a payment without a debt', [paidBack(1, 4550, 0)], 'none', 0],
  ['a payment after the withdrawal', [due, withdrawn, paidBack(1, 4550, 0)], 'withdrawn', 0],
])('%s', (_name, events, status, owed) => {
  const folded = fold(refundDecider, events)
  expect([folded.status, owedOf(folded)]).toEqual([status, owed])
})

const [first, second] = ['118.2026-09-15.1', '118.2026-09-15.2']
const refused = (code: string) => expect.objectContaining({ constructor: Refusal, code })

const owing = async (through?: (store: EventStore) => Pick<EventStore, 'read' | 'append'>) => {
  const office = refundOffice(through)
  await office.place(0)
  await office.change(first, 'cancelled')
  await office.settle(first)
  return office
}

const nothing = async () => {}

test('what is owed though nobody proved it waits below any limit, and is unproven as credit', async () => {
  const office = await owing()
  const { ordering, credit } = office.refunds
  const { ordersNow } = ordering
  const proof = 'not on any statement' as const
  ordering.ordersNow = async (ids) => (await ordersNow(ids)).map((order) => ({ ...order, proof }))
  expect(await office.payBack(first)).toMatchObject({
    status: 'due',
    payouts: [],
    asks: { waiting: { amount: 4550 } },
  })
  await office.turnIntoCredit(first)
  const { given } = (await credit.accountOf(mary)).credit()
  expect([...given.values()]).toMatchObject([{ amount: 4550, proof }])
})

describe('an order and what is owed for it', () => {
  test('a cancelled order that was paid for is owed back', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.settle(first)
    expect(await office.refund(first)).toEqual({ status: 'none' })
    await office.change(first, 'cancelled')
    await office.settle(first)
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({
      status: 'due',
      payouts: [],
      due: { orderId: first, amount: 4550, reason: 'order_cancelled', item: { name: 'Nshima with relish' } },
    })
  })

  test('a free one and one that was never paid for are not', async () => {
    const office = refundOffice()
    await office.place(0, 'confirmed', 0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    expect(await office.refund(first)).toEqual({ status: 'none' })
    await office.place(1, 'pending')
    await office.change(second, 'cancelled')
    await office.settle(second)
    expect(await office.refund(second)).toEqual({ status: 'none' })
  })

  test('where money was missing and a person accepted that, no more is owed back than came in', async () => {
    const office = refundOffice()
    office.received.set(0, 4450).set(1, 0)
    await office.place(0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 4450 } })
    await office.place(1)
    await office.change(second, 'cancelled')
    await office.settle(second)
    expect(await office.refund(second)).toEqual({ status: 'none' })
  })

  test('what is no order is owed nothing', async () => {
    const office = refundOffice()
    await office.settle('118.2026-09-15.9')
    expect(await office.refund('118.2026-09-15.9')).toEqual({ status: 'none' })
  })

  test('an order that is cooked after all is owed nothing, and cancelled again it is', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    await office.change(first, 'pending')
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'withdrawn' })
    await office.change(first, 'cancelled')
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due' })
  })

  test('an order that changes while its refund is written is looked at again', async () => {
    let meanwhile: () => Promise<void> = nothing
    const office = refundOffice((store) => ({
      read: store.read,
      append: async (appends) => {
        if (appends.some(({ stream }) => stream === `refund-${first}`)) {
          const now = meanwhile
          meanwhile = nothing
          await now()
        }
        return store.append(appends)
      },
    }))
    await office.place(0)
    await office.change(first, 'cancelled')
    meanwhile = async () => void (await office.change(first, 'pending'))
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'withdrawn' })
  })
})

describe('money goes back', () => {
  test('and the order is refunded, for good', async () => {
    const office = await owing()
    expect(await office.payBack(first)).toMatchObject({ status: 'paid_back', payouts: [{ amount: 4550 }] })
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
    expect(await office.change(first, 'pending')).toEqual(['already_refunded'])
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
  })

  test('in part closes the order too, the rest stays owed', async () => {
    const office = await owing()
    await office.payBack(first, { amount: 1000 }, 'key-1')
    expect(await office.payBack(first, { amount: 1000 }, 'key-1')).toMatchObject({ status: 'due' })
    expect(await office.change(first, 'pending')).toEqual(['refund_under_way'])
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
    await office.settle(first)
    expect(await office.payBack(first)).toMatchObject({
      status: 'paid_back',
      payouts: [
        { amount: 1000, stillOwed: 3550 },
        { amount: 3550, stillOwed: 0 },
      ],
    })
  })

  test('not for an order that was reopened before its refund was withdrawn', async () => {
    const office = await owing()
    await office.change(first, 'pending')
    await expect(office.payBack(first)).rejects.toEqual(refused('not_cancelled'))
    expect(await office.refund(first)).toMatchObject({ status: 'due', payouts: [] })
    await office.settle(first)
    await expect(office.payBack(first)).rejects.toEqual(refused('refund_withdrawn'))
  })

  test('not for what is owed nothing, and a wrong amount leaves the order as it was', async () => {
    const office = await owing()
    await expect(office.payBack(second)).rejects.toEqual(refused('refund_not_found'))
    await expect(office.payBack(first, { amount: 4551 })).rejects.toEqual(refused('refund_exceeds_due'))
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
  })

  test('a crash leaves order and refund as they were, and doing it again completes it', async () => {
    let dies = false
    const office = await owing((store) => ({
      read: store.read,
      append: async (appends) => {
        if (dies && appends.some(({ stream }) => stream.startsWith('refund-'))) throw new Error('crash')
        return store.append(appends)
      },
    }))
    dies = true
    await expect(office.payBack(first, {}, 'key-1')).rejects.toThrow('crash')
    dies = false
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', payouts: [] })
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
    expect(await office.payBack(first, {}, 'key-1')).toMatchObject({ status: 'paid_back' })
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
  })

  test('once when two administrators complete it at once', async () => {
    const office = await owing()
    const both = await Promise.all([office.payBack(first), office.payBack(first)])
    for (const refund of both) expect(refund).toMatchObject({ status: 'paid_back' })
    expect(await office.refund(first)).toMatchObject({ payouts: [{ amount: 4550 }] })
  })
})
