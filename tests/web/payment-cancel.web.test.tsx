import { cleanup, fireEvent, screen } from '@testing-library/react'
import { login } from '#contracts/identity'
import { updateAttempt, verifyPayment } from '#contracts/payments'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, shownAddress } from './open-portal'
import { attempt, heading, openNow, openPage, paid, pass, pressNow, token } from './payment-page'
import { parent, teacher } from './sample-family'

let server: FakeServer
beforeEach(() => {
  jest.useFakeTimers()
  server = freshPortal()
  server.on(updateAttempt, attempt('failed'))
})
afterEach(() => jest.useRealTimers())

const open = (query: string, user = parent) => openPage(`/payment/cancel${query}`, user)

test.each([parent, teacher])('is said, and stays', async (user) => {
  await open('', user)
  expect(heading()).toBe('Payment Cancelled')
  expect(screen.getByText('Your payment has been cancelled. Your cart is still here.')).toBeInTheDocument()
  expect(document.title).toBe('Payment Cancelled · Parent & Teacher Portal')
  expect(document.activeElement?.textContent).toBe('Payment Cancelled')
  await pass(60_000)
  expect(shownAddress()).toBe('/payment/cancel')
  expect(server.asked(updateAttempt)).toHaveLength(0)
})

test('goes on after 1.5 s to the path that it was given', async () => {
  await openNow('/payment/cancel?returnUrl=%2F%3Ftab%3Dcart')
  await pass(1499)
  expect(heading()).toBe('Payment Cancelled')
  await pass(1)
  expect(shownAddress()).toBe('/?tab=cart')
})

test('stays with who reads slowly', async () => {
  await open('?returnUrl=%2F%3Ftab%3Dcart')
  await pressNow('Stay on this page')
  expect(screen.getByRole('button', { name: 'Return to Home' })).toHaveFocus()
  await pass(60_000)
  expect(shownAddress()).toContain('/payment/cancel')
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'cart',
  'http://%',
  '',
])('goes nowhere else, as to %j', async (address) => {
  const query = `?returnUrl=${encodeURIComponent(address)}`
  await open(query)
  await pass(60_000)
  expect(heading()).toBe('Payment Cancelled')
  expect(shownAddress()).toBe(`/payment/cancel${query}`)
})

test('leads home', async () => {
  await open('')
  await pressNow('Return to Home')
  expect(shownAddress()).toBe('/')
})

test('leads back to the cart', async () => {
  await open('')
  await pressNow('Back to the cart')
  expect(shownAddress()).toBe('/?tab=cart')
})

describe('of a payment that the address names', () => {
  const query = `?TransactionToken=${token}&CompanyRef=LP-1`

  test('is told to the server, as advice', async () => {
    await open(query)
    expect(server.asked(updateAttempt).map(({ body }) => body)).toEqual([
      { transactionId: token, transactionStatus: 'cancelled', errorDetails: 'Payment cancelled' },
    ])
    await pass(60_000)
    expect(server.asked(updateAttempt)).toHaveLength(1)
    expect(heading()).toBe('Payment Cancelled')
  })

  test('that was paid all the same, leads to what became of it', async () => {
    server.on(updateAttempt, attempt('verified'))
    server.on(verifyPayment, paid)
    await open(query)
    await pass(100)
    expect(heading()).toBe('Payment Successful')
    expect(shownAddress()).toBe(`/payment/success?TransID=${token}`)
  })

  test.each([
    ['a foreign one', () => refusal(404, 'attempt_not_found', 'Payment not found')],
    [
      'no connection',
      () => {
        throw new TypeError('no network')
      },
    ],
  ])('is shown also when the server is not told: %s', async (_why, answer) => {
    server.on(updateAttempt, answer)
    await open(query)
    expect(heading()).toBe('Payment Cancelled')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('asks who was signed out to sign in, then tells', async () => {
    server.on(updateAttempt, () => refusal(401, 'not_signed_in', 'Not signed in'))
    await open(query)
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
    server.on(updateAttempt, attempt('failed'))
    server.on(login, parent)
    fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'mwila' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-password' } })
    await pressNow('Login to Portal')
    await pass(100)
    expect(heading()).toBe('Payment Cancelled')
    expect(server.asked(updateAttempt)).toHaveLength(1)
  })

  test('that may still go through is not to be paid again', async () => {
    server.on(updateAttempt, attempt('initiated'))
    await open(query)
    expect(heading()).toBe('Payment Cancelled')
    const live = screen.getByRole('heading', { level: 1 }).closest('[aria-live="polite"]')
    expect(live?.textContent).toContain('Please do not pay again')
  })

  test('that is over says nothing of the kind', async () => {
    await open(query)
    expect(screen.queryByText('Please do not pay again')).not.toBeInTheDocument()
  })

  test('is told although nobody stays to hear the answer', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const answered = globalThis.fetch
    globalThis.fetch = (address, init) => {
      if (String(address).endsWith('/update')) signals.push(init?.signal)
      return answered(address, init)
    }
    server.on(updateAttempt, () => new Promise<never>(() => undefined))
    await open(query)
    cleanup()
    await pass(10_000)
    expect(signals.map((signal) => signal?.aborted)).toEqual([false])
  })
})
