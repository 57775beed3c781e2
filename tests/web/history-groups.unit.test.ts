import type { Order } from '#contracts/ordering'
import { groupOrders, spentOn } from '../../web/features/orders/order-history'
import { order } from './sample-family'

const of = (studentId: number, name: string, grade: Order['student']['grade']) =>
  order({ studentId, student: { name, grade } })

test('children stand in the order of their registration, a staff account after them', () => {
  const groups = groupOrders([of(1, 'Mrs Mwila', 'teacher'), of(9, 'Bwalya', '8'), of(4, 'Chanda', '3')])
  expect(groups.map(({ name }) => name)).toEqual(['Chanda', 'Bwalya', 'Mrs Mwila'])
})

test('a student has the name and grade of the newest order', () => {
  const before = order({ orderDate: '2026-01-05T06:00:00.000Z', student: { name: 'Chanda', grade: '2' } })
  expect(groupOrders([before, order()])[0]).toMatchObject({ name: 'Chanda', grade: '3' })
})

test('the newest stands first; of those placed together the latest meal', () => {
  const [group] = groupOrders([
    order({ id: 'monday', mealDate: '2026-09-14' }),
    order({ id: 'old', orderDate: '2026-09-01T06:00:00.000Z', mealDate: '2026-09-18' }),
    order({ id: 'wednesday', mealDate: '2026-09-16' }),
  ])
  expect(group?.orders.map(({ id }) => id)).toEqual(['wednesday', 'monday', 'old'])
})

test.each<[string, Partial<Order>, number]>([
  ['pending', { status: 'pending' }, 45],
  ['completed', { status: 'completed' }, 45],
  ['waiting for its payment', { paymentStatus: 'pending' }, 45],
  ['discounted', { discountedPrice: 36.5 }, 36.5],
  ['cancelled', { status: 'cancelled' }, 0],
  ['refunded', { status: 'refunded' }, 0],
  ['not paid for', { paymentStatus: 'failed' }, 0],
])('an order that is %s', (_what, more, spent) => {
  expect(spentOn([order(more)])).toBe(spent)
})

test('ngwee are added without losing any', () => {
  expect(spentOn(Array.from({ length: 3 }, () => order({ discountedPrice: 0.1 })))).toBe(0.3)
})
