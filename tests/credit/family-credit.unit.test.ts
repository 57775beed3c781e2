import {
  creditAccountsView,
  creditCheckoutsView,
  creditEntriesView,
  creditGivenView,
} from '#modules/credit/credit.view'
import { type CreditEvent, type FamilyCredit, heldOf, activeEntries } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { mealChangesView, refundsAsCreditView } from '#modules/refunds/settle-credit.reactor'
import { after, attempt, mary, monday7 } from '../ordering/lunches'
import { changedToStew } from '../ordering/slot-words'
import { paidBack } from '../refunds/refund-words'
import { fold, specificationOf } from '../support/given-when-then'
import { recorded } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'
import {
  charge,
  charged,
  follow,
  give,
  given,
  held,
  order,
  paidOut,
  payOut,
  released,
  spent,
  takeBack,
  takenBack,
  reference,
  texts,
} from './credit-words'

const gift = given('gift/1', 'gift', 5000, 5000)

const credit = specificationOf(familyCredit)
const folded = (events: readonly CreditEvent[]) => fold<FamilyCredit, CreditEvent>(familyCredit, events)
const standing = (...events: CreditEvent[]) =>
  activeEntries(folded(events), order, ['cancelled']).map(({ entryId }) => entryId)

describe('credit is given', () => {
  test('and the balance grows', () =>
    credit
      .given(gift)
      .when(give('cancelled/1', 'cancelled', 4550))
      .then(given('cancelled/1', 'cancelled', 4550, 9550)))
  test('once for one reason', () =>
    credit
      .given(gift)
      .when(give('gift/1', 'gift', 5000))
      .nothingHappens())
  test('one request cannot be two gifts', () =>
    credit
      .given(gift)
      .when(give('gift/1', 'gift', 4000))
      .refused('idempotency_key_reused'))
})

describe('what was given is taken back', () => {
  const cancelled = given('cancelled/1', 'cancelled', 4550, 4550)
  test('when its reason is gone', () =>
    credit
      .given(cancelled)
      .when(takeBack('cancelled/1'))
      .then(takenBack('cancelled/1', 'cancelled', 4550, 0)))
  test('once', () =>
    credit
      .given(cancelled, takenBack('cancelled/1', 'cancelled', 4550, 0))
      .when(takeBack('cancelled/1'))
      .nothingHappens())
  test('and what was never given is not', () => credit.given().when(takeBack('cancelled/1')).nothingHappens())
  test('wholly or not at all', () =>
    credit
      .given(cancelled, paidOut(1, 1, 4549))
      .when(takeBack('cancelled/1'))
      .refused('credit_spent'))
})

describe('credit is paid out', () => {
  test('up to the balance', () => {
    credit
      .given(gift)
      .when(payOut(1, 5000))
      .then(paidOut(1, 5000, 0))
    credit.given(gift).when(payOut(1, 5001)).refused('payout_exceeds_balance')
    credit.given().when(payOut(1, 1)).refused('payout_exceeds_balance')
  })
  test('but not what a checkout holds', () =>
    credit
      .given(gift, held({ 0: 4550 }, 450))
      .when(payOut(1, 451))
      .refused('payout_exceeds_balance'))
  test('once for one request', () =>
    credit
      .given(gift, paidOut(1, 5000, 0))
      .when(payOut(1, 5000))
      .nothingHappens())
  test.each([{ amount: 4999 }, { method: 'bank' as const }, { reference: 'other' }])(
    'one request cannot be two payouts: %j',
    ({ amount = 5000, ...more }) =>
      credit
        .given(gift, paidOut(1, 5000, 0))
        .when(payOut(1, amount, more))
        .refused('idempotency_key_reused'),
  )
})

describe('a dearer meal', () => {
  test('takes the difference, once', () => {
    credit
      .given(gift)
      .when(charge('changed/1', 1000))
      .then(charged('changed/1', 1000, 4000))
    credit
      .given(gift, charged('changed/1', 1000, 4000))
      .when(charge('changed/1', 1000))
      .nothingHappens()
  })
  test('is refused without enough', () => {
    credit.given(gift).when(charge('changed/1', 5001)).refused('credit_short')
    expect(() => familyCredit.decide(charge('changed/1', 5001), folded([gift]))).toThrow(
      expect.objectContaining({ extra: { short: 0.01 } }),
    )
  })
})

