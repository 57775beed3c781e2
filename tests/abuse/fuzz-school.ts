import { addStudent, createAdmin, currentUser, login } from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import { cancelOrder, listOrders, placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { payByCard } from '../../src/app/demo/ordering'
import { openCanteen, place } from '../ordering/canteen'

const password = 'parent-password'
const pushSecret = 'a-push-secret-for-the-fuzz'

export type FuzzSchool = Awaited<ReturnType<typeof openFuzzSchool>>

/**
 * A canteen with a family that has eaten there: orders free, paid, cancelled and due back, an open payment; what the
 * requests may name of it, by what it is, and the bodies that went through.
 */
export const openFuzzSchool = async () => {
  const canteen = await openCanteen({ DPO_PUSH_SECRET: pushSecret })
  const office = canteen.superadminClient
  const parent = await canteen.parent('mwila', { email: 'mwila@example.org' })
  const { id: userId } = await parent.call(currentUser)
  const small = await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
  const big = await parent.call(addStudent, { body: { name: 'Taonga', grade: '9' } })
  const { id: clerk } = await office.call(createAdmin, {
    body: { username: 'clerk', password, allowedFeatures: [] },
  })
  await place(parent, [canteen.porridgeFor(small, 2), canteen.porridgeFor(small, 3)])
  await payByCard(parent, [canteen.stewFor(big, 2), canteen.stewFor(big, 3)], 'pay')
  const orders = await ordersOf(parent)
  await parent.call(cancelOrder, { params: { id: orders.find(({ price }) => price > 0)!.id } })
  const payment = { amount: 45.5, cartItems: [canteen.stewFor(big, 5)] }
  const { TransToken, companyRef } = await parent.call(createPayment, { body: payment })
  const code = await office.call(createDiscountCode, {
    body: { code: 'MWILA', userId, discountPercentage: 0, isActive: true },
  })
  const live = await office.call(liveOrders, { query: {} })
  const { id: superadminId } = await office.call(currentUser)
  const { porridge, stew } = canteen.items
  const orderIds = orders.map(({ id }) => id)
  return {
    canteen,
    superadminId,
    accounts: { parent: { username: 'mwila', password } },
    known: {
      student: [small.id, big.id],
      parent: [userId],
      families: [userId],
      privacy: [1],
      'admin-users': [clerk],
      user: [userId, clerk],
      menu: [porridge.id, stew.id],
      item: [porridge.id, stew.id],
      cycle: [canteen.cycle.id],
      discount: [code.id],
      order: orderIds,
      refund: orderIds,
      about: [...orderIds, companyRef],
      payment: live.data.map(({ id }) => id),
      transaction: [TransToken, companyRef],
      token: [TransToken],
      'sandbox/pay': [TransToken],
      number: ['0977123456'],
      username: ['mwila', 'clerk'],
      password: [password],
      secret: [pushSecret],
      categor: ['beef', 'chicken'],
      side: ['Banana'],
    },
    seen: {
      [placeOrders.path]: [1, 4, 5].map((day) => [canteen.porridgeFor(small, day)]),
      [createPayment.path]: [payment],
      [login.path]: [{ username: 'mwila', password }],
    },
  }
}

const ordersOf = async (client: Client) => {
  const orders = await client.call(listOrders)
  return (Array.isArray(orders) ? orders : orders.data).map(({ id, discountedPrice: price }) => ({
    id,
    price,
  }))
}
