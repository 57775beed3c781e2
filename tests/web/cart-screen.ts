import { screen, waitFor } from '@testing-library/react'
import type { Student } from '#contracts/identity'
import { type Order, placeOrders } from '#contracts/ordering'
import { type CartItem, pricedAs, writeCart } from '../../web/features/cart/cart'
import { freshPortal, openPortal } from './open-portal'
import { bwalya, chanda, order, parent, stew } from './sample-family'

/** A tuckshop with a family, and the keys with which orders were sent. */
export const freshShop = () => {
  const server = freshPortal()
  const keys: (string | null)[] = []
  const network = globalThis.fetch
  globalThis.fetch = async (address, init) => {
    if (init?.method === 'POST' && address === placeOrders.path)
      keys.push(new Headers(init.headers).get('Idempotency-Key'))
    return network(address, init)
  }
  return { server, keys }
}

const eater = ({ id, name, grade }: Student) => ({ id, name, grade })

/** The prices of somebody with a code of 100 %. */
export const free = { discountPrice: '0', discountPercentage: 100 }

/** Chanda's stew on the Monday of week 2, 14 September, changed as told. */
export const meal = (more: Partial<CartItem> = {}, price: object = {}): CartItem => ({
  ...pricedAs({ ...stew, ...price }),
  weekNumber: 2,
  dayOfWeek: 1,
  studentId: chanda.id,
  student: eater(chanda),
  category: 'beef',
  sideDish: 'rice',
  comments: '',
  ...more,
})
export const forBwalya = { studentId: bwalya.id, student: eater(bwalya) }

export const openCart = async (items: CartItem[], user = parent) => {
  writeCart(user.id, items)
  const hands = openPortal('/?tab=cart', user)
  await screen.findByRole('button', { name: /Place Order/ })
  return hands
}

export const said = async (text: string | RegExp) =>
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)

export const total = async (amount: string) =>
  waitFor(() => expect(screen.getByText('Total').parentElement?.textContent).toBe(`Total ${amount}`))

export const placed = (orders: Order[] = [order()]) => ({ orders, payment: null })

/** The line of the first meal whose text this is. */
export const lineOf = (text: string | RegExp) => screen.getAllByText(text)[0]!.closest('li')!
