import { owedOf, refundDue, refundWithdrawn, type RefundEvent } from '#modules/refunds/refund'
import { refundDecider, type PayoutRequest } from '#modules/refunds/refund.decide'
import { after, monday7 } from '../ordering/lunches'
import { fold, specificationOf } from '../support/given-when-then'
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
