import { act, screen } from '@testing-library/react'
import { validateItems } from '#contracts/catalogue'
import { placeOrders } from '#contracts/ordering'
import { pricedAs, readCart, writeCart } from '../../web/features/cart/cart'
import { refusal, type FakeServer } from './admin/fake-server'
import { free, freshShop, meal, openCart, placed, said } from './cart-screen'
import { openPortal, press } from './open-portal'
import { parent, pizza } from './sample-family'

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  ;({ server, keys } = freshShop())
})
afterEach(() => jest.useRealTimers())

describe('items no longer available', () => {
  const gone = { valid: false, unavailable: ['Stew'], archived: [], missing: [] }
  const both = [meal(), meal({ dayOfWeek: 2, ...pricedAs(pizza) })]

  test('are named in a banner, stop the order, and can be taken out together', async () => {
    server.on(validateItems, gone)
    const hands = await openCart(both)
    await said('Items No Longer Available')
    expect(screen.getByRole('button', { name: /Place Order/ }).hasAttribute('disabled')).toBe(true)
    await press(hands, 'Remove Unavailable Items')
    expect(readCart(parent.id).map(({ menuItem }) => menuItem.name)).toEqual(['Pizza'])
    expect(server.asked(validateItems)[0]?.body).toEqual({ menuItemIds: [1, 2] })
  })

  test('are looked for every 120 seconds', async () => {
    jest.useFakeTimers()
    writeCart(parent.id, both)
    openPortal('/?tab=cart', parent)
    await act(() => jest.advanceTimersByTimeAsync(1000))
    expect(server.asked(validateItems)).toHaveLength(1)
    server.on(validateItems, gone)
    await act(() => jest.advanceTimersByTimeAsync(118_000))
    expect(screen.queryByText('Items No Longer Available')).not.toBeInTheDocument()
    await act(() => jest.advanceTimersByTimeAsync(2000))
    expect(screen.getByText('Items No Longer Available')).toBeInTheDocument()
  })

  test('nobody answers: the cart counts as valid', async () => {
    server.on(validateItems, () => refusal(500, 'fault', 'It broke'))
    server.on(placeOrders, placed())
    const hands = await openCart([meal({}, free)])
    await press(hands, 'Place Order · Free')
    await said('Order placed')
  })

  test('found at the last moment they stop the order', async () => {
    const hands = await openCart([meal({}, free)])
    server.on(validateItems, gone)
    await press(hands, 'Place Order · Free')
    await said('Cart Items Unavailable')
    await said('Some items in your cart are no longer available')
    expect(keys).toHaveLength(0)
  })

  test('nobody answers a later question: nothing is said against the cart until somebody does', async () => {
    jest.useFakeTimers()
    server.on(validateItems, gone)
    writeCart(parent.id, both)
    openPortal('/?tab=cart', parent)
    await act(() => jest.advanceTimersByTimeAsync(1000))
    expect(screen.getByText('Items No Longer Available')).toBeInTheDocument()
    server.on(validateItems, () => refusal(500, 'fault', 'It broke'))
    await act(() => jest.advanceTimersByTimeAsync(120_000))
    expect(screen.queryByText('Items No Longer Available')).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: /Place Order/ }).hasAttribute('disabled')).toBe(false)
  })

  test('stay named while the cart without another meal is looked at', async () => {
    server.on(validateItems, gone)
    const hands = await openCart(both)
    await said('Items No Longer Available')
    server.on(validateItems, () => new Promise(() => undefined))
    await press(hands, 'Remove Pizza on Tuesday of week 2 for Chanda')
    expect(server.asked(validateItems)).toHaveLength(1)
    expect(screen.getByText('Items No Longer Available')).toBeInTheDocument()
    expect(screen.getByText('Remove the unavailable items first')).toBeInTheDocument()
  })
})