describe('a checkout', () => {
  test('holds credit for its lines, and it can be spent no more', () =>
    credit
      .given(gift)
      .when(follow([3000, 'held'], [2000, 'held']))
      .then(held({ 0: 3000, 1: 2000 }, 0)))
  test('holds it once', () =>
    credit
      .given(gift, held({ 0: 3000 }, 2000))
      .when(follow([3000, 'held']))
      .nothingHappens())
  test('spends what became meals, once', () => {
    credit
      .given(gift, held({ 0: 3000, 1: 2000 }, 0))
      .when(follow([3000, 'spent'], [2000, 'as-is']))
      .then(spent({ 0: 3000 }))
    credit
      .given(gift, held({ 0: 3000 }, 2000), spent({ 0: 3000 }))
      .when(follow([3000, 'spent']))
      .nothingHappens()
  })
  test('without a payment holds and spends in one', () =>
    credit
      .given(gift)
      .when(follow([5000, 'spent']))
      .then(held({ 0: 5000 }, 0), spent({ 0: 5000 })))
  test('releases what became no meal, once', () => {
    credit
      .given(gift, held({ 0: 3000, 1: 2000 }, 0))
      .when(follow([3000, 'spent'], [2000, 'released']))
      .then(spent({ 0: 3000 }), released({ 1: 2000 }, 2000))
    credit
      .given(gift, held({ 0: 3000 }, 2000), released({ 0: 3000 }, 5000))
      .when(follow([3000, 'released']))
      .nothingHappens()
  })
  test('has nothing to release where it held nothing, and what is spent stays spent', () => {
    credit
      .given(gift)
      .when(follow([3000, 'released']))
      .nothingHappens()
    credit
      .given(gift, held({ 0: 3000 }, 2000), spent({ 0: 3000 }))
      .when(follow([3000, 'released']))
      .nothingHappens()
  })
  test('takes it again when the money comes late, line by line while the balance suffices', () =>
    credit
      .given(
        gift,
        held({ 0: 3000, 1: 2000 }, 0),
        released({ 0: 3000, 1: 2000 }, 5000),
        paidOut(1, 2500, 2500),
      )
      .when(follow([3000, 'held'], [2000, 'held']))
      .then(held({ 1: 2000 }, 500)))
})

test.each<[string, CreditEvent[], number, number]>([
  ['nothing', [], 0, 0],
  ['a gift', [gift], 5000, 0],
  ['held', [gift, held({ 0: 3000 }, 2000)], 2000, 3000],
  ['spent', [gift, held({ 0: 3000 }, 2000), spent({ 0: 3000 })], 2000, 0],
  ['released', [gift, held({ 0: 3000 }, 2000), released({ 0: 3000 }, 5000)], 5000, 0],
  ['charged', [gift, charged('changed/1', 1000, 4000)], 4000, 0],
  ['paid out', [gift, paidOut(1, 5000, 0)], 0, 0],
  ['taken back', [gift, takenBack('gift/1', 'gift', 5000, 0)], 0, 0],
  ['taken back what was never given', [takenBack('gift/1', 'gift', 5000, 0)], 0, 0],
])('%s', (_name, events, balance, holds) => {
  const credited = folded(events)
  expect([credited.balance, heldOf(credited)]).toEqual([balance, holds])
})

test('an entry stands for its order until it is taken back', () => {
  const cancelled = given('cancelled/1', 'cancelled', 4550, 4550)
  expect(standing(cancelled)).toEqual(['cancelled/1'])
  expect(standing(cancelled, takenBack('cancelled/1', 'cancelled', 4550, 0))).toEqual([])
  expect(standing(given('absent/1', 'absent', 100, 100))).toEqual([])
})

const account = (...events: Parameters<ReturnType<typeof viewSpec>['given']>) =>
  viewSpec(creditAccountsView).given(...events)
const row = (balance: number, holds: number) => [{ user_id: mary, balance, held: holds }]

describe('the account', () => {
  test('has what was given', () => account(gift).thenRows(row(5000, 0)))
  test('has not what is held', () => account(gift, held({ 0: 3000 }, 2000)).thenRows(row(2000, 3000)))
  test('has not what is spent', () =>
    account(gift, held({ 0: 3000 }, 2000), spent({ 0: 3000 })).thenRows(row(2000, 0)))
  test('has again what is released', () =>
    account(gift, held({ 0: 3000 }, 2000), released({ 0: 3000 }, 5000)).thenRows(row(5000, 0)))
  test('has not what a dearer meal took, what was paid out or taken back', () => {
    account(gift, charged('changed/1', 1000, 4000)).thenRows(row(4000, 0))
    account(gift, paidOut(1, 5000, 0)).thenRows(row(0, 0))
    account(gift, takenBack('gift/1', 'gift', 5000, 0)).thenRows(row(0, 0))
  })
})

