import type { CreditEvent, FamilyCredit } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { owedForOrder, type OrderMoney } from '#modules/refunds/refund.decide'
import { fold } from '../support/given-when-then'
import { charged, given, order, takenBack } from './credit-words'

const meal: OrderMoney = {
  id: order,
  price: 5000,
  credit: 0,
  status: 'cancelled',
  paymentStatus: 'confirmed',
  remedy: 'refund',
}
const owed = (more: Partial<OrderMoney>, received: number, ...events: CreditEvent[]) => {
  const { money, credit } = owedForOrder(
    { ...meal, ...more },
    received,
    fold<FamilyCredit, CreditEvent>(familyCredit, events),
  )
  return [money, credit]
}

test.each<[string, Partial<OrderMoney>, number, [money: number, credit: number]]>([
  ['an order that stands', { status: 'pending' }, 5000, [0, 0]],
  ['a served one', { status: 'completed' }, 5000, [0, 0]],
  ['a cancelled one', {}, 5000, [5000, 0]],
  ['one that was paid back', { status: 'refunded' }, 5000, [5000, 0]],
  ['as credit', { remedy: 'credit' }, 5000, [0, 5000]],
  ['never more than was received', { remedy: 'credit' }, 4000, [0, 4000]],
  ['nothing that was never paid', { paymentStatus: 'pending', remedy: 'credit' }, 5000, [0, 0]],
  ['what credit paid, as credit', { credit: 2000 }, 3000, [3000, 2000]],
  ['all of it as credit', { credit: 2000, remedy: 'credit' }, 3000, [0, 5000]],
  ['what credit paid of one yet to be paid', { credit: 2000, paymentStatus: 'pending' }, 3000, [0, 2000]],
])('%s', (_what, order_, received, expected) => expect(owed(order_, received)).toEqual(expected))

test('what an absence gave is deducted, until it is taken back', () => {
  const absent = given('absent/1', 'absent', 2500, 2500)
  expect(owed({}, 5000, absent)).toEqual([2500, 0])
  expect(owed({ remedy: 'credit' }, 5000, absent)).toEqual([0, 2500])
  expect(owed({}, 5000, absent, takenBack('absent/1', 'absent', 2500, 0))).toEqual([5000, 0])
})

test('a cheaper meal gave its difference, a dearer one took it', () => {
  expect(owed({ price: 3000 }, 5000, given('changed/1', 'changed', 2000, 2000))).toEqual([3000, 0])
  const gift = given('gift/1', 'gift', 2000, 2000)
  expect(owed({ price: 7000 }, 5000, gift, charged('changed/1', 2000, 0))).toEqual([5000, 2000])
})
