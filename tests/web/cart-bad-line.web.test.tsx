import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { listOrders, placeOrders } from '#contracts/ordering'
import { attemptKey, readCart, writeCart } from '../../web/features/cart/cart'
import { refusal, type FakeServer } from './admin/fake-server'
import { free, freshShop, meal, openCart, placed, said } from './cart-screen'
import { openPortal, press } from './open-portal'
import { openPage, pass, pressNow } from './payment-page'
import { order, parent } from './sample-family'

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  ;({ server, keys } = freshShop())
})
afterEach(() => jest.useRealTimers())

const mayBePlaced = /^Your order may have been placed\. Press Place Order again/
const connection = (state: 'online' | 'offline') => act(() => void window.dispatchEvent(new Event(state)))
const lose = () =>
  server.on(placeOrders, () => {
    throw new TypeError('no network')
  })

describe('without a connection', () => {
  afterEach(() => connection('online'))

  test('nothing is sent, and what to do is said; once it is back the order goes', async () => {
    server.on(placeOrders, placed())
    const hands = await openCart([meal({}, free)])
    connection('offline')
    await press(hands, /Place Order/)
    await said('You are offline')
    await said(/Place the order once the connection is back\.$/)
    expect(document.activeElement?.textContent).toContain('You are offline')
    expect(keys).toHaveLength(0)
    connection('online')
    await said('You are back online')
    await press(hands, /Place Order/)
    await said('Order placed')
  })

  test('the cart can be changed', async () => {
    const hands = await openCart([meal(), meal({ dayOfWeek: 2 })])
    connection('offline')
    await hands.type(screen.getAllByLabelText('Special instructions')[0]!, 'no onions')
    await press(hands, 'Remove Stew on Tuesday of week 2 for Chanda')
    expect(readCart(parent.id)).toEqual([meal({ comments: 'no onions' })])
  })
})

describe('an answer that is lost', () => {
  test('is looked for once more at once', async () => {
    let lost = 0
    server.on(placeOrders, () => {
      lost += 1
      if (lost === 1) throw new TypeError('connection reset')
      return placed()
    })
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test('the order may have been placed: pressing again is the same attempt, and says what was ordered', async () => {
    lose()
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('No answer came')
    await said(mayBePlaced)
    expect(document.activeElement?.textContent).toContain('No answer came')
    expect(server.asked(listOrders)).toHaveLength(1)
    server.on(placeOrders, placed())
    await press(hands, /Place Order/)
    await said('Order placed')
    await said('1 meal ordered')
    await said(/See it in Order History/)
    expect(new Set(keys).size).toBe(1)
    expect(localStorage.getItem(attemptKey(parent.id))).toBeNull()
  })

  test('is still asked for after the page was closed and opened again', async () => {
    lose()
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('No answer came')
    cleanup()
    const later = openPortal('/?tab=cart', parent)
    await said(mayBePlaced)
    server.on(placeOrders, placed())
    await press(later, /Place Order/)
    await said('Order placed')
    expect(new Set(keys).size).toBe(1)
  })

  test('a changed cart, even when it is changed back, is an attempt of its own', async () => {
    lose()
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('No answer came')
    act(() => writeCart(parent.id, []))
    act(() => writeCart(parent.id, [meal({}, free)]))
    server.on(placeOrders, placed())
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(keys[2]).not.toBe(keys[1])
  })

  test('after a day it is an attempt of its own', async () => {
    lose()
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('No answer came')
    const attempt = JSON.parse(localStorage.getItem(attemptKey(parent.id))!)
    attempt.at -= 86_400_000
    localStorage.setItem(attemptKey(parent.id), JSON.stringify(attempt))
    server.on(placeOrders, placed())
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(keys[2]).not.toBe(keys[1])
  })

  test('an old answer, whose orders were cancelled since, orders nothing: the cart is sent again', async () => {
    let answers = 0
    server.on(placeOrders, () => {
      answers += 1
      return placed([order({ status: answers === 1 ? 'cancelled' : 'pending' })])
    })
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(keys).toHaveLength(2)
    expect(keys[1]).not.toBe(keys[0])
  })

  test('what another tab put into the cart meanwhile stays', async () => {
    server.on(placeOrders, () => {
      writeCart(parent.id, [meal({}, free), meal({ dayOfWeek: 2 }, free)])
      return placed()
    })
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('Order placed')
    expect(readCart(parent.id)).toEqual([meal({ dayOfWeek: 2 }, free)])
  })
})

/** Lets orders be sent and never answered; answers what ends that. */
const hang = () => {
  const network = globalThis.fetch
  globalThis.fetch = (address, init) =>
    address === placeOrders.path && init?.method === 'POST'
      ? new Promise((_, reject) => {
          keys.push(new Headers(init.headers).get('Idempotency-Key'))
          init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
        })
      : network(address, init)
  return () => void (globalThis.fetch = network)
}

describe('an answer that never comes', () => {
  test('is waited for with patience, and given up after half a minute; pressing again is safe', async () => {
    jest.useFakeTimers()
    writeCart(parent.id, [meal({}, free)])
    await openPage('/?tab=cart')
    const answerAgain = hang()
    await pressNow('Place Order · Free')
    const busy = screen.getByRole('button', { name: 'Placing order' })
    expect(busy).toHaveAttribute('aria-busy', 'true')
    await pass(6000)
    expect(busy.textContent).toBe('Still waiting for an answer')
    await pass(23_000)
    expect(screen.queryByText('No answer came')).not.toBeInTheDocument()
    await pass(1000)
    expect(screen.getByText(mayBePlaced)).toBeInTheDocument()
    expect(keys).toHaveLength(1)
    answerAgain()
    server.on(placeOrders, placed())
    await pressNow('Place Order · Free')
    expect(screen.getByText('Order placed')).toBeInTheDocument()
    expect(keys).toEqual([keys[0], keys[0]])
  })
})

test('a fault of the server says in its words that nobody knows, and the same attempt is sent again', async () => {
  server.on(placeOrders, () => refusal(500, 'internal_error', 'Something went wrong on our side.'))
  const hands = await openCart([meal({}, free)])
  await press(hands, /Place Order/)
  await said('Something went wrong on our side.')
  await said(mayBePlaced)
  server.on(placeOrders, placed())
  await press(hands, /Place Order/)
  await waitFor(() => expect(readCart(parent.id)).toEqual([]))
  expect(keys[1]).toBe(keys[0])
})

test('a server whose database is away may have placed the order too: the same attempt is sent again', async () => {
  server.on(placeOrders, () => refusal(503, 'unavailable', 'We cannot reach our records at the moment.'))
  const hands = await openCart([meal({}, free)])
  await press(hands, /Place Order/)
  await said('We cannot reach our records at the moment.')
  await said(mayBePlaced)
  server.on(placeOrders, placed())
  await press(hands, /Place Order/)
  await waitFor(() => expect(readCart(parent.id)).toEqual([]))
  expect(keys[1]).toBe(keys[0])
})
