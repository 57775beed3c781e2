import { fireEvent, screen } from '@testing-library/react'
import { currentUser, login } from '#contracts/identity'
import { updateAttempt, verifyPayment } from '#contracts/payments'
import { rememberPaying } from '../../web/features/cart/checkout/card-payment'
import { writeCart } from '../../web/features/cart/cart'
import { type FakeServer, refusal } from './admin/fake-server'
import { freshPortal, shownAddress } from './open-portal'
import {
  attempt,
  cartDays,
  heading,
  mealOn,
  openPage,
  paid,
  pass,
  pressNow,
  token,
  unpaid,
} from './payment-page'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  jest.useFakeTimers()
  server = freshPortal()
  server.on(updateAttempt, attempt('verified'))
})
afterEach(() => jest.useRealTimers())

const open = (query = `?TransID=${token}`) => openPage(`/payment/success${query}`)

const signIn = async () => {
  fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'mwila' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-password' } })
  await pressNow('Login to Portal')
  await pass(100)
}

test('an address without a payment says so and stays', async () => {
  server.on(verifyPayment, paid)
  await open('')
  expect(heading()).toBe('Missing transaction ID')
  expect(document.title).toBe('Missing transaction ID · Parent & Teacher Portal')
  expect(screen.getByRole('button', { name: 'Open Order History' })).toBeInTheDocument()
  await pass(60_000)
  expect(server.asked(verifyPayment)).toHaveLength(0)
  await pressNow('Return to Home')
  expect(shownAddress()).toBe('/')
})

describe('somebody who is not signed in', () => {
  test('reads that the payment goes on, signs in, and sees what became of it', async () => {
    server.on(verifyPayment, paid)
    server.on(login, parent)
    await openPage(`/payment/success?TransID=${token}`, null)
    expect(heading()).toBe('Your payment is being checked')
    expect(screen.getByText(/Please do not pay again/)).toBeInTheDocument()
    expect(server.asked(verifyPayment)).toHaveLength(0)
    await signIn()
    expect(heading()).toBe('Payment Successful')
    expect(document.activeElement?.textContent).toBe('Payment Successful')
  })

  test('hears of no payment where the address names none', async () => {
    await openPage('/payment/success', null)
    expect(heading()).toBe('Missing transaction ID')
    expect(screen.queryByText(/being checked/)).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  })

  test('keeps the cart, and what of it this payment is for, until they are signed in again', async () => {
    server.on(verifyPayment, () => refusal(401, 'not_signed_in', 'Not signed in'))
    writeCart(parent.id, [mealOn(1), mealOn(2)])
    rememberPaying(parent.id, token, [mealOn(1)])
    await open()
    expect(heading()).toBe('Your payment is being checked')
    expect(screen.getByText(/goes on by itself, also when you close this page/)).toBeInTheDocument()
    expect(cartDays()).toEqual(['1.1', '1.2'])
    server.on(verifyPayment, paid)
    server.on(login, parent)
    await signIn()
    expect(heading()).toBe('Payment Successful')
    expect(cartDays()).toEqual(['1.2'])
  })

  test('is asked to when the session ends while the payment is checked', async () => {
    server.on(verifyPayment, () => refusal(401, 'not_signed_in', 'Not signed in'))
    await open()
    expect(heading()).toBe('Your payment is being checked')
    expect(server.asked(currentUser)).toHaveLength(0)
    expect(server.asked(verifyPayment)).toHaveLength(1)
    await pass(60_000)
    expect(server.asked(verifyPayment)).toHaveLength(1)
  })

  test('can ask for a new password', async () => {
    await openPage(`/payment/success?TransID=${token}`, null)
    await pressNow('Forgot your password?')
    jest.useRealTimers()
    expect(await screen.findByRole('dialog', { name: 'Reset Password' })).toBeInTheDocument()
  })
})

test('what changes is announced, and the title has the focus', async () => {
  server.on(verifyPayment, unpaid('initiated', '900'))
  await open()
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  const live = screen.getByRole('heading', { level: 1 }).closest('[aria-live="polite"]')
  server.on(verifyPayment, paid)
  await pass(3000)
  expect(live?.textContent).toContain('Payment Successful')
  expect(live?.isConnected).toBe(true)
})
