import { screen, waitFor, within } from '@testing-library/react'
import { listMenu, validateItems } from '#contracts/catalogue'
import { placeOrders } from '#contracts/ordering'
import { createPayment, getPaymentBypass, recordAttempt } from '#contracts/payments'
import { redirectTo } from '../../web/features/cart/checkout/card-redirect'
import { FakeRefusal, type FakeServer, refusal } from './admin/fake-server'
import { created, freshTill, gone, openCart, pay, said } from './card-cart'
import { cartDays } from './payment-page'
import { order, stew } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  ;({ server, keys } = freshTill())
})

const refuse = (status: number, code: string, message: string, more?: Record<string, unknown>) =>
  server.on(createPayment, () => refusal(status, code, message, more))

const answered = (reply: unknown) => {
  const network = globalThis.fetch
  globalThis.fetch = async (address, init) =>
    address === createPayment.path
      ? ({
          ok: true,
          status: 200,
          headers: new Headers(),
          text: async () => JSON.stringify(reply),
        } as Response)
      : network(address, init)
}

const stopped = () => {
  expect(redirectTo).not.toHaveBeenCalled()
  expect(cartDays()).toEqual(['1.1', '1.2'])
}

describe('what stops it', () => {
  test.each([
    ['the amount', 422, 'amount_mismatch', undefined, 'Payment amount does not match cart total'],
    ['the provider', 502, 'payment_failed', undefined, 'Payment initialization failed'],
    ['the provider, in its own words', 502, 'payment_failed', 'Over the limit', 'Over the limit'],
    ['an empty cart', 422, 'validation_failed', undefined, 'No items found in cart'],
  ])("%s: the server's words", async (_what, status, code, ResultExplanation, text) => {
    refuse(status, code, ResultExplanation ? 'Payment initialization failed' : text, { ResultExplanation })
    const hands = await openCart()
    await pay(hands)
    await said(text)
    stopped()
    expect(server.asked(recordAttempt)).toHaveLength(0)
  })

  test.each([
    ['no address of a payment page', { ...created, paymentUrl: '' }],
    ['an address that is no web page', { ...created, paymentUrl: 'javascript:alert(1)' }],
    ['no token', { ...created, TransToken: undefined }],
    ['success and nothing else', { Result: '000', ResultExplanation: 'Transaction created' }],
  ])('an answer with %s', async (_what, reply) => {
    answered(reply)
    const hands = await openCart()
    await pay(hands)
    await said('Invalid payment response received')
    stopped()
  })

  test.each([
    [{ ...created, Result: '904', ResultExplanation: 'Card not accepted' }, 'Card not accepted'],
    [{ Result: 5, ResultExplanation: 'Over the limit' }, 'Over the limit'],
    [{ Result: '904', ResultExplanation: '' }, 'Payment initialization failed'],
    [{ Result: '904' }, 'Payment initialization failed'],
  ])('an answer whose result is no success: %j', async (reply, text) => {
    answered(reply)
    const hands = await openCart()
    await pay(hands)
    await said(text)
    stopped()
  })

  test('an answer whose result is the number 0 goes on', async () => {
    answered({ ...created, Result: 0 })
    const hands = await openCart()
    await pay(hands)
    await waitFor(gone)
  })

  test('refused lines, each at its line', async () => {
    const lines = [
      { index: 0, code: 'already_ordered', message: 'You already have an order for this day' },
      { index: 1, code: 'day_reserved', message: 'An order for this day is being paid for' },
    ]
    refuse(409, 'lines_refused', '2 meals in your cart cannot be ordered', { lines })
    const hands = await openCart()
    await pay(hands)
    await said('2 meals in your cart cannot be ordered')
    const tuesday = within(screen.getByText(/^Tuesday, 15 September/).closest('li')!)
    expect(tuesday.getByText('An order for this day is being paid for')).toBeInTheDocument()
    stopped()
  })

  test('a price that has changed is shown as it is now', async () => {
    const lines = [{ index: 0, code: 'price_changed', message: 'The price of this meal has changed' }]
    refuse(422, 'lines_refused', 'The price of this meal has changed', { lines })
    const hands = await openCart()
    server.on(listMenu, [{ ...stew, price: '50' }])
    await pay(hands)
    await said('K100.00')
    stopped()
  })

  test('meals that went at the last moment, by name', async () => {
    server.on(recordAttempt, () =>
      refusal(400, 'items_unavailable', 'Some items in your cart are no longer available', {
        unavailableItems: ['Stew'],
        archivedItems: ['Pizza', 'Stew'],
        missingItems: [],
      }),
    )
    const hands = await openCart()
    await pay(hands)
    await said('Cart Items Unavailable')
    await said('Some items in your cart are no longer available')
    await said('Stew, Pizza')
    await waitFor(() => expect(server.asked(validateItems).length).toBeGreaterThan(2))
    stopped()
  })

  test.each([
    [
      'no connection',
      () => {
        throw new TypeError('no network')
      },
    ],
    [
      'no words',
      () => {
        throw new FakeRefusal(502, null)
      },
    ],
  ])('a payment that could not be recorded: %s', async (_why, answer) => {
    server.on(recordAttempt, answer)
    const hands = await openCart()
    await pay(hands)
    await said('Failed to create payment attempt')
    stopped()
  })
})

describe('what stays above the cart, with what to do next', () => {
  test.each([
    [409, 'payment_in_progress', 'A payment for these meals is in progress', /please do not pay again/],
    [503, 'card_payments_off', 'Card payments are switched off', /try again later/],
    [503, 'payments_unavailable', 'Payment initialization failed', /try again in a few minutes/],
    [502, 'payment_failed', 'Payment initialization failed', /Nothing was charged/],
  ])('%i %s', async (status, code, title, advice) => {
    server.on(createPayment, () => refusal(status, code, title))
    const hands = await openCart()
    await pay(hands)
    await said(title)
    await said(advice)
  })

  test('the way that the server points to', async () => {
    const details = 'You can pay with mobile money: see the notice at the tuckshop.'
    server.on(createPayment, () =>
      refusal(503, 'payments_unavailable', 'Payment initialization failed', { details }),
    )
    const hands = await openCart()
    await pay(hands)
    await said(details)
  })

  test('alternative payments that were switched on meanwhile: the next try takes them', async () => {
    const text = 'Alternative payment methods are available. Please check your email for instructions.'
    server.on(createPayment, () => refusal(409, 'payment_bypass', text))
    const hands = await openCart()
    await pay(hands)
    await said(text)
    await said('Please place the order again to pay in another way.')
    const off = { name: '', number: '' }
    const bankTransfer = { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' }
    server.on(getPaymentBypass, {
      enabled: true,
      beside: false,
      unpaidUntil: 'never',
      airtelMoney: off,
      mtnMoney: off,
      bankTransfer,
    })
    const payment = { reference: 'TS-1', amount: 90, instructions: {} }
    server.on(placeOrders, { orders: [order({ paymentStatus: 'pending' })], payment })
    await pay(hands)
    await said('Your cart is empty')
    expect(keys).toHaveLength(1)
  })
})
