import { screen, waitFor, cleanup, within } from '@testing-library/react'
import { getCredit } from '#contracts/credit'
import { portal } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { type PaymentBypass, createPayment, getPaymentBypass } from '#contracts/payments'
import { readCart } from '../../web/features/cart/cart'
import { setSchoolNow } from '../../web/lib/school-moment'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { created, freshTill, gone, openCart, pay, said } from './card-cart'
import { placed, total } from './cart-screen'
import { openPortal, freshPortal } from './open-portal'
import { order, parent } from './sample-family'

jest.mock('../../web/features/cart/checkout/card-redirect', () => ({ redirectTo: jest.fn() }))

let server: FakeServer

describe('cart credit', () => {
  beforeEach(() => {
    ;({ server } = freshTill())
  })

  const balance = (amount: number, held = 0) => server.on(getCredit, { balance: amount, held, entries: [] })
  const covered = () =>
    server.on(createPayment, () => refusal(409, 'credit_covers', 'Your credit pays for all of it'))
  const theSwitch = (words: string) => screen.findByRole('switch', { name: words })

  /** The keys with which orders were sent. */
  const orderKeys = () => {
    const keys: (string | null)[] = []
    const network = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      if (init?.method === 'POST' && address === placeOrders.path)
        keys.push(new Headers(init.headers).get('Idempotency-Key'))
      return network(address, init)
    }
    return keys
  }

  describe('credit in the cart', () => {
    test('is used by default, and what is left to pay is told', async () => {
      balance(12.5)
      const hands = await openCart()
      expect(await theSwitch('Use K12.50 credit')).toBeChecked()
      await total('K90.00')
      expect(screen.getByText('Left to pay').parentElement?.textContent).toBe('Left to pay K77.50')
      expect(screen.getByRole('button', { name: 'Place Order · K77.50' })).toBeInTheDocument()
      await pay(hands)
      await waitFor(gone)
      expect(server.asked(createPayment)[0]?.body).toMatchObject({ amount: 90, useCredit: true })
    })

    test('can be kept for later', async () => {
      balance(12.5)
      const hands = await openCart()
      await hands.click(await theSwitch('Use K12.50 credit'))
      expect(await theSwitch('Use K12.50 credit')).not.toBeChecked()
      expect(screen.getByText('Left to pay').parentElement?.textContent).toBe('Left to pay K90.00')
      await pay(hands)
      await waitFor(gone)
      expect(server.asked(createPayment)[0]?.body).toMatchObject({ amount: 90, useCredit: false })
    })

    test.each([
      ['of which a part is left', 5],
      ['of which nothing is left', 0],
    ])('%s: what a payment under way holds is told', async (_which, left) => {
      balance(left, 7.5)
      await openCart()
      expect(
        await screen.findByText('K7.50 of your credit is held by a payment under way'),
      ).toBeInTheDocument()
      expect(screen.queryAllByRole('switch')).toHaveLength(left > 0 ? 1 : 0)
    })

    test('is not spoken of without a balance', async () => {
      await openCart()
      await total('K90.00')
      expect(screen.queryByRole('switch')).not.toBeInTheDocument()
      expect(screen.queryByText('Left to pay')).not.toBeInTheDocument()
      expect(screen.queryByText(/is held/)).not.toBeInTheDocument()
    })

    test('that covers all of it orders without a payment; the balance is read again', async () => {
      balance(100)
      covered()
      server.on(placeOrders, placed([order(), order({ id: '1.2026-09-22.1', dayOfWeek: 2 })]))
      const keys = orderKeys()
      const hands = await openCart()
      await theSwitch('Use K90.00 credit')
      expect(screen.getByRole('button', { name: 'Place Order · K0.00' })).toBeInTheDocument()
      const readings = server.asked(getCredit).length
      await pay(hands)
      await said('2 meals ordered.')
      expect(server.asked(placeOrders)[0]?.body).toMatchObject({
        cartItems: [{ dayOfWeek: 1 }, { dayOfWeek: 2 }],
        useCredit: true,
      })
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
      expect(readCart(parent.id)).toEqual([])
      await waitFor(() => expect(server.asked(getCredit).length).toBeGreaterThan(readings))
    })

    test('a sending that nobody answered is sent again as the same attempt, without asking for a payment', async () => {
      balance(100)
      covered()
      server.on(placeOrders, () => {
        throw new FakeRefusal(502, null)
      })
      const keys = orderKeys()
      const hands = await openCart()
      await theSwitch('Use K90.00 credit')
      await pay(hands)
      await said('No answer came')
      server.on(placeOrders, placed())
      await pay(hands)
      await said('1 meal ordered.')
      expect(keys).toHaveLength(2)
      expect(keys[1]).toBe(keys[0])
      expect(server.asked(createPayment)).toHaveLength(1)
    })

    test('kept after a sending without an answer is another attempt', async () => {
      balance(12.5)
      server.on(createPayment, () => {
        throw new FakeRefusal(502, null)
      })
      const keys: (string | null)[] = []
      const network = globalThis.fetch
      globalThis.fetch = async (address, init) => {
        if (address === createPayment.path) keys.push(new Headers(init?.headers).get('Idempotency-Key'))
        return network(address, init)
      }
      const hands = await openCart()
      await theSwitch('Use K12.50 credit')
      await pay(hands)
      await said('No answer came')
      server.on(createPayment, created)
      await hands.click(await theSwitch('Use K12.50 credit'))
      await pay(hands)
      await waitFor(gone)
      expect(keys).toHaveLength(2)
      expect(keys[1]).not.toBe(keys[0])
    })

    test('that was spent meanwhile is told at the meal', async () => {
      balance(100)
      covered()
      const message = 'The credit for this meal is gone'
      server.on(placeOrders, () =>
        refusal(422, 'lines_refused', 'Not like this', {
          lines: [{ index: 1, code: 'credit_gone', message }],
        }),
      )
      const hands = await openCart()
      await pay(hands)
      expect((await screen.findAllByText(message))[0]!.closest('li')).not.toBeNull()
      expect(readCart(parent.id)).toHaveLength(2)
    })
  })

  test('the head of the portal tells the balance', async () => {
    balance(12.5)
    openPortal('/', parent)
    expect((await screen.findByText('Credit K12.50')).closest('header')).not.toBeNull()
  })

  test('and nothing of it when it is zero', async () => {
    openPortal('/', parent)
    await waitFor(() => expect(server.asked(getCredit).length).toBeGreaterThan(0))
    expect(screen.queryByText(/^Credit/)).not.toBeInTheDocument()
  })
})

