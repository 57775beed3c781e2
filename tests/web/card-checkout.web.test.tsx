import { act, screen, waitFor } from '@testing-library/react'
import { listOrders } from '#contracts/ordering'
import { createPayment, recordAttempt } from '#contracts/payments'
import { removePaid } from '../../web/features/cart/checkout/card-payment'
import { FakeRefusal, type FakeServer, refusal } from './admin/fake-server'
import { created, freshTill, gone, openCart, pay, said } from './card-cart'
import { cartDays, mealOn, token } from './payment-page'
import { parent } from './sample-family'

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

  test('whoever comes back by the browser can send it again, and reads what is ordered by then', async () => {
    const hands = await openCart()
    await pay(hands)
    await screen.findByRole('button', { name: 'Opening the payment page' })
    const back = Object.assign(new Event('pageshow'), { persisted: true })
    const readings = server.asked(listOrders).length
    act(() => void window.dispatchEvent(back))
    expect(await screen.findByRole('button', { name: 'Place Order · K90.00' })).toHaveProperty(
      'disabled',
      false,
    )
    await waitFor(() => expect(server.asked(listOrders).length).toBe(readings + 1))
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
