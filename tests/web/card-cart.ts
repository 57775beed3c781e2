import { screen } from '@testing-library/react'
import { createPayment, recordAttempt } from '#contracts/payments'
import { writeCart } from '../../web/features/cart/cart'
import { redirectTo } from '../../web/features/cart/checkout/card-redirect'
import { freshPortal, openPortal, press } from './open-portal'
import { attempt, mealOn, token } from './payment-page'
import { parent } from './sample-family'

const paymentUrl = `https://pay.example/page?ID=${token}`
export const created = {
  Result: '000' as const,
  ResultExplanation: 'Transaction created',
  TransToken: token,
  companyRef: 'LP-1',
  paymentUrl,
  prompt: null,
}

/** A tuckshop that takes cards, and the keys with which payments were asked for. Needs `redirectTo` to be a mock. */
export const freshTill = () => {
  jest.mocked(redirectTo).mockClear()
  const server = freshPortal()
  server.on(createPayment, created)
  server.on(recordAttempt, attempt('initiated'))
  const keys: (string | null)[] = []
  const network = globalThis.fetch
  globalThis.fetch = async (address, init) => {
    if (address === createPayment.path) keys.push(new Headers(init?.headers).get('Idempotency-Key'))
    return network(address, init)
  }
  return { server, keys }
}

/** Opens a cart of two meals, K90.00. */
export const openCart = async (items = [mealOn(1), mealOn(2)], user = parent) => {
  writeCart(user.id, items)
  const hands = openPortal('/?tab=cart', user)
  await screen.findByRole('button', { name: /Place Order/ })
  return hands
}

export const pay = async (hands: Awaited<ReturnType<typeof openCart>>) => press(hands, /Place Order/)

export const said = async (text: string | RegExp) =>
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)

export const gone = () => expect(redirectTo).toHaveBeenCalledWith(paymentUrl)
