import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, screen, act, render } from '@testing-library/react'
import { getPaymentBypass, updateAttempt, verifyPayment } from '#contracts/payments'
import { appQueryClient } from '../../web/app/app'
import { writeCart, useCart } from '../../web/features/cart/cart'
import { rememberPaying, removePaid } from '../../web/features/cart/checkout/card-payment'
import { useCheckout } from '../../web/features/cart/checkout/use-checkout'
import { ownPath } from '../../web/features/payment/api'
import { cartKey } from '../../web/queries/cart-here'
import { Toasts } from '../../web/ui/toasts'
import './admin/browser-gaps'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { freshPortal, shownAddress } from './open-portal'
import {
  attempt,
  cartDays,
  heading,
  mealOn,
  openPage,
  paid,
  pass,
  passUntilTitle,
  pressNow,
  token,
  unpaid,
} from './payment-page'
import { parent } from './sample-family'

describe('payment unverified', () => {
  let server: FakeServer
  beforeEach(() => {
    jest.useFakeTimers()
    server = freshPortal()
    server.on(updateAttempt, attempt('verified'))
  })
  afterEach(() => jest.useRealTimers())

  const open = (query = `?TransID=${token}`) => openPage(`/payment/success${query}`)
  const told = () => server.asked(updateAttempt).map(({ body }) => body)

  describe('a card that was declined', () => {
    test('is said at once, and nothing leads away before it is read', async () => {
      server.on(verifyPayment, unpaid('failed', '901', true))
      await open()
      expect(heading()).toBe('Card declined')
      expect(screen.getByText('Your card was declined. Nothing was charged.')).toBeInTheDocument()
      expect(screen.queryByText('Please do not pay again')).not.toBeInTheDocument()
      await pass(60_000)
      expect(shownAddress()).toContain('/payment/success')
      expect(server.asked(verifyPayment)).toHaveLength(1)
    })

    test('can be tried again with the same cart', async () => {
      server.on(verifyPayment, unpaid('failed', '901', true))
      writeCart(parent.id, [mealOn(1)])
      await open()
      await pressNow('Try again')
      expect(shownAddress()).toBe('/?tab=cart')
      expect(cartDays()).toEqual(['1.1'])
    })

    test('can be paid for in the other ways that the school takes', async () => {
      server.on(verifyPayment, unpaid('failed', '901', true))
      server.on(getPaymentBypass, {
        enabled: false,
        beside: true,
        prompt: false,
        unpaidUntil: 'never',
        airtelMoney: { name: 'Tuckshop', number: '0971' },
        mtnMoney: { name: '', number: '' },
        bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
      })
      writeCart(parent.id, [mealOn(1)])
      await open()
      expect(screen.queryByRole('button', { name: 'Pay with MTN Money' })).not.toBeInTheDocument()
      await pressNow('Pay with Airtel Money')
      expect(shownAddress()).toBe('/?tab=cart')
      await pass(100)
      expect(screen.getByRole('combobox', { name: 'How do you want to pay?' })).toHaveValue('airtel')
    })

    test('is said also to who turned back', async () => {
      server.on(updateAttempt, { ...attempt('failed'), declined: true })
      await openPage(`/payment/cancel?TransactionToken=${token}`)
      expect(heading()).toBe('Card declined')
      expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument()
    })
  })

  describe('a payment that is not paid', () => {
    const text = "We couldn't verify your payment. Please contact support if payment was made."

    test('is asked about four times, 3 s apart, then said, and left for home after 5 s', async () => {
      const askedAt: number[] = []
      server.on(verifyPayment, () => {
        askedAt.push(Date.now())
        return unpaid('failed')
      })
      await open()
      await pass(8900)
      expect(heading()).toBe('Checking your payment')
      await passUntilTitle('Payment Verification Failed')
      expect(askedAt.map((at) => at - askedAt[0]!)).toEqual([0, 3000, 6000, 9000])
      expect(screen.getByText(text)).toBeInTheDocument()
      expect(screen.queryByText('Please do not pay again')).not.toBeInTheDocument()
      expect(told()).toEqual([
        { transactionId: token, transactionStatus: 'failed', errorDetails: 'Failed to verify payment' },
      ])
      expect(screen.getByText('You return home in 5 seconds.')).toBeInTheDocument()
      expect(document.title).toBe('Payment Verification Failed · Parent & Teacher Portal')
      await pass(4999)
      expect(shownAddress()).toContain('/payment/success')
      await pass(1)
      expect(shownAddress()).toBe('/')
      expect(askedAt).toHaveLength(4)
    })

    test('keeps the cart', async () => {
      server.on(verifyPayment, unpaid('failed'))
      writeCart(parent.id, [mealOn(1)])
      rememberPaying(parent.id, token, [mealOn(1)])
      await open()
      await pass(9000)
      expect(screen.getByText('Your cart is kept.')).toBeInTheDocument()
      expect(cartDays()).toEqual(['1.1'])
      await pressNow('Back to the cart')
      expect(shownAddress()).toBe('/?tab=cart')
      expect(cartDays()).toEqual(['1.1'])
    })

    test.each([
      ['LP-7K3QW9ZD2M', true],
      ['LP-7K3QW9ZD2M, call 0900 123 456', false],
      ['', false],
    ])('has the reference to ask about it by: %j', async (reference, isShown) => {
      server.on(verifyPayment, unpaid('failed'))
      await open(`?TransID=${token}&CompanyRef=${encodeURIComponent(reference)}`)
      expect(screen.queryByText(/^Reference/)).not.toBeInTheDocument()
      await pass(9000)
      expect(screen.queryByText(/^Reference/)?.textContent ?? null).toBe(
        isShown ? `Reference ${reference}` : null,
      )
    })

    test('until it is, is said to be paid as soon as that is known', async () => {
      server.on(verifyPayment, unpaid('initiated', '900'))
      await open()
      server.on(verifyPayment, paid)
      await pass(3000)
      expect(heading()).toBe('Payment Successful')
      expect(server.asked(verifyPayment)).toHaveLength(1)
    })

    test('yet goes on by itself, and is not to be paid again', async () => {
      server.on(verifyPayment, unpaid('initiated', '003'))
      await open()
      await pass(9000)
      expect(heading()).toBe('Payment Verification Failed')
      expect(screen.getByText(text)).toBeInTheDocument()
      expect(screen.getByText('Please do not pay again')).toBeInTheDocument()
      expect(screen.getByText(/your payment continues without you/)).toBeInTheDocument()
      expect(told()).toEqual([])
      expect(screen.getByRole('button', { name: 'Open Order History' })).toBeInTheDocument()
      await pass(5000)
      expect(shownAddress()).toBe('/')
    })

    test('and is none of ours is not asked about again', async () => {
      server.on(verifyPayment, () => refusal(404, 'attempt_not_found', 'Payment not found'))
      await open()
      expect(heading()).toBe('Payment Verification Failed')
      expect(screen.getByText(text)).toBeInTheDocument()
      await pass(5000)
      expect(server.asked(verifyPayment)).toHaveLength(1)
      expect(shownAddress()).toBe('/')
    })
  })

  describe('a payment nobody can tell about', () => {
    const text = 'Failed to verify payment. Please check your order status in the order history.'
    const failures: [string, () => never, string][] = [
      [
        'no connection',
        () => {
          throw new TypeError('no network')
        },
        'Failed to verify payment',
      ],
      [
        'a fault',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to verify payment',
      ],
      ['too many calls', () => refusal(429, 'too_many_requests', 'Slow down'), 'Failed to verify payment'],
      [
        'an answer without sense',
        () => {
          throw new SyntaxError('no JSON')
        },
        'Invalid verification response',
      ],
    ]

    test.each(failures)(
      'for %s is asked about four times, then home after 5 s',
      async (_why, fail, details) => {
        server.on(verifyPayment, fail)
        await open()
        await pass(9000)
        expect(server.asked(verifyPayment)).toHaveLength(4)
        expect(heading()).toBe('Verification Error')
        expect(screen.getByText(text)).toBeInTheDocument()
        expect(screen.getByText('Please do not pay again')).toBeInTheDocument()
        expect(told()).toMatchObject([{ transactionStatus: 'failed', errorDetails: details }])
        await pass(5000)
        expect(shownAddress()).toBe('/')
      },
    )

    test('is not waited for longer than 15 s at a time', async () => {
      server.on(verifyPayment, () => new Promise<never>(() => undefined))
      const answered = globalThis.fetch
      globalThis.fetch = (address, init) =>
        Promise.race([
          answered(address, init),
          new Promise<never>((_resolve, reject) =>
            init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
          ),
        ])
      await open()
      await pass(14_900)
      expect(server.asked(verifyPayment)).toHaveLength(1)
      server.on(verifyPayment, paid)
      await pass(3100)
      expect(heading()).toBe('Payment Successful')
    })

    test('is told once the connection is back', async () => {
      server.on(verifyPayment, () => {
        throw new TypeError('no network')
      })
      await open()
      server.on(verifyPayment, paid)
      await pass(3000)
      expect(heading()).toBe('Payment Successful')
    })
  })

  test('whoever has left is not asked for any longer', async () => {
    server.on(verifyPayment, unpaid('initiated', '900'))
    await open()
    cleanup()
    await pass(60_000)
    expect(server.asked(verifyPayment)).toHaveLength(1)
    expect(told()).toEqual([])
  })
})