describe('cart pay by', () => {
  const settings: PaymentBypass = {
    enabled: false,
    beside: true,
    prompt: false,
    unpaidUntil: 'never',
    airtelMoney: { name: 'Tuckshop', number: '0971' },
    mtnMoney: { name: 'Tuckshop', number: '' },
    bankTransfer: { bankName: '', accountName: '', accountNumber: '12', branchName: '', swiftCode: '' },
  }
  beforeEach(() => {
    ;({ server } = freshTill())
    server.on(getPaymentBypass, settings)
  })

  const question = () => screen.findByRole('combobox', { name: 'How do you want to pay?' })
  const choose = async (hands: Awaited<ReturnType<typeof openCart>>, name: string) =>
    hands.selectOptions(await question(), name)
  const placing = () => {
    const message = 'Pay with Airtel Money and give the reference.'
    const instructions = { message, airtelMoney: { name: 'Tuckshop', number: '0971' } }
    const payment = { reference: 'LP-7K3QW9', amount: 90, instructions }
    server.on(placeOrders, { orders: [order({ paymentStatus: 'pending', payBy: 'airtel' })], payment })
  }

  describe('in the last half hour before the first cutoff', () => {
    const lapsing = { ...settings, unpaidUntil: 'cutoff' } as const
    const atTime = (time: string) => {
      const now = `2026-09-14T${time}.000Z`
      setSchoolNow(now)
      server.on(portal, { schoolName: 'Hill School', timezone: 'Africa/Lusaka', demo: false, now })
    }
    const tooLate = 'A transfer would come too late for Monday. Pay by card or on your phone.'
    beforeEach(() => {
      server.on(getPaymentBypass, lapsing)
      atTime('05:30:00')
    })
    afterEach(() => setSchoolNow(new Date().toISOString()))

    test('no way that lapses is offered, and the cart says why', async () => {
      await openCart()
      expect(await screen.findByText(tooLate)).toBeInTheDocument()
      const { options } = (await question()) as HTMLSelectElement
      expect([...options].map(({ text }) => text)).toEqual(['Choose', 'Card'])
      expect(await question()).toHaveValue('card')
    })

    test('earlier, and where unpaid meals stay, all are', async () => {
      atTime('05:29:00')
      await openCart()
      expect((await question()).querySelectorAll('option')).toHaveLength(4)
      cleanup()
      atTime('05:59:00')
      server.on(getPaymentBypass, settings)
      await openCart()
      expect((await question()).querySelectorAll('option')).toHaveLength(4)
      expect(screen.queryByText(tooLate)).not.toBeInTheDocument()
    })

    test('where another way replaces the card, the office is named', async () => {
      server.on(getPaymentBypass, { ...lapsing, enabled: true, beside: false })
      await openCart()
      const words = 'A transfer would come too late for Monday. Ask the office.'
      expect(await screen.findByText(words)).toBeInTheDocument()
    })
  })

  describe('with mobile money and bank beside the card', () => {
    test('the cart asks over the button how to pay, for what has a number; a press without an answer leads there', async () => {
      const hands = await openCart()
      const asked = await question()
      expect([...(asked as HTMLSelectElement).options].map(({ text }) => text)).toEqual([
        'Choose',
        'Card',
        'Airtel Money',
        'Bank transfer',
      ])
      const button = screen.getByRole('button', { name: /Place Order/ })
      expect(asked.closest('section')).toBe(button.closest('section'))
      await hands.click(button)
      expect(asked).toHaveFocus()
      expect(asked).toHaveAccessibleDescription('Choose how you want to pay')
      expect(server.asked(placeOrders)).toHaveLength(0)
      expect(server.asked(createPayment)).toHaveLength(0)
    })

    test('a chosen way places the order and says how to pay it', async () => {
      placing()
      const hands = await openCart()
      await choose(hands, 'Airtel Money')
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
      await choose(hands, 'Card')
      await pay(hands)
      await waitFor(gone)
      expect(server.asked(placeOrders)).toHaveLength(0)
      cleanup()
      await openCart()
      expect(await question()).toHaveValue('card')
    })

    test('a way that the school takes no longer is refused in words, and the cart stays', async () => {
      const said409 = 'The school does not take this way of paying. Please choose another.'
      server.on(placeOrders, () => refusal(409, 'way_not_offered', said409))
      const hands = await openCart()
      await choose(hands, 'Bank transfer')
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
      expect(screen.queryByRole('combobox', { name: 'How do you want to pay?' })).not.toBeInTheDocument()
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
    expect(screen.queryByRole('combobox')).not.toBeInTheDocument()
  })
})

describe('family credit', () => {
  beforeEach(() => {
    server = freshPortal()
  })

  test('the balance stands under Order History with its entries', async () => {
    const about = { orderId: '1.2026-09-21.1' }
    const at = '2026-09-14T06:05:00.000Z'
    server.on(getCredit, {
      balance: 30.5,
      held: 0,
      entries: [
        { at, kind: 'spent', amount: -15, balanceAfter: 30.5, about, text: 'Steak instead of Stew' },
        {
          at,
          kind: 'cancelled',
          amount: 45.5,
          balanceAfter: 45.5,
          about,
          text: 'Stew for Chanda: cancelled',
        },
      ],
    })
    openPortal('/?tab=orders', parent)
    expect(await screen.findByText('K30.50')).toBeInTheDocument()
    const entries = within(screen.getByRole('list', { name: 'Changes of your credit' })).getAllByRole(
      'listitem',
    )
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Steak instead of Stew.*K15\.00 used$/),
      expect.stringMatching(/^Stew for Chanda: cancelled.*K45\.50 added$/),
    ])
  })

  test.each([18, 0])('with K%d left it says what a payment under way holds', async (balance) => {
    server.on(getCredit, { balance, held: 12.5, entries: [] })
    openPortal('/?tab=orders', parent)
    expect(await screen.findByText('K12.50 is held by a payment under way')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Your credit' })).toBeInTheDocument()
  })

  test('without a balance nothing of it is shown', async () => {
    openPortal('/?tab=orders', parent)
    expect(await screen.findByText('No orders yet')).toBeInTheDocument()
    expect(screen.queryByText('Your credit')).not.toBeInTheDocument()
  })
})
