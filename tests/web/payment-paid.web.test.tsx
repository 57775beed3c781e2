import { cleanup, screen, within } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { listOrders } from '#contracts/ordering'
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
  openNow,
  openPage,
  paid,
  pass,
  passUntilTitle,
  pressNow,
  token,
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
const told = () => server.asked(updateAttempt).map(({ body }) => body)

describe('a payment that is paid', () => {
  test('is said, told to the server, and left for home after 3 s', async () => {
    server.on(verifyPayment, paid)
    await openNow(`/payment/success?TransID=${token}`)
    await passUntilTitle('Payment Successful')
    expect(screen.getByText('Your payment was received and your meals are ordered.')).toBeInTheDocument()
    expect(screen.getByText('You return home in 3 seconds.')).toBeInTheDocument()
    expect(document.title).toBe('Payment Successful · Parent & Teacher Portal')
    expect(server.asked(verifyPayment).map(({ params }) => params)).toEqual([{ transactionId: token }])
    expect(told()).toEqual([{ transactionId: token, transactionStatus: 'completed', errorDetails: null }])
    await pass(2999)
    expect(shownAddress()).toContain('/payment/success')
    await pass(1)
    expect(shownAddress()).toBe('/')
  })

  test('takes what was paid out of the cart and leaves what was added since', async () => {
    server.on(verifyPayment, paid)
    writeCart(parent.id, [mealOn(1), mealOn(2)])
    rememberPaying(parent.id, token, [mealOn(1)])
    await open()
    expect(cartDays()).toEqual(['1.2'])
  })

  test('empties a cart once: its page opened again leaves the cart of today alone', async () => {
    server.on(verifyPayment, paid)
    rememberPaying(parent.id, token, [mealOn(1)])
    await open()
    cleanup()
    writeCart(parent.id, [mealOn(1)])
    await open()
    expect(cartDays()).toEqual(['1.1'])
  })

  test('leaves the cart alone that another payment is for', async () => {
    server.on(verifyPayment, paid)
    writeCart(parent.id, [mealOn(1)])
    rememberPaying(parent.id, 'ANOTHER', [mealOn(1)])
    await open()
    expect(cartDays()).toEqual(['1.1'])
  })

  test('has the orders and the cycles read again at home', async () => {
    server.on(verifyPayment, paid)
    await open()
    await pass(3000)
    expect(server.asked(listOrders)).toHaveLength(1)
    expect(server.asked(listCycles)).toHaveLength(1)
  })

  test('is found by the other name of the token too', async () => {
    server.on(verifyPayment, paid)
    await open(`?TransactionToken=${token}`)
    expect(heading()).toBe('Payment Successful')
  })

  test('counts as paid although the server does not take our word', async () => {
    server.on(verifyPayment, paid)
    server.on(updateAttempt, () => refusal(500, 'internal_error', 'It broke'))
    await open()
    expect(heading()).toBe('Payment Successful')
  })

  test('shows the meals that could not be ordered until they have been read', async () => {
    server.on(verifyPayment, {
      ...paid,
      attention: [
        'Stew for Chanda on Monday, 14 September 2026: The school is closed on this day. We will contact you.',
      ],
    })
    await open()
    expect(screen.getByText(/The school is closed on this day/)).toBeInTheDocument()
    await pass(60_000)
    expect(shownAddress()).toContain('/payment/success')
    await pressNow('Open Order History')
    expect(shownAddress()).toBe('/?tab=orders')
  })

  test('stays with who reads slowly', async () => {
    server.on(verifyPayment, paid)
    await open()
    await pressNow('Stay on this page')
    expect(screen.getByRole('button', { name: 'Return to Home' })).toHaveFocus()
    expect(screen.queryByText(/You return home/)).not.toBeInTheDocument()
    await pass(60_000)
    expect(shownAddress()).toContain('/payment/success')
  })

  test('says what is happening until that is known, and that the page may be closed', async () => {
    const answers: ((reply: typeof paid) => void)[] = []
    server.on(verifyPayment, () => new Promise<typeof paid>((resolve) => answers.push(resolve)))
    await open()
    expect(heading()).toBe('Checking your payment')
    expect(document.title).toBe('Checking your payment · Parent & Teacher Portal')
    const live = screen.getByRole('heading', { level: 1 }).closest<HTMLElement>('[aria-live="polite"]')!
    expect(within(live).getByText(/We are asking the card provider/)).toBeInTheDocument()
    expect(within(live).getByText('Please do not pay again')).toBeInTheDocument()
    expect(
      within(live).getByText(/You can close this page: your payment goes on by itself/),
    ).toBeInTheDocument()
    expect(within(screen.getByRole('main')).queryByRole('button')).not.toBeInTheDocument()
    answers[0]?.(paid)
    await pass(50)
    expect(within(live).getByText('You return home in 3 seconds.')).toBeInTheDocument()
  })
})
