import { screen, waitFor } from '@testing-library/react'
import { getCredit } from '#contracts/credit'
import { placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { readCart } from '../../web/features/cart/cart'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { created, freshTill, gone, openCart, pay, said } from './card-cart'
import { placed, total } from './cart-screen'
import { openPortal } from './open-portal'
import { order, parent } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

let server: FakeServer
beforeEach(() => {
  ;({ server } = freshTill())
})

const balance = (amount: number, held = 0) => server.on(getCredit, { balance: amount, held, entries: [] })
const covered = () =>
  server.on(createPayment, () => refusal(409, 'credit_covers', 'Your credit pays for all of it'))
const theSwitch = (words: string) => screen.findByRole('switch', { name: words })

/** The keys with which orders were sent. */
const orderKeys = () => {
  const keys: (string | null)[] = []
  const network = globalThis.fetch
  globalThis.fetch = async (address, init) => {
    if (init?.method === 'POST' && address === placeOrders.path)
      keys.push(new Headers(init.headers).get('Idempotency-Key'))
    return network(address, init)
  }
  return keys
}

describe('credit in the cart', () => {
  test('is used by default, and what is left to pay is told', async () => {
    balance(12.5)
    const hands = await openCart()
    expect(await theSwitch('Use K12.50 credit')).toBeChecked()
    await total('K90.00')
    expect(screen.getByText('Left to pay').parentElement?.textContent).toBe('Left to pay K77.50')
    expect(screen.getByRole('button', { name: 'Place Order · K77.50' })).toBeInTheDocument()
    await pay(hands)
    await waitFor(gone)
    expect(server.asked(createPayment)[0]?.body).toMatchObject({ amount: 90, useCredit: true })
  })

  test('can be kept for later', async () => {
    balance(12.5)
    const hands = await openCart()
    await hands.click(await theSwitch('Use K12.50 credit'))
    expect(await theSwitch('Use K12.50 credit')).not.toBeChecked()
    expect(screen.getByText('Left to pay').parentElement?.textContent).toBe('Left to pay K90.00')
    await pay(hands)
    await waitFor(gone)
    expect(server.asked(createPayment)[0]?.body).toMatchObject({ amount: 90, useCredit: false })
  })

  test.each([
    ['of which a part is left', 5],
    ['of which nothing is left', 0],
  ])('%s: what a payment under way holds is told', async (_which, left) => {
    balance(left, 7.5)
    await openCart()
    expect(await screen.findByText('K7.50 of your credit is held by a payment under way')).toBeInTheDocument()
    expect(screen.queryAllByRole('switch')).toHaveLength(left > 0 ? 1 : 0)
  })

  test('is not spoken of without a balance', async () => {
    await openCart()
    await total('K90.00')
    expect(screen.queryByRole('switch')).not.toBeInTheDocument()
    expect(screen.queryByText('Left to pay')).not.toBeInTheDocument()
    expect(screen.queryByText(/is held/)).not.toBeInTheDocument()
  })

  test('that covers all of it orders without a payment; the balance is read again', async () => {
    balance(100)
    covered()
    server.on(placeOrders, placed([order(), order({ id: '1.2026-09-22.1', dayOfWeek: 2 })]))
    const keys = orderKeys()
    const hands = await openCart()
    await theSwitch('Use K90.00 credit')
    expect(screen.getByRole('button', { name: 'Place Order · K0.00' })).toBeInTheDocument()
    const readings = server.asked(getCredit).length
    await pay(hands)
    await said('2 meals ordered.')
    expect(server.asked(placeOrders)[0]?.body).toMatchObject({
      cartItems: [{ dayOfWeek: 1 }, { dayOfWeek: 2 }],
      useCredit: true,
    })
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(readCart(parent.id)).toEqual([])
    await waitFor(() => expect(server.asked(getCredit).length).toBeGreaterThan(readings))
  })

  test('a sending that nobody answered is sent again as the same attempt, without asking for a payment', async () => {
    balance(100)
    covered()
    server.on(placeOrders, () => {
      throw new FakeRefusal(502, null)
    })
    const keys = orderKeys()
    const hands = await openCart()
    await theSwitch('Use K90.00 credit')
    await pay(hands)
    await said('No answer came')
    server.on(placeOrders, placed())
    await pay(hands)
    await said('1 meal ordered.')
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
    expect(server.asked(createPayment)).toHaveLength(1)
  })

  test('kept after a sending without an answer is another attempt', async () => {
    balance(12.5)
    server.on(createPayment, () => {
      throw new FakeRefusal(502, null)
    })
    const keys: (string | null)[] = []
    const network = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      if (address === createPayment.path) keys.push(new Headers(init?.headers).get('Idempotency-Key'))
      return network(address, init)
    }
    const hands = await openCart()
    await theSwitch('Use K12.50 credit')
    await pay(hands)
    await said('No answer came')
    server.on(createPayment, created)
    await hands.click(await theSwitch('Use K12.50 credit'))
    await pay(hands)
    await waitFor(gone)
    expect(keys).toHaveLength(2)
    expect(keys[1]).not.toBe(keys[0])
  })

  test('that was spent meanwhile is told at the meal', async () => {
    balance(100)
    covered()
    const message = 'The credit for this meal is gone'
    server.on(placeOrders, () =>
      refusal(422, 'lines_refused', 'Not like this', {
        lines: [{ index: 1, code: 'credit_gone', message }],
      }),
    )
    const hands = await openCart()
    await pay(hands)
    expect((await screen.findAllByText(message))[0]!.closest('li')).not.toBeNull()
    expect(readCart(parent.id)).toHaveLength(2)
  })
})

test('the head of the portal tells the balance', async () => {
  balance(12.5)
  openPortal('/', parent)
  expect((await screen.findByText('Credit K12.50')).closest('header')).not.toBeNull()
})

test('and nothing of it when it is zero', async () => {
  openPortal('/', parent)
  await waitFor(() => expect(server.asked(getCredit).length).toBeGreaterThan(0))
  expect(screen.queryByText(/^Credit/)).not.toBeInTheDocument()
})