describe('card payment', () => {
  beforeEach(() => localStorage.clear())

  const Sender = () => {
    const checkout = useCheckout(useCart(parent.id), parent, {
      useCredit: true,
      payBy: 'card',
      phone: null,
      problem: null,
      isInConflict: false,
    })
    return (
      <button type="button" onClick={checkout.place}>
        Send
      </button>
    )
  }

  test('an empty cart is not sent', async () => {
    render(
      <QueryClientProvider client={appQueryClient()}>
        <Sender />
        <Toasts />
      </QueryClientProvider>,
    )
    act(() => screen.getByText('Send').click())
    expect(await screen.findByText('Cannot proceed with payment: No items in cart')).toBeInTheDocument()
  })

  describe('what is kept of a payment on this device', () => {
    const key = `${cartKey(parent.id)}-paying`

    test('goes with it', () => {
      rememberPaying(parent.id, token, [mealOn(1)])
      removePaid(parent.id, token)
      expect(localStorage.getItem(key)).toBeNull()
    })

    test.each(['{', 'null', '{"transactionId":1}', '[]'])('may be broken: %s', (text) => {
      localStorage.setItem(key, text)
      writeCart(parent.id, [mealOn(1)])
      removePaid(parent.id, token)
      expect(cartDays()).toEqual(['1.1'])
    })

    test('names days, whatever is eaten on them by then', () => {
      rememberPaying(parent.id, token, [mealOn(1)])
      writeCart(parent.id, [{ ...mealOn(1), comments: 'no onions' }])
      removePaid(parent.id, token)
      expect(cartDays()).toEqual([])
    })
  })

  test.each([
    ['/', '/'],
    ['/?tab=cart#top', '/?tab=cart#top'],
    ['/a/../b', '/b'],
    ['https://school.test/', null],
    ['//evil.example', null],
    ['/\\evil.example', null],
    ['/\n/evil.example', null],
    ['/a/..//evil.example', null],
    ['/.//evil.example', null],
    ['/%2F/evil.example', '/%2F/evil.example'],
    ['javascript:alert(1)', null],
    ['tab', null],
    ['', null],
    [null, null],
  ])('the own path in %j is %j', (asked, path) => {
    expect(ownPath(asked, 'https://school.test')).toBe(path)
  })
})
