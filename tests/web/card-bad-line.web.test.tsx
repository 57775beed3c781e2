import { screen, waitFor } from '@testing-library/react'
import { createPayment, recordAttempt } from '#contracts/payments'
import { redirectTo } from '../../web/features/cart/checkout/card-redirect'
import { writeCart } from '../../web/features/cart/cart'
import type { FakeServer } from './admin/fake-server'
import { created, freshTill, gone, openCart, pay, said } from './card-cart'
import { attempt, cartDays, mealOn, openPage, pass, pressNow, token } from './payment-page'
import { parent } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  ;({ server, keys } = freshTill())
})
afterEach(() => jest.useRealTimers())

const mayBePlaced = /^Your order may have been placed\. Press Place Order again/

test('a payment whose answer is lost goes on with the same attempt, and nothing is paid twice', async () => {
  server.on(createPayment, () => {
    throw new TypeError('no network')
  })
  const hands = await openCart()
  await pay(hands)
  await said('Failed to create payment token')
  await said(mayBePlaced)
  expect(cartDays()).toEqual(['1.1', '1.2'])
  server.on(createPayment, created)
  await pay(hands)
  await waitFor(gone)
  expect(new Set(keys).size).toBe(1)
})

test('a payment that nobody answers for is given up after a minute', async () => {
  jest.useFakeTimers()
  const network = globalThis.fetch
  writeCart(parent.id, [mealOn(1), mealOn(2)])
  await openPage('/?tab=cart')
  globalThis.fetch = (address, init) =>
    address === createPayment.path
      ? new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
        )
      : network(address, init)
  await pressNow('Place Order · K90.00')
  await pass(59_000)
  expect(screen.queryByText('Failed to create payment token')).not.toBeInTheDocument()
  await pass(1000)
  expect(screen.getByText('Failed to create payment token')).toBeInTheDocument()
  expect(screen.getByText(mayBePlaced)).toBeInTheDocument()
})

describe('a try of long ago that is answered now', () => {
  test('with a payment that was given up since leads to a new one', async () => {
    const fresh = '6E0F1B2C-0000-4000-8000-000000000002'
    let answers = 0
    server.on(createPayment, () => {
      answers += 1
      const TransToken = answers === 1 ? token : fresh
      return { ...created, TransToken, paymentUrl: `https://pay.example/page?ID=${TransToken}` }
    })
    server.on(recordAttempt, ({ body }) =>
      attempt((body as { transactionId: string }).transactionId === token ? 'failed' : 'initiated'),
    )
    const hands = await openCart()
    await pay(hands)
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith(`https://pay.example/page?ID=${fresh}`))
    expect(redirectTo).toHaveBeenCalledTimes(1)
    expect(keys).toHaveLength(2)
    expect(keys[1]).not.toBe(keys[0])
  })

  test('with a payment that was made since shows it instead of asking for money again', async () => {
    server.on(recordAttempt, attempt('verified'))
    const hands = await openCart()
    await pay(hands)
    await waitFor(() =>
      expect(redirectTo).toHaveBeenCalledWith(`http://localhost/payment/success?TransID=${token}`),
    )
    expect(keys).toHaveLength(1)
  })
})
