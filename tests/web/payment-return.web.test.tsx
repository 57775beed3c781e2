import { act, fireEvent, screen, cleanup, within } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { currentUser, login } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { updateAttempt, verifyPayment } from '#contracts/payments'
import { writeCart } from '../../web/features/cart/cart'
import { rememberPaying } from '../../web/features/cart/checkout/card-payment'
import { type FakeServer, refusal } from './admin/fake-server'
import { meal } from './cart-screen'
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
  openNow,
  passUntilTitle,
} from './payment-page'
import { bwalya, order, parent, teacher } from './sample-family'

let server: FakeServer
afterEach(() => jest.useRealTimers())

const open = (query = `?TransID=${token}`) => openPage(`/payment/success${query}`)

describe('payment return', () => {
  beforeEach(() => {
    jest.useFakeTimers()
    server = freshPortal()
    server.on(updateAttempt, attempt('verified'))
  })

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
      expect(screen.getByText(/continues even if you close this page/)).toBeInTheDocument()
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
})

describe('payment paid', () => {
  beforeEach(() => {
    jest.useFakeTimers()
    server = freshPortal()
    server.on(updateAttempt, attempt('verified'))
  })
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
      await pass(2990)
      expect(shownAddress()).toContain('/payment/success')
      await pass(10)
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

    test('says amount, meals, receipt and the way to the orders, and stays with whoever presses or focuses something', async () => {
      server.on(verifyPayment, paid)
      server.on(listOrders, [
        order({ receiptNumber: '12' }),
        order({ id: '2', dayOfWeek: 2, receiptNumber: '11' }),
      ])
      rememberPaying(parent.id, token, [mealOn(1)])
      await open()
      await pass(500)
      expect(screen.getByText('K45.00 paid')).toBeInTheDocument()
      const meals = screen.getByRole('region', { name: 'Chanda' })
      expect(within(meals).getByRole('heading', { name: 'Chanda' })).toBeInTheDocument()
      expect(
        within(meals)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent),
      ).toEqual(['Mon 14 Sept Stew'])
      const seeOrders = screen.getByRole('button', { name: 'See your orders' })
      expect(seeOrders.compareDocumentPosition(meals)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
      expect(screen.getByRole('link', { name: 'Receipt 12' })).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Share' })).not.toBeInTheDocument()
      fireEvent.pointerDown(screen.getByText('K45.00 paid'))
      await pass(60_000)
      expect(shownAddress()).toContain('/payment/success')
      await pressNow('See your orders')
      expect(shownAddress()).toBe('/?tab=orders')
    })

    test('is shared by the sheet of the phone, by child', async () => {
      const share = jest.fn(() => Promise.reject(new DOMException('Closed', 'AbortError')))
      Object.assign(navigator, { share })
      server.on(verifyPayment, paid)
      const forBwalya = { studentId: 2, student: { name: 'Bwalya', grade: '8' } as const }
      server.on(listOrders, [order({ id: '2', dayOfWeek: 2 }), order(), order({ id: '3', ...forBwalya })])
      rememberPaying(parent.id, token, [mealOn(1), mealOn(2), mealOn(1, bwalya)])
      await open()
      await pass(500)
      await pressNow('Share')
      expect(share).toHaveBeenCalledWith({
        title: 'School lunch',
        text: 'Chanda\nMon 14 Sept: Stew\nTue 15 Sept: Stew\n\nBwalya\nMon 14 Sept: Stew',
      })
      Reflect.deleteProperty(navigator, 'share')
    })

    test('counts its seconds from when the way home is seen', async () => {
      let see = () => undefined as void
      class Observer {
        constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
          see = () => seen([{ isIntersecting: true }])
        }
        observe() {}
        disconnect() {}
      }
      Object.assign(window, { IntersectionObserver: Observer })
      const place = jest
        .spyOn(HTMLElement.prototype, 'getBoundingClientRect')
        .mockReturnValue({ top: 900, bottom: 944 } as DOMRect)
      server.on(verifyPayment, paid)
      await open()
      await pass(60_000)
      expect(shownAddress()).toContain('/payment/success')
      act(() => see())
      await pass(2990)
      expect(shownAddress()).toContain('/payment/success')
      await pass(10)
      expect(shownAddress()).toBe('/')
      place.mockRestore()
      Reflect.deleteProperty(window, 'IntersectionObserver')
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
        within(live).getByText(/You can close this page: your payment continues without you/),
      ).toBeInTheDocument()
      expect(within(screen.getByRole('main')).queryByRole('button')).not.toBeInTheDocument()
      answers[0]?.(paid)
      await pass(50)
      expect(within(live).getByText('You return home in 3 seconds.')).toBeInTheDocument()
    })
  })
})

describe('payment cancel', () => {
  beforeEach(() => {
    jest.useFakeTimers()
    server = freshPortal()
    server.on(updateAttempt, attempt('failed'))
  })

  const open = (query: string, user = parent) => openPage(`/payment/cancel${query}`, user)

  test.each([parent, teacher])('is said, and stays', async (user) => {
    await open('', user)
    expect(heading()).toBe('Payment Cancelled')
    expect(screen.getByText('Your payment has been cancelled.')).toBeInTheDocument()
    expect(document.title).toBe('Payment Cancelled · Parent & Teacher Portal')
    expect(document.activeElement?.textContent).toBe('Payment Cancelled')
    await pass(60_000)
    expect(shownAddress()).toBe('/payment/cancel')
    expect(server.asked(updateAttempt)).toHaveLength(0)
  })

  test('says that the cart is still here where this device holds one', async () => {
    writeCart(parent.id, [meal()])
    await open('')
    expect(screen.getByText('Your payment has been cancelled. Your cart is still here.')).toBeInTheDocument()
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

  test('leads back to the cart, first of all, as a declined card does', async () => {
    await open('')
    await pass(500)
    expect(within(screen.getByRole('main')).getAllByRole('button')[0]).toHaveTextContent('Try again')
    await pressNow('Try again')
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
})
