import { act, screen, waitFor } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { type OrderStatus, listOrders } from '#contracts/ordering'
import { writeCart } from '../../web/features/cart/cart'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { cartDays, mealOn } from './payment-page'
import { bwalya, cycle, order, parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const openHome = async () => {
  openPortal('/?tab=cart', parent)
  await waitFor(() => expect(server.asked(listOrders)).toHaveLength(1))
  await waitFor(() => expect(server.asked(listCycles)).toHaveLength(1))
}

test.each<OrderStatus>(['pending', 'completed'])(
  'a day whose order is %s leaves the cart, and that is said',
  async (status) => {
    server.on(listOrders, [order({ status })])
    writeCart(parent.id, [mealOn(1), mealOn(2), mealOn(1, bwalya)])
    await openHome()
    expect(
      await screen.findByText('1 meal is already ordered and no longer in your cart.'),
    ).toBeInTheDocument()
    expect(cartDays()).toEqual(['1.2', '2.1'])
  },
)

test.each([
  ['was cancelled', order({ status: 'cancelled' })],
  ['was refunded', order({ status: 'refunded' })],
  ['is of another cycle', order({ cycleId: 6 })],
  ['is of another week', order({ weekNumber: 1 })],
])('a day whose order %s stays', async (_what, one) => {
  server.on(listOrders, [one])
  writeCart(parent.id, [mealOn(1)])
  await openHome()
  await screen.findByRole('button', { name: /Place Order/ })
  expect(cartDays()).toEqual(['1.1'])
  expect(screen.queryByText('Cart updated')).not.toBeInTheDocument()
})

test('nothing leaves while no cycle takes orders', async () => {
  server.on(listOrders, [order()])
  server.on(listCycles, [{ ...cycle, isActive: false }])
  writeCart(parent.id, [mealOn(1)])
  await openHome()
  await screen.findByRole('button', { name: /Place Order/ })
  expect(cartDays()).toEqual(['1.1'])
})

test('what another tab puts into the cart is looked at too', async () => {
  server.on(listOrders, [order()])
  await openHome()
  await screen.findByText('Your cart is empty')
  act(() => writeCart(parent.id, [mealOn(1), mealOn(2)]))
  await waitFor(() => expect(cartDays()).toEqual(['1.2']))
})
