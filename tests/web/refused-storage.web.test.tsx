import { act, screen } from '@testing-library/react'
import { currentUser, login } from '#contracts/identity'
import { getOrderingRules, placeOrders } from '#contracts/ordering'
import { readCart } from '../../web/features/cart/cart'
import { isUnanswered } from '../../web/features/cart/checkout/checkout'
import { keysOnDevice, readDevice, removeFromDevice, writeDevice } from '../../web/lib/device-storage'
import type { FakeServer } from './admin/fake-server'
import { free, freshShop, meal, openCart, placed, said } from './cart-screen'
import { openPortal, press } from './open-portal'
import { orderingRules, parent } from './sample-family'

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  ;({ server, keys } = freshShop())
})
afterEach(() => {
  jest.restoreAllMocks()
  removeFromDevice(`tuckshop-cart-${parent.id}`)
})

const full = () =>
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
  })
/** A browser that blocks cookies refuses the storage as soon as it is named. */
const blocked = () =>
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied', 'SecurityError')
  })

const absent = () => jest.spyOn(window, 'localStorage', 'get').mockReturnValue(undefined as never)
const unreadable = () =>
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Access is denied', 'SecurityError')
  })
/** Takes everything and keeps nothing. */
const forgetful = () => jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => undefined)
const unchangeable = () => {
  full()
  jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('Access is denied', 'SecurityError')
  })
}

describe.each([
  ['full', full],
  ['blocked', blocked],
  ['absent', absent],
  ['unreadable', unreadable],
  ['forgetful', forgetful],
  ['unchangeable', unchangeable],
])('a storage that is %s', (_how, refuse) => {
  test('lets a family sign in', async () => {
    refuse()
    server.on(login, parent)
    const hands = openPortal('/', null)
    await hands.type(await screen.findByLabelText('Username'), 'mwila')
    await hands.type(screen.getByLabelText('Password'), 'secret1')
    server.on(currentUser, parent)
    await press(hands, 'Login to Portal')
    await said('Welcome, mwila')
  })

  test('keeps the cart in memory, says so, and lets it be ordered', async () => {
    refuse()
    server.on(placeOrders, placed())
    const hands = await openCart([meal({}, free)])
    await said('Your cart is not stored on this device')
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(keys).toHaveLength(1)
    expect(screen.queryByText(/No answer came/)).toBeNull()
    expect(readCart(parent.id)).toEqual([])
  })

  test('keeps the key of an order that was not answered', async () => {
    refuse()
    server.on(placeOrders, () => {
      throw new TypeError('no network')
    })
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('No answer came')
    server.on(placeOrders, placed())
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(new Set(keys).size).toBe(1)
  })
})

test('what a storage does not let go is gone for this page', () => {
  writeDevice('tuckshop-test', 'old')
  jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('Access is denied', 'SecurityError')
  })
  removeFromDevice('tuckshop-test')
  expect(readDevice('tuckshop-test')).toBeNull()
  expect(keysOnDevice('tuckshop-test')).toEqual([])
  writeDevice('tuckshop-test', 'new')
  expect(readDevice('tuckshop-test')).toBe('new')
})

test('a storage that works says nothing of it', async () => {
  await openCart([meal()])
  expect(screen.queryByText('Your cart is not stored on this device')).toBeNull()
})

test('what failed before anything was sent is no missing answer', () => {
  expect(isUnanswered(new DOMException('full', 'QuotaExceededError'))).toBe(false)
  expect(isUnanswered(new TypeError('undefined is not a function'))).toBe(false)
})

test('after ordering, the cart says until when this school lets families cancel', async () => {
  server.on(placeOrders, placed())
  server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff' })
  const hands = await openCart([meal({}, free)])
  await press(hands, /Place Order/)
  await said(/can be cancelled there until the cutoff of its day/)
})

test('the terms say until when this school lets families cancel', async () => {
  server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff' })
  const hands = openPortal('/', parent)
  await press(hands, /Terms/)
  await said('Orders can be cancelled until the cutoff of their day, in the Order History.')
  await act(async () => undefined)
})
