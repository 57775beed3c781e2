import { act, screen, waitFor, within } from '@testing-library/react'
import { listMenu, validateItems } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { currentUser, updateProfile } from '#contracts/identity'
import { confirmPhone, getUserMessages } from '#contracts/messages'
import { type OrderStatus, listOrders, placeOrders } from '#contracts/ordering'
import { getPaymentBypass } from '#contracts/payments'
import { readCart, pricedAs, writeCart } from '../../web/features/cart/cart'
import { cartKey } from '../../web/queries/cart-here'
import { type FakeServer, refusal } from './admin/fake-server'
import { forBwalya, free, freshShop, lineOf, meal, openCart, placed, said, total } from './cart-screen'
import { openPortal, press, shownAddress, freshPortal } from './open-portal'
import { cartDays, mealOn } from './payment-page'
import { order, parent, stew, userMessages, pizza, bwalya, cycle } from './sample-family'

let server: FakeServer

describe('cart', () => {
  let keys: (string | null)[]
  beforeEach(() => {
    ;({ server, keys } = freshShop())
  })

  describe('what is in it', () => {
    test('nothing, and where to find something', async () => {
      const hands = openPortal('/?tab=cart', parent)
      await said('Your cart is empty')
      await press(hands, 'Browse the menu')
      expect(shownAddress()).toContain('tab=menu')
    })

    test('the meals by child with their subtotals, and the total on the button', async () => {
      await openCart([meal(), meal({ dayOfWeek: 2 }), meal(forBwalya, { price: '70' })])
      await said('Grade 3 · 2 meals')
      await said('K90.00')
      await total('K160.00')
      expect(screen.getByRole('button', { name: 'Place Order · K160.00' })).toBeInTheDocument()
      expect(screen.getAllByText('Beef · Rice')).toHaveLength(3)
    })

    test('a comment is kept on the device as it is typed', async () => {
      const hands = await openCart([meal()])
      await hands.type(screen.getByLabelText('Special instructions'), 'no onions')
      expect(readCart(parent.id)[0]?.comments).toBe('no onions')
    })

    test('a meal can be taken out', async () => {
      const hands = await openCart([meal(), meal({ dayOfWeek: 2 })])
      await press(hands, 'Remove Stew on Tuesday of week 2 for Chanda')
      expect(readCart(parent.id)).toEqual([meal()])
    })

    test('all of it after a question', async () => {
      const hands = await openCart([meal()])
      await press(hands, 'Clear Cart')
      await hands.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Clear Cart' }))
      await said('Your cart is empty')
      expect(readCart(parent.id)).toEqual([])
    })

    test('what another tab stores is shown here', async () => {
      await openCart([meal()])
      localStorage.setItem(cartKey(parent.id), JSON.stringify([meal({}, { price: '99' })]))
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key: cartKey(parent.id) })))
      await total('K99.00')
    })

    test('what is no meal is left out, and a broken store is an empty cart', () => {
      localStorage.setItem(cartKey(parent.id), JSON.stringify([{ nonsense: true }, meal()]))
      expect(readCart(parent.id)).toEqual([meal()])
      localStorage.setItem(cartKey(parent.id), '{')
      expect(readCart(parent.id)).toEqual([])
    })
  })

  describe('a free order', () => {
    test('is placed with a key, the cart emptied, the orders read again', async () => {
      server.on(placeOrders, placed())
      const hands = await openCart([meal({}, free)])
      await press(hands, 'Place Order · Free')
      await said('1 meal ordered.')
      await said('Your cart is empty')
      expect(readCart(parent.id)).toEqual([])
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(server.asked(placeOrders)[0]?.body).toMatchObject({
        cartItems: [
          { menuItemId: 1, discountedPrice: 0, discountPercentage: 100, customerEmail: 'mwila@example.com' },
        ],
      })
      await waitFor(() => expect(server.asked(listOrders)).toHaveLength(2))
      expect(server.asked(getPaymentBypass)).toHaveLength(0)
    })

    test('keeps its key until an answer arrives, then takes a new one', async () => {
      server.on(placeOrders, () => {
        throw new TypeError('no network')
      })
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('Failed to submit order')
      expect(readCart(parent.id)).toHaveLength(1)
      server.on(placeOrders, () => refusal(409, 'lines_refused', 'Taken', { lines: [] }))
      await press(hands, /Place Order/)
      await said('Taken')
      expect(keys).toHaveLength(3)
      expect(new Set(keys).size).toBe(1)
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(keys[3]).not.toBe(keys[2])
    })

    test('a changed cart is another attempt', async () => {
      server.on(placeOrders, () => {
        throw new TypeError('no network')
      })
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('Failed to submit order')
      await hands.type(screen.getByLabelText('Special instructions'), 'no onions')
      await press(hands, /Place Order/)
      await waitFor(() => expect(keys).toHaveLength(4))
      expect(keys[2]).not.toBe(keys[0])
    })

    test("refused lines carry the server's message, and the cart stays", async () => {
      const lines = [{ index: 1, code: 'already_ordered', message: 'You already have an order for this day' }]
      server.on(placeOrders, () => refusal(409, 'lines_refused', '1 meal cannot be ordered', { lines }))
      const hands = await openCart([meal({}, free), meal({ dayOfWeek: 2 }, free)])
      await press(hands, /Place Order/)
      await said('1 meal cannot be ordered')
      const tuesday = lineOf('Tuesday, 15 September')
      expect(within(tuesday).getByText('You already have an order for this day')).toBeInTheDocument()
      expect(readCart(parent.id)).toHaveLength(2)
    })

    test('a price that changed is shown as it is now', async () => {
      const lines = [{ index: 0, code: 'price_changed', message: 'The price of this meal has changed' }]
      server.on(placeOrders, () => refusal(422, 'lines_refused', 'The price has changed', { lines }))
      const hands = await openCart([meal({}, free)])
      server.on(listMenu, [{ ...stew, price: '45' }])
      await press(hands, /Place Order/)
      await said('The price of this meal has changed')
      await total('K45.00')
    })
  })

  describe('who has no email address', () => {
    const nobody = { ...parent, email: null, contactNeeded: 'email' as const }
    const words =
      'Please add an email address to your profile before placing orders. Contact the school office for assistance.'

    test('is told when the cart opens, with the field there, and orders with one more press', async () => {
      const hands = await openCart([meal({}, free)], nobody)
      await said(words)
      server.on(updateProfile, parent)
      await hands.type(screen.getByLabelText('Email Address'), 'mwila@example.com')
      await hands.type(screen.getByLabelText('Current Password'), 'secret')
      await press(hands, 'Save Email Address')
      await waitFor(() => expect(screen.queryByText(words)).not.toBeInTheDocument())
      expect(server.asked(updateProfile)[0]?.body).toEqual({
        name: parent.name,
        phone: '',
        email: 'mwila@example.com',
        currentPassword: 'secret',
      })
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
    })

    test('a press before that sends nothing and leads to the field; a refused password is said at its field', async () => {
      const hands = await openCart([meal({}, free)], nobody)
      await press(hands, /Place Order/)
      expect(screen.getByLabelText('Email Address')).toHaveFocus()
      expect(keys).toHaveLength(0)
      server.on(updateProfile, () =>
        refusal(400, 'wrong_current_password', 'Current password is incorrect', {
          fields: { currentPassword: 'Current password is incorrect' },
        }),
      )
      await hands.type(screen.getByLabelText('Email Address'), 'mwila@example.com')
      await hands.type(screen.getByLabelText('Current Password'), 'wrong')
      await press(hands, 'Save Email Address')
      await waitFor(() =>
        expect(screen.getByLabelText('Current Password')).toHaveAccessibleDescription(
          /Current password is incorrect/,
        ),
      )
    })
  })

  describe('who has a phone and no email address', () => {
    const withPhone = { ...parent, email: null, phone: '0971 234 567' }

    test('verifies it on the way, where the school takes that, and orders', async () => {
      const bySms = { ...userMessages, smsOffered: true, goesTo: [] }
      server.on(getUserMessages, { ...bySms, codeUntil: '2026-09-16T05:10:00.000Z' })
      const hands = await openCart([meal({}, free)], { ...withPhone, contactNeeded: 'email_or_phone' })
      await said('Email or Phone Required')
      expect(keys).toHaveLength(0)
      await press(hands, 'Verify your phone instead')
      await press(hands, 'Verify Your Phone')
      expect(screen.getByRole('heading', { name: 'Messages' })).toHaveFocus()
      await hands.type(await screen.findByLabelText('Code'), '123456')
      server.on(confirmPhone, () => {
        server.on(getUserMessages, { ...bySms, phoneVerified: true, goesTo: ['sms'] })
        return { message: 'Your phone is verified' }
      })
      server.on(currentUser, { ...withPhone, contactNeeded: null })
      await press(hands, 'Verify Phone')
      await said('Your phone is verified')
      await said('Not needed to place an order: the school reaches you by SMS.')
      await hands.keyboard('{Escape}')
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
    })
  })

  describe('a total above zero', () => {
    test('with alternative payments the order is placed and the way to pay shown', async () => {
      server.on(getPaymentBypass, {
        enabled: true,
        beside: false,
        prompt: false,
        unpaidUntil: 'never',
        airtelMoney: { name: 'Tuckshop', number: '0971' },
        mtnMoney: { name: '', number: '' },
        bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
      })
      const instructions = {
        message: 'Pay',
        airtelMoney: { name: 'Tuckshop', number: '0971' },
        mtnMoney: { name: 'Tuckshop', number: '0966' },
        bankTransfer: {
          bankName: 'Zanaco',
          accountName: 'Tuckshop',
          accountNumber: '1234567890',
          branchName: '',
          swiftCode: 'ZNCOZMLU',
        },
      }
      server.on(placeOrders, {
        orders: [order({ paymentStatus: 'pending' })],
        payment: { reference: 'TS-1', amount: 45, instructions },
      })
      const hands = await openCart([meal()])
      await press(hands, /Place Order/)
      await said('Payment Bypass')
      await said('Alternative payment methods are available. Please check your email for instructions.')
      const dialog = within(await screen.findByRole('dialog', { name: 'How to pay' }))
      expect(dialog.getByText('TS-1')).toBeInTheDocument()
      expect(dialog.getAllByRole('term').map((way) => way.textContent)).toEqual([
        'Amount',
        'Reference',
        'Airtel Money',
        'MTN Money',
        'Bank transfer',
      ])
      const facts = dialog
        .getAllByRole('definition')
        .filter((part) => within(part).queryByRole('button') === null)
      expect(facts.map((part) => part.textContent)).toEqual([
        'K45.00',
        'TS-1',
        '0971',
        'Tuckshop',
        '0966',
        'Tuckshop',
        '1234567890',
        'Tuckshop, Zanaco, ZNCOZMLU',
      ])
      expect(readCart(parent.id)).toEqual([])
    })
  })
})

