import { mealChangesView, refundsAsCreditView } from '#modules/refunds/settle-credit.reactor'
import {
  creditAccountsView,
  creditCheckoutsView,
  creditEntriesView,
  creditGivenView,
} from '#modules/credit/credit.view'
import { after, attempt, mary, monday7 } from '../ordering/lunches'
import { changedToStew } from '../ordering/slot-words'
import { recorded } from '../support/recorded-events'
import { paidBack } from '../refunds/refund-words'
import { viewSpec } from '../support/view-spec'
import {
  charged,
  given,
  held,
  order,
  paidOut,
  reference,
  released,
  spent,
  takenBack,
  texts,
} from './credit-words'

const gift = given('gift/1', 'gift', 5000, 5000)

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
