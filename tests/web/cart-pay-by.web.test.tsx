import { cleanup, screen, waitFor } from '@testing-library/react'
import { getCredit } from '#contracts/credit'
import { placeOrders } from '#contracts/ordering'
import { createPayment, getPaymentBypass, type PaymentBypass } from '#contracts/payments'
import { readCart } from '../../web/features/cart/cart'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshTill, gone, openCart, pay, said } from './card-cart'
import { placed } from './cart-screen'
import { order, parent } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

const settings: PaymentBypass = {
  enabled: false,
  beside: true,
  unpaidUntil: 'never',
  airtelMoney: { name: 'Tuckshop', number: '0971' },
  mtnMoney: { name: 'Tuckshop', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '12', branchName: '', swiftCode: '' },
}

let server: FakeServer
beforeEach(() => {
  ;({ server } = freshTill())
  server.on(getPaymentBypass, settings)
})

const radio = (name: string | RegExp) => screen.findByRole('radio', { name })
const placing = () => {
  const message = 'Pay with Airtel Money and give the reference.'
  const instructions = { message, airtelMoney: { number: '0971' } }
  const payment = { reference: 'LP-7K3QW9', amount: 90, instructions }
  server.on(placeOrders, { orders: [order({ paymentStatus: 'pending', payBy: 'airtel' })], payment })
}

describe('with mobile money and bank beside the card', () => {
  test('the cart asks how to pay, for what has a number, and waits for the answer', async () => {
    await openCart()
    await radio('Card')
    expect(screen.getByRole('radiogroup', { name: 'How do you want to pay?' })).toBeInTheDocument()
    expect(screen.getAllByRole('radio').map((one) => one.getAttribute('aria-checked'))).toEqual([
      'false',
      'false',
      'false',
    ])
    expect(screen.queryByRole('radio', { name: 'MTN Money' })).not.toBeInTheDocument()
    expect(screen.getByText('Choose how you want to pay')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: /Place Order/ })).toBeDisabled()
  })

  test('a chosen way places the order and says how to pay it', async () => {
    placing()
    const hands = await openCart()
    await hands.click(await radio('Airtel Money'))
    await pay(hands)
    await said(/Please pay now with Airtel Money/)
    const dialog = await screen.findByRole('dialog', { name: 'How to pay' })
    expect(dialog).toHaveTextContent('LP-7K3QW9')
    expect(dialog).toHaveTextContent('Please pay with Airtel Money and quote the reference.')
    expect(dialog).not.toHaveTextContent('one of these')
    expect(server.asked(placeOrders)[0]?.body).toMatchObject({ payBy: 'airtel', useCredit: true })
    expect(server.asked(createPayment)).toHaveLength(0)
    expect(readCart(parent.id)).toEqual([])
  })

  test('the card leads to its page, and the device remembers the choice', async () => {
    const hands = await openCart()
    await hands.click(await radio('Card'))
    await pay(hands)
    await waitFor(gone)
    expect(server.asked(placeOrders)).toHaveLength(0)
    cleanup()
    await openCart()
    expect(await radio('Card')).toBeChecked()
  })

  test('a way that the school takes no longer is refused in words, and the cart stays', async () => {
    const said409 = 'The school does not take this way to pay. Please choose another one.'
    server.on(placeOrders, () => refusal(409, 'way_not_offered', said409))
    const hands = await openCart()
    await hands.click(await radio('Bank transfer'))
    await pay(hands)
    await said('Choose another way to pay')
    await said(said409)
    expect(readCart(parent.id)).toHaveLength(2)
  })

  test('nothing is asked where credit covers it', async () => {
    server.on(getCredit, { balance: 90, held: 0, entries: [] })
    server.on(createPayment, () => refusal(409, 'credit_covers', 'Your credit covers these meals'))
    server.on(placeOrders, placed())
    const hands = await openCart()
    await screen.findByText('Left to pay')
    expect(screen.queryByRole('radiogroup', { name: 'How do you want to pay?' })).not.toBeInTheDocument()
    await pay(hands)
    await said('Order placed')
    expect(server.asked(placeOrders)[0]?.body).not.toHaveProperty('payBy')
  })
})

test.each([
  ['with the card alone', { beside: false }],
  [
    'without any number',
    {
      airtelMoney: { name: 'Tuckshop', number: '' },
      bankTransfer: { ...settings.bankTransfer, accountNumber: '' },
    },
  ],
])('%s nothing is asked', async (_name, more) => {
  server.on(getPaymentBypass, { ...settings, ...more })
  const hands = await openCart()
  await pay(hands)
  await waitFor(gone)
  expect(screen.queryByRole('radio')).not.toBeInTheDocument()
})
