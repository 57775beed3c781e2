import { saveSecurity } from '#contracts/identity'
import { cancelOrder, listOrders, type CartLine } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { place, refused } from '../ordering/canteen'
import { openAlternativeCanteen, order, type AlternativeCanteen } from './alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  await canteen.superadminClient.call(saveSecurity, {
    body: { requireSecondFactor: false, maxChildren: 12, maxUnpaidMeals: 2 },
  })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.set({ enabled: true }))

const tooMany = (message: string) => ({ status: 409, code: 'too_many_unpaid_meals', message })
const pay = (parent: Client, lines: CartLine[]) =>
  parent.call(createPayment, { body: { amount: lines.length * 45.5, cartItems: lines } })

test('a child has no more unpaid meals than the school allows, whoever is ordered for beside', async () => {
  const { parent, children } = await canteen.family('mwila', '9', '10')
  const [one, other] = children
  await order(parent, [canteen.stewFor(one!, 2), canteen.stewFor(other!, 2)])
  const answer = await refused(
    order(
      parent,
      [3, 4].map((day) => canteen.stewFor(one!, day)),
    ),
  )
  expect(answer).toMatchObject(
    tooMany(
      `${one!.name} would have 3 meals waiting for payment, and at most 2 may wait. ` +
        'Please pay for earlier meals or cancel some, or order fewer now.',
    ),
  )
  expect(await parent.call(listOrders)).toHaveLength(2)
  await order(parent, [canteen.stewFor(one!, 3), canteen.stewFor(other!, 3)])
})

test('what was paid for, cancelled or is free does not wait', async () => {
  const { parent, children } = await canteen.family('bupe', '9', '2')
  const [big, small] = children
  const { orders } = await order(
    parent,
    [2, 3].map((day) => canteen.stewFor(big!, day)),
  )
  expect(await refused(order(parent, [canteen.stewFor(big!, 4)]))).toMatchObject({ status: 409 })
  await canteen.verify([orders[0]!.id])
  await order(parent, [canteen.stewFor(big!, 4)])
  await parent.call(cancelOrder, { params: { id: orders[1]!.id } })
  await order(parent, [canteen.stewFor(big!, 5)])
  expect(
    await place(
      parent,
      [2, 3, 4].map((day) => canteen.porridgeFor(small!, day)),
    ),
  ).toHaveLength(3)
})

test('meals on the card provider’s page wait too; the same cart again does not count twice', async () => {
  const { parent, children } = await canteen.payingFamily('chola', '9')
  const stew = (day: number) => canteen.stewFor(children[0]!, day)
  await order(parent, [stew(2)])
  await canteen.set({ enabled: false })
  await pay(parent, [stew(3)])
  await pay(parent, [stew(3)])
  expect(await refused(pay(parent, [stew(4)]))).toMatchObject(tooMany(expect.stringContaining('3 meals')))
  await canteen.set({ enabled: true })
  expect(await refused(order(parent, [stew(4)]))).toMatchObject(tooMany(expect.stringContaining('3 meals')))
})

test('an earlier payment of the same day, which is given up for the new one, does not wait', async () => {
  const { parent, children } = await canteen.payingFamily('grace', '9')
  const stew = (day: number, more: Partial<CartLine> = {}) => canteen.stewFor(children[0]!, day, more)
  await canteen.set({ enabled: false })
  await pay(parent, [stew(2), stew(3)])
  await pay(parent, [stew(2, { comments: 'no salt' }), stew(3)])
  expect(await refused(pay(parent, [stew(4)]))).toMatchObject(tooMany(expect.stringContaining('3 meals')))
})
