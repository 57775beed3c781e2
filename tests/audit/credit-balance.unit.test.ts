import { creditFaults } from '#modules/audit/checks/balance.decide'
import { balanceText } from '#modules/audit/checks/audit-report'
import {
  creditCharged,
  creditGiven,
  creditHeld,
  creditSpent,
  creditTakenBack,
  type GivenKind,
} from '#modules/credit/family-credit'
import { checkoutStarted, ordersCreated, paymentVerified } from '#modules/payments/published'
import { lunchOrdered, orderCancelled, orderChanged, orderReopened } from '#modules/ordering/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import type { DomainEvent } from '#kernel/event'
import { audited, changed } from './auditing'
import { attemptId, line, orderId, sample } from './sample-events'

/** A stew for K45.00 of which credit paid K15.00, and a card the rest. */
const partly = { ...line, credit: 1500 }
const byCredit = { index: 0, amount: 1500 }
const at = '2026-09-15T06:00:00.000Z'
const family = { userId: 21, about: { orderId, reference: null }, text: 'Stew', at }
const gift = creditGiven({
  ...family,
  entryId: 'gift/1',
  kind: 'gift',
  attemptId: null,
  amount: 1500,
  about: { orderId: null, reference: null },
  balanceAfter: 1500,
})
const held = creditHeld({ ...family, attemptId, lines: [byCredit], amount: 1500, balanceAfter: 0 })
const spent = creditSpent({ userId: 21, attemptId, lines: [byCredit], amount: 1500, at })
const ordered = changed(sample(lunchOrdered.type), { credit: 1500 })
const placed: DomainEvent[] = [
  gift,
  changed(sample(checkoutStarted.type), { lines: [partly] }),
  held,
  changed(sample(paymentVerified.type), { fee: 0, amount: 3000 }),
  ordered,
  sample(ordersCreated.type),
  spent,
]
const given = (entryId: string, kind: GivenKind, amount: number) =>
  creditGiven({ ...family, entryId, kind, attemptId, amount, balanceAfter: amount })
const cancelled = (remedy: 'refund' | 'credit') => changed(sample(orderCancelled.type), { remedy })
const due = (amount: number) => changed(sample(refundDue.type), { amount })
const forOrder = `order/${orderId}/1`
const { item, category, sideDish, comments, originalPrice, price, discountPercentage } = line
const old = { item, category, sideDish, comments, originalPrice, price, discountPercentage }
const toPrice = (to: number) =>
  orderChanged({ orderId, changeId: attemptId, by: 'parent', meal: { ...old, price: to }, old, at })

const balanceOf = (...events: DomainEvent[]) =>
  audited([...placed, ...events]).find((one) => one.attemptId === attemptId)!

test.each<[string, DomainEvent[], object]>([
  ['ordered: kept', [], { paidIn: 3000, creditSpent: 1500, kept: 4500 }],
  [
    'cancelled: the money is owed, the credit given',
    [cancelled('refund'), due(3000), given(forOrder, 'cancelled', 1500)],
    { kept: 0, due: 3000, creditGiven: 1500 },
  ],
  [
    'cancelled as credit: all of it given',
    [cancelled('credit'), given(forOrder, 'cancelled', 4500)],
    { creditGiven: 4500 },
  ],
  [
    'placed again: taken back, and kept',
    [
      cancelled('credit'),
      given(forOrder, 'cancelled', 4500),
      creditTakenBack({ ...family, entryId: forOrder, attemptId, amount: 4500, balanceAfter: 0 }),
      sample(orderReopened.type),
    ],
    { kept: 4500, creditGiven: 4500, creditTakenBack: 4500 },
  ],
  [
    'its refund as credit: given, and not paid back',
    [
      cancelled('refund'),
      due(3000),
      given(forOrder, 'cancelled', 1500),
      changed(sample(refundPaidBack.type), { amount: 3000, stillOwed: 0, method: 'credit' }),
      given('refund/1', 'cancelled', 3000),
    ],
    { paidBack: 0, due: 0, creditGiven: 4500 },
  ],
  [
    'absent: its price is lower by what that gave',
    [given('absence/1', 'absent', 2000)],
    { kept: 2500, creditGiven: 2000 },
  ],
  [
    'absent and then cancelled: the rest is owed',
    [given('absence/1', 'absent', 2000), cancelled('refund'), due(2500)],
    { due: 2500, creditGiven: 2000 },
  ],
  [
    'absent, cancelled and paid back in full: taken back',
    [
      given('absence/1', 'absent', 2000),
      cancelled('refund'),
      due(3000),
      given(forOrder, 'cancelled', 1500),
      creditTakenBack({ ...family, entryId: 'absence/1', attemptId, amount: 2000, balanceAfter: 0 }),
    ],
    { due: 3000, creditGiven: 3500, creditTakenBack: 2000 },
  ],
  [
    'a cheaper meal: the difference is given',
    [toPrice(4000), given('change/1', 'changed', 500)],
    { kept: 4000, creditGiven: 500 },
  ],
  [
    'a cheaper meal, cancelled',
    [
      toPrice(4000),
      given('change/1', 'changed', 500),
      cancelled('refund'),
      due(3000),
      given(forOrder, 'cancelled', 1000),
    ],
    { due: 3000, creditGiven: 1500 },
  ],
  [
    'a dearer meal takes the difference',
    [
      creditCharged({ ...family, entryId: 'change/1', attemptId, amount: 500, balanceAfter: 0 }),
      toPrice(5000),
    ],
    { kept: 5000, creditSpent: 2000 },
  ],
])('%s', (_what, events, expected) => {
  expect(balanceOf(...events)).toMatchObject({ ...expected, difference: 0, clues: [] })
})

test('a cancelled order whose credit was never given is found', () => {
  const wrong = balanceOf(cancelled('refund'), due(3000))
  expect(wrong.difference).toBe(1500)
  expect(balanceText(wrong)).toContain('was never given as credit')
})

test('credit that is nowhere, or was never given, or is negative, is found', () => {
  const account = { user_id: 21, given: 1500, taken_back: 0, spent: 1000, paid_out: 0, held: 0, balance: 500 }
  expect(creditFaults([account])).toEqual([])
  expect(creditFaults([{ ...account, balance: 400 }])).toEqual([
    'The credit of user 21: of K15.00 given K1.00 is nowhere.',
  ])
  expect(creditFaults([{ ...account, spent: 1100 }])).toEqual([
    'The credit of user 21: of K15.00 given K1.00 was never given.',
  ])
  expect(creditFaults([{ ...account, balance: -1 }])).toEqual(['The credit of user 21 is negative.'])
})