describe('cart unavailable', () => {
  let keys: (string | null)[]
  beforeEach(() => {
    ;({ server, keys } = freshShop())
  })
  afterEach(() => jest.useRealTimers())

  describe('items no longer available', () => {
    const gone = { valid: false, unavailable: ['Stew'], archived: [], missing: [] }
    const both = [meal(), meal({ dayOfWeek: 2, ...pricedAs(pizza) })]

    test('are named in a banner, stop the order, and can be taken out together', async () => {
      server.on(validateItems, gone)
      const hands = await openCart(both)
      await said('Items No Longer Available')
      await press(hands, /Place Order/)
      expect(screen.getByText('Items No Longer Available').closest('[data-blocked]')).toHaveFocus()
      expect(keys).toHaveLength(0)
      await press(hands, 'Remove Unavailable Items')
      expect(readCart(parent.id).map(({ menuItem }) => menuItem.name)).toEqual(['Pizza'])
      expect(server.asked(validateItems)[0]?.body).toEqual({ menuItemIds: [1, 2] })
    })

    test('are looked for every 120 seconds', async () => {
      jest.useFakeTimers()
      writeCart(parent.id, both)
      openPortal('/?tab=cart', parent)
      await act(() => jest.advanceTimersByTimeAsync(1000))
      expect(server.asked(validateItems)).toHaveLength(1)
      server.on(validateItems, gone)
      await act(() => jest.advanceTimersByTimeAsync(118_000))
      expect(screen.queryByText('Items No Longer Available')).not.toBeInTheDocument()
      await act(() => jest.advanceTimersByTimeAsync(2000))
      expect(screen.getByText('Items No Longer Available')).toBeInTheDocument()
    })

    test('nobody answers: the cart counts as valid', async () => {
      server.on(validateItems, () => refusal(500, 'fault', 'It broke'))
      server.on(placeOrders, placed())
      const hands = await openCart([meal({}, free)])
      await press(hands, 'Place Order · Free')
      await said('Order placed')
    })

    test('found at the last moment they stop the order', async () => {
      const hands = await openCart([meal({}, free)])
      server.on(validateItems, gone)
      await press(hands, 'Place Order · Free')
      await said('Cart Items Unavailable')
      await said('Some items in your cart are no longer available')
      expect(keys).toHaveLength(0)
    })

    test('nobody answers a later question: nothing is said against the cart until somebody does', async () => {
      jest.useFakeTimers()
      server.on(validateItems, gone)
      writeCart(parent.id, both)
      openPortal('/?tab=cart', parent)
      await act(() => jest.advanceTimersByTimeAsync(1000))
      expect(screen.getByText('Items No Longer Available')).toBeInTheDocument()
      server.on(validateItems, () => refusal(500, 'fault', 'It broke'))
      await act(() => jest.advanceTimersByTimeAsync(120_000))
      expect(screen.queryByText('Items No Longer Available')).not.toBeInTheDocument()
      expect(screen.queryByText('Remove the unavailable items first')).not.toBeInTheDocument()
    })

    test('stay named while the cart without another meal is looked at', async () => {
      server.on(validateItems, gone)
      const hands = await openCart(both)
      await said('Items No Longer Available')
      server.on(validateItems, () => new Promise(() => undefined))
      await press(hands, 'Remove Pizza on Tuesday of week 2 for Chanda')
      expect(server.asked(validateItems)).toHaveLength(1)
      expect(screen.getByText('Items No Longer Available')).toBeInTheDocument()
      expect(screen.getByText('Remove the unavailable items first')).toBeInTheDocument()
    })
  })
})