describe('an entry', () => {
  const id = '0199a000-0000-7000-8000-0000000000ee'
  const row = {
    id,
    user_id: mary,
    position: '00000000000000000001',
    at: monday7.toISOString(),
    order_id: null,
    reference: null,
  }
  test.each([
    ['a gift', gift, { kind: 'gift', amount: 5000, balance_after: 5000, text: 'gift gift/1' }],
    [
      'credit for an order',
      given('cancelled/1', 'cancelled', 4550, 4550),
      {
        kind: 'cancelled',
        amount: 4550,
        balance_after: 4550,
        text: 'cancelled cancelled/1',
        order_id: order,
      },
    ],
    [
      'what a checkout holds',
      held({ 0: 3000 }, 2000),
      { kind: 'spent', amount: -3000, balance_after: 2000, text: texts.held, reference },
    ],
    [
      'what it releases',
      released({ 0: 3000 }, 5000),
      { kind: 'released', amount: 3000, balance_after: 5000, text: texts.released, reference },
    ],
    [
      'what a dearer meal takes',
      charged('changed/1', 1000, 4000),
      { kind: 'spent', amount: -1000, balance_after: 4000, text: 'A dearer meal', order_id: order },
    ],
    [
      'what is taken back',
      takenBack('cancelled/1', 'cancelled', 4550, 0),
      { kind: 'takenBack', amount: -4550, balance_after: 0, text: 'Cooked after all', order_id: order },
    ],
    [
      'what is paid out',
      paidOut(1, 5000, 0, { method: 'mobile_money', reference: 'MM-9' }),
      {
        kind: 'paidOut',
        amount: -5000,
        balance_after: 0,
        text: 'Paid out (mobile money)',
        reference: 'MM-9',
      },
    ],
    [
      'what is given up',
      paidOut(1, 5000, 0, { method: 'given_up' }),
      { kind: 'paidOut', amount: -5000, balance_after: 0, text: 'Given up' },
    ],
  ])('%s', (_what, event, entry) =>
    viewSpec(creditEntriesView)
      .given(recorded(event, { id }))
      .thenRows([{ ...row, ...entry }]),
  )
})

test('what was given stands until it is taken back', () => {
  const row = { id: 'cancelled/1', user_id: mary, order_id: order, kind: 'cancelled', amount: 4550 }
  const cancelled = given('cancelled/1', 'cancelled', 4550, 4550)
  viewSpec(creditGivenView)
    .given(cancelled)
    .thenRows([{ ...row, stands: true }])
  viewSpec(creditGivenView)
    .given(cancelled, takenBack('cancelled/1', 'cancelled', 4550, 0))
    .thenRows([{ ...row, stands: false }])
})

test('a checkout holds, spends and releases', () => {
  const row = { attempt_id: attempt, user_id: mary }
  const holding = held({ 0: 3000, 1: 2000 }, 0)
  const checkouts = viewSpec(creditCheckoutsView)
  checkouts.given(holding).thenRows([{ ...row, held: 5000, spent: 0 }])
  checkouts.given(holding, spent({ 0: 3000 })).thenRows([{ ...row, held: 2000, spent: 3000 }])
  checkouts
    .given(holding, spent({ 0: 3000 }), released({ 1: 2000 }, 2000))
    .thenRows([{ ...row, held: 0, spent: 3000 }])
})

test('a refund that became credit is remembered, one that went back as money is not', () => {
  const id = '0199c0de-0000-7000-8000-000000000101'
  const refunds = viewSpec(refundsAsCreditView)
  refunds.given(paidBack(1, 4550, 0, { method: 'credit' })).thenRows([{ payout_id: id, refund_id: order }])
  refunds.given(paidBack(1, 4550, 0)).thenRows([])
})

const changes = (...events: Parameters<ReturnType<typeof viewSpec>['given']>) =>
  viewSpec(mealChangesView).given(...events)

describe('a change of a meal', () => {
  const change = '0199c0de-0000-7000-8000-0000000000d1'
  const row = (settled: boolean, changed: boolean, minutes = 0) => [
    { id: change, order_id: order, settled, changed, at: after(monday7, minutes).toISOString() },
  ]
  const took = charged(`change/${change}`, 1000, 4000)
  const gave = given(`change/${change}`, 'changed', 1000, 1000)
  const returned = given(`returned/change/${change}`, 'changed', 1000, 5000)

  test('is settled before the order is changed', () => {
    changes(took).thenRows(row(true, false))
    changes(took, changedToStew).thenRows(row(true, true, 1))
    changes(gave, changedToStew).thenRows(row(true, true, 1))
  })
  test('that is undone is not settled', () => {
    changes(took, returned).thenRows(row(false, false))
    changes(gave, takenBack(`change/${change}`, 'changed', 1000, 0)).thenRows(row(false, false))
  })
  test('that is settled again is settled', () =>
    changes(
      took,
      returned,
      changedToStew,
      takenBack(`returned/change/${change}`, 'changed', 1000, 4000),
    ).thenRows(row(true, true)))
  test('without a difference, and credit for anything else, are none', () =>
    changes(changedToStew, gift, charged('other/1', 1000, 4000)).thenRows([]))
})
