import { act, screen, waitFor, within } from '@testing-library/react'
import { listMenu, validateItems } from '#contracts/catalogue'
import { listOrders, placeOrders } from '#contracts/ordering'
import { createPayment, recordAttempt, getPaymentBypass } from '#contracts/payments'
import { writeCart } from '../../web/features/cart/cart'
import { removePaid } from '../../web/features/cart/checkout/card-payment'
import { redirectTo } from '../../web/features/cart/checkout/card-redirect'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { created, freshTill, gone, openCart, pay, said } from './card-cart'
import { cartDays, mealOn, token, attempt, openPage, pass, pressNow } from './payment-page'
import { parent, order, stew } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  ;({ server, keys } = freshTill())
})

const noNetwork = () => {
  throw new TypeError('no network')
}

describe('a cart that costs something', () => {
  test('starts a payment, has it recorded, and follows to the payment page', async () => {
    const hands = await openCart([{ ...mealOn(1), comments: ' no onions ' }, mealOn(2)])
    await pay(hands)
    await screen.findByRole('button', { name: 'Opening the payment page' })
    gone()
    const line = { menuItemId: 1, studentId: 1, weekNumber: 2, originalPrice: 45, discountedPrice: 45 }
    const lines = [
      { ...line, dayOfWeek: 1, comments: 'no onions', discountPercentage: 0 },
      { ...line, dayOfWeek: 2, category: 'beef', sideDish: 'rice' },
    ]
    expect(server.asked(createPayment)[0]?.body).toMatchObject({
      amount: 90,
      currency: 'ZMW',
      customerEmail: 'mwila@example.com',
      customerFirstName: 'Mutinta',
      customerLastName: 'Mwila',
      redirectURL: 'http://localhost/payment/success',
      backURL: 'http://localhost/payment/cancel',
      paymentMethod: 'CC',
      cartItems: lines,
    })
    expect(server.asked(recordAttempt)[0]?.body).toMatchObject({
      transactionId: token,
      transactionRef: 'LP-1',
      paymentAmount: 90,
      transactionStatus: 'initiated',
      isRecovered: false,
      cartItems: lines,
    })
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('stays in the cart until the payment is known, then leaves it', async () => {
    const hands = await openCart()
    await pay(hands)
    await waitFor(gone)
    expect(cartDays()).toEqual(['1.1', '1.2'])
    act(() => removePaid(parent.id, token))
    expect(cartDays()).toEqual([])
  })

  test.each([
    ['by the browser', () => window.dispatchEvent(new Event('pageshow'))],
    ['to the page', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('whoever comes back %s can send it again, and reads what is ordered by then', async (_, comesBack) => {
    const hands = await openCart()
    await pay(hands)
    await screen.findByRole('button', { name: 'Opening the payment page' })
    const readings = server.asked(listOrders).length
    act(() => void comesBack())
    expect(await screen.findByRole('button', { name: 'Place Order · K90.00' })).toHaveProperty(
      'disabled',
      false,
    )
    await waitFor(() => expect(server.asked(listOrders).length).toBe(readings + 1))
  })

  test('a payment page that does not open within 15 s can be asked for again', async () => {
    const hands = await openCart()
    const { setTimeout: plain } = window
    const late: (() => void)[] = []
    // A mocked timer would make the library's own waiting believe in fake ones.
    window.setTimeout = ((act: () => void, ms?: number) => {
      if (ms === 15_000) late.push(act)
      return plain(act, ms)
    }) as typeof plain
    await pay(hands)
    await screen.findByRole('button', { name: 'Opening the payment page' })
    window.setTimeout = plain
    act(() => late[0]!())
    expect(await screen.findByRole('button', { name: 'Place Order · K90.00' })).toHaveProperty(
      'disabled',
      false,
    )
  })

  test('of somebody without a name is paid for under the username', async () => {
    const hands = await openCart([mealOn(1)], { ...parent, name: '', phone: '+260971' })
    await pay(hands)
    await waitFor(gone)
    expect(server.asked(createPayment)[0]?.body).toMatchObject({
      customerFirstName: 'mwila',
      customerLastName: '',
      customerPhone: '+260971',
    })
  })
})

describe('the key', () => {
  test('stays the same until an answer arrives', async () => {
    server.on(createPayment, noNetwork)
    const hands = await openCart()
    await pay(hands)
    await said('Failed to create payment token')
    server.on(createPayment, () => {
      throw new FakeRefusal(502, null)
    })
    await pay(hands)
    await waitFor(() => expect(keys).toHaveLength(3))
    server.on(createPayment, () => refusal(500, 'internal_error', 'Something went wrong on our side.'))
    await pay(hands)
    await said('Something went wrong on our side.')
    server.on(createPayment, created)
    await pay(hands)
    await waitFor(gone)
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(5)
  })

  test.each([
    [409, 'payment_in_progress'],
    [502, 'payment_failed'],
    [503, 'payments_unavailable'],
  ])('is a new one after a refusal: %i %s', async (status, code) => {
    server.on(createPayment, () => refusal(status, code, 'Refused for now'))
    const hands = await openCart()
    await pay(hands)
    await said('Refused for now')
    server.on(createPayment, created)
    await pay(hands)
    await waitFor(gone)
    expect(keys[1]).not.toBe(keys[0])
  })
})

describe('card bad line', () => {
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
      prompt: false,
      unpaidUntil: 'never',
      airtelMoney: off,
      mtnMoney: off,
      bankTransfer,
    })
    const payment = { reference: 'TS-1', amount: 90, instructions: { message: 'Pay' } }
    server.on(placeOrders, { orders: [order({ paymentStatus: 'pending' })], payment })
    await pay(hands)
    await said('Your cart is empty')
    expect(keys).toHaveLength(1)
  })
})