describe('payment prunes cart', () => {
  beforeEach(() => {
    server = freshPortal()
  })

  const openHome = async () => {
    openPortal('/?tab=cart', parent)
    await waitFor(() => expect(server.asked(listOrders)).toHaveLength(1))
    await waitFor(() => expect(server.asked(listCycles)).toHaveLength(1))
  }

  test.each<OrderStatus>(['pending', 'completed'])(
    'a day whose order is %s leaves the cart, and that is said',
    async (status) => {
      server.on(listOrders, [order({ status })])
      writeCart(parent.id, [mealOn(1), mealOn(2), mealOn(1, bwalya)])
      await openHome()
      expect(
        await screen.findByText('1 meal is already ordered and no longer in your cart.'),
      ).toBeInTheDocument()
      expect(cartDays()).toEqual(['1.2', '2.1'])
    },
  )

  test.each([
    ['was cancelled', order({ status: 'cancelled' })],
    ['was refunded', order({ status: 'refunded' })],
    ['is of another cycle', order({ cycleId: 6 })],
    ['is of another week', order({ weekNumber: 1 })],
  ])('a day whose order %s stays', async (_what, one) => {
    server.on(listOrders, [one])
    writeCart(parent.id, [mealOn(1)])
    await openHome()
    await screen.findByRole('button', { name: /Place Order/ })
    expect(cartDays()).toEqual(['1.1'])
    expect(screen.queryByText('Cart updated')).not.toBeInTheDocument()
  })

  test('nothing leaves while no cycle takes orders', async () => {
    server.on(listOrders, [order()])
    server.on(listCycles, [{ ...cycle, isActive: false }])
    writeCart(parent.id, [mealOn(1)])
    await openHome()
    await screen.findByRole('button', { name: /Place Order/ })
    expect(cartDays()).toEqual(['1.1'])
  })

  test('what another tab puts into the cart is looked at too', async () => {
    server.on(listOrders, [order()])
    await openHome()
    await screen.findByText('Your cart is empty')
    act(() => writeCart(parent.id, [mealOn(1), mealOn(2)]))
    await waitFor(() => expect(cartDays()).toEqual(['1.2']))
  })
})
