import { heldOf, activeEntries, type CreditEvent, type FamilyCredit } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { fold, specificationOf } from '../support/given-when-then'
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
} from './credit-words'

const credit = specificationOf(familyCredit)
const folded = (events: readonly CreditEvent[]) => fold<FamilyCredit, CreditEvent>(familyCredit, events)
const standing = (...events: CreditEvent[]) =>
  activeEntries(folded(events), order, ['cancelled']).map(({ entryId }) => entryId)

const gift = given('gift/1', 'gift', 5000, 5000)

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
