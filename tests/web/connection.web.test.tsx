import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import { Suspense } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { listMenu } from '#contracts/catalogue'
import { giveCredit } from '#contracts/credit'
import { faultCodes, type Endpoint } from '#contracts/endpoint'
import { listStudents, currentUser, login } from '#contracts/identity'
import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import { getOrderingRules, placeOrders, cancelOrder, listOrders, setAbsence } from '#contracts/ordering'
import { acceptMismatch, retryAttempt, setAttemptStatus, waiveRemainder } from '#contracts/payments-console'
import {
  approvePayout,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  completeRefund,
  refundToCard,
  withdrawRefund,
} from '#contracts/refunds'
import {
  undoVerified,
  verifyPending,
  confirmStatement,
  ignoreStatementRow,
  undoStatementRow,
  unignoreStatementRow,
} from '#contracts/transfers'
import { ConnectionBanner, appQueryClient } from '../../web/app/app'
import { readCart } from '../../web/features/cart/cart'
import { isUnanswered } from '../../web/features/cart/checkout/checkout'
import { type CallInput, call } from '../../web/lib/call'
import { keysOnDevice, readDevice, removeFromDevice, writeDevice } from '../../web/lib/device-storage'
import { lazyComponent } from '../../web/lib/lazy'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { adminWith } from './admin/open-console'
import { free, freshShop, meal, openCart, placed, said } from './cart-screen'
import { freshPortal, openPortal, press } from './open-portal'
import { chanda, parent, orderingRules, order } from './sample-family'

let server: FakeServer

describe('connection', () => {
  beforeEach(() => {
    server = freshPortal()
  })
  afterEach(() => {
    jest.useRealTimers()
    act(() => void window.dispatchEvent(new Event('online')))
  })

  const connection = (state: 'online' | 'offline') => act(() => void window.dispatchEvent(new Event(state)))
  const lost = () => {
    throw new TypeError('Failed to fetch')
  }

  const hanging = (_address: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
    )

  test('a page that is opened without a connection says so at once', () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    render(
      <MemoryRouter>
        <QueryClientProvider client={appQueryClient()}>
          <ConnectionBanner />
        </QueryClientProvider>
      </MemoryRouter>,
    )
    expect(screen.getByText(/No connection/)).toBeVisible()
    onLine.mockRestore()
    connection('online')
    expect(screen.getByText(/No connection/)).not.toBeVisible()
  })

  test('the banner is there while the connection is not', () => {
    render(
      <MemoryRouter>
        <QueryClientProvider client={appQueryClient()}>
          <ConnectionBanner />
        </QueryClientProvider>
      </MemoryRouter>,
    )
    const banner = screen.getByText('No connection.')
    expect(banner.hidden).toBe(true)
    connection('offline')
    expect(banner.hidden).toBe(false)
    expect(banner.parentElement).toHaveAttribute('aria-live', 'polite')
    connection('online')
    expect(banner.hidden).toBe(true)
  })

  test('it speaks of the cart where one is kept', async () => {
    openPortal('/privacy', parent)
    await screen.findByRole('heading', { level: 1 })
    connection('offline')
    expect(screen.getByText('No connection.')).toBeVisible()
    act(() => writeDevice(`tuckshop-cart-${parent.id}`, '[{}]'))
    expect(screen.getByText('No connection. Your cart is kept.')).toBeVisible()
    act(() => writeDevice(`tuckshop-cart-${parent.id}`, '[]'))
    expect(screen.getByText('No connection.')).toBeVisible()
  })

  test('the console speaks of no cart', async () => {
    const user = adminWith()
    openPortal('/', user)
    await screen.findByRole('navigation', { name: 'Sections' })
    connection('offline')
    expect(screen.getByText('No connection. Nothing can be saved until it is back.')).toBeVisible()
    expect(screen.queryByText(/Your cart/)).not.toBeInTheDocument()
    connection('online')
  })

  describe('a read', () => {
    test('that is asked for without a connection is made once it is back', async () => {
      const hands = openPortal('/?tab=cart', parent)
      await screen.findByText('Your cart is empty')
      connection('offline')
      await hands.click(screen.getByRole('tab', { name: 'Students' }))
      await screen.findByRole('button', { name: 'Add a child' })
      expect(server.asked(listStudents)).toHaveLength(0)
      expect(screen.queryByText('Failed to load students. Please try again.')).not.toBeInTheDocument()
      connection('online')
      expect(await screen.findByText(chanda.name)).toBeInTheDocument()
    })

    test('that is lost says what to do, and is made again once the connection is back', async () => {
      server.on(listMenu, lost)
      openPortal('/', parent)
      expect(await screen.findByText('Failed to load the menu. Please try again.')).toBeInTheDocument()
      expect(screen.getByText('No answer. Please check your connection and try again.')).toBeInTheDocument()
      expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument()
      server.on(listMenu, [])
      connection('offline')
      connection('online')
      await waitFor(() => expect(server.asked(listMenu)).toHaveLength(1))
      await waitFor(() =>
        expect(screen.queryByText('Failed to load the menu. Please try again.')).not.toBeInTheDocument(),
      )
    })
  })

  describe('a call', () => {
    test.each([
      ['half a minute', {}, 30_000],
      ['as long as it is told', { timeoutMs: 6000 }, 6000],
      ['two minutes for files', { form: new FormData() }, 120_000],
    ])('is given up after %s', async (_what, more, ms) => {
      jest.useFakeTimers()
      globalThis.fetch = hanging
      const failed = jest.fn()
      void call(listMenu, more).catch(failed)
      await jest.advanceTimersByTimeAsync(ms - 1)
      expect(failed).not.toHaveBeenCalled()
      await jest.advanceTimersByTimeAsync(1)
      expect(failed).toHaveBeenCalledWith(
        new TypeError('No answer. Please check your connection and try again.'),
      )
    })

    test('that nobody waits for any more ends as it was ended', async () => {
      globalThis.fetch = hanging
      const end = new AbortController()
      const calling = call(listMenu, { signal: end.signal })
      end.abort()
      await expect(calling).rejects.toMatchObject({ name: 'AbortError' })
    })

    test('that was answered leaves no clock running', async () => {
      jest.useFakeTimers()
      await call(listMenu, {})
      expect(jest.getTimerCount()).toBe(0)
    })
  })

  test('a part of the application that cannot be fetched comes with the connection', async () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const load = jest
      .fn<Promise<() => string>, []>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockResolvedValue(() => 'Here it is')
    const Part = lazyComponent(load)
    render(
      <Suspense fallback="On its way">
        <Part />
      </Suspense>,
    )
    await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
    expect(screen.getByText('On its way')).toBeInTheDocument()
    onLine.mockReturnValue(true)
    connection('online')
    expect(await screen.findByText('Here it is')).toBeInTheDocument()
  })
})

describe('refused storage', () => {
  let keys: (string | null)[]
  beforeEach(() => {
    ;({ server, keys } = freshShop())
  })
  afterEach(() => {
    jest.restoreAllMocks()
    act(() => removeFromDevice(`tuckshop-cart-${parent.id}`))
  })

  const full = () =>
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    })
  /** A browser that blocks cookies refuses the storage as soon as it is named. */
  const blocked = () =>
    jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('Access is denied', 'SecurityError')
    })

  const absent = () => jest.spyOn(window, 'localStorage', 'get').mockReturnValue(undefined as never)
  const unreadable = () =>
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('Access is denied', 'SecurityError')
    })
  /** Takes everything and keeps nothing. */
  const forgetful = () => jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => undefined)
  const unchangeable = () => {
    full()
    jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
      throw new DOMException('Access is denied', 'SecurityError')
    })
  }

  describe.each([
    ['full', full],
    ['blocked', blocked],
    ['absent', absent],
    ['unreadable', unreadable],
    ['forgetful', forgetful],
    ['unchangeable', unchangeable],
  ])('a storage that is %s', (_how, refuse) => {
    test('lets a family sign in', async () => {
      refuse()
      server.on(login, parent)
      const hands = openPortal('/', null)
      await hands.type(await screen.findByLabelText('Username'), 'mwila')
      await hands.type(screen.getByLabelText('Password'), 'secret1')
      server.on(currentUser, parent)
      await press(hands, 'Login to Portal')
      await said('mwila')
    })

    test('keeps the cart in memory, says so, and lets it be ordered', async () => {
      refuse()
      server.on(placeOrders, placed())
      const hands = await openCart([meal({}, free)])
      await said('Your cart is not stored on this device')
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(keys).toHaveLength(1)
      expect(screen.queryByText(/No answer came/)).toBeNull()
      expect(readCart(parent.id)).toEqual([])
    })

    test.each([
      [
        'was not answered',
        () => {
          throw new TypeError('no network')
        },
      ],
      ['met a store that was away', () => refusal(503, 'event_store_unavailable', 'Try again')],
    ])('keeps the key of an order that %s', async (_what, answer) => {
      refuse()
      server.on(placeOrders, answer)
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('No answer came')
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(new Set(keys).size).toBe(1)
    })
  })

  test('what a storage does not let go is gone for this page', () => {
    writeDevice('tuckshop-test', 'old')
    jest.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
      throw new DOMException('Access is denied', 'SecurityError')
    })
    removeFromDevice('tuckshop-test')
    expect(readDevice('tuckshop-test')).toBeNull()
    expect(keysOnDevice('tuckshop-test')).toEqual([])
    writeDevice('tuckshop-test', 'new')
    expect(readDevice('tuckshop-test')).toBe('new')
  })

  test('a storage that works says nothing of it', async () => {
    await openCart([meal()])
    expect(screen.queryByText('Your cart is not stored on this device')).toBeNull()
  })

  test('what failed before anything was sent is no missing answer', () => {
    expect(isUnanswered(new DOMException('full', 'QuotaExceededError'))).toBe(false)
    expect(isUnanswered(new TypeError('undefined is not a function'))).toBe(false)
  })

  test('after ordering, the cart says until when this school lets families cancel', async () => {
    server.on(placeOrders, placed())
    server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff' })
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said(/can be cancelled there until 08:00 on the day of the meal/)
  })

  test('while the rule is unknown, cart, terms and history state none', async () => {
    server.on(placeOrders, placed())
    server.on(getOrderingRules, () => new Promise(() => {}))
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('See it in Order History.')
    await press(hands, /Terms/)
    await said('Orders are cancelled in the Order History, which shows until when.')
    expect(screen.queryByText(/an hour|1 hour|cutoff of/)).not.toBeInTheDocument()
    await hands.keyboard('{Escape}')
    await hands.click(screen.getByRole('tab', { name: /Order History/ }))
    await said('Statement of account')
    expect(screen.queryByText(/an hour|1 hour|cutoff of/)).not.toBeInTheDocument()
  })

  test('the terms say until when this school lets families cancel', async () => {
    server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff' })
    const hands = openPortal('/', parent)
    await press(hands, /Terms/)
    await said('Orders can be cancelled until 08:00 on the day of the meal, in the Order History.')
    await act(async () => undefined)
  })
})

describe('act keys', () => {
  let keys: (string | null)[]
  beforeEach(() => {
    server = freshPortal()
    keys = []
    const network = globalThis.fetch
    globalThis.fetch = async (address, init) => {
      if (init?.method !== 'GET') keys.push(new Headers(init?.headers).get('Idempotency-Key'))
      return network(address, init)
    }
  })

  const aKey = expect.stringMatching(/^[0-9a-f]{32}$/)
  const brokenProxy = () => {
    throw new FakeRefusal(502, null)
  }
  const noNetwork = () => {
    throw new TypeError('no network')
  }
  const refused = () => refusal(409, 'order_closed', 'This order is closed')

  const send = async (endpoint: Endpoint, input: object, answer: () => never) => {
    server.on(endpoint, answer)
    await call(endpoint, input as CallInput<Endpoint>).catch(() => undefined)
  }
  const uuid = '019a0000-0000-7000-8000-000000000000'
  const thisOne = { params: { id: '7' } }
  const byUuid = { params: { id: uuid } }
  const orderIds = ['1.2026-09-21.1']

  const acts: [string, Endpoint, object][] = [
    ['cancels an order', cancelOrder, thisOne],
    ['says that a child is ill', setAbsence, { ...thisOne, body: { absent: true } }],
    ['gives orders a status', setOrderStatus, { body: { orderIds, status: 'completed' } }],
    ['undoes a status', undoOrderStatus, { body: { batchId: uuid } }],
    ['gives credit', giveCredit, { ...thisOne, body: { amount: 20, reason: 'The oven broke' } }],
    ['pays credit out', payOutCredit, { ...thisOne, body: { amount: 20, method: 'manual' } }],
    ['approves a payout', approvePayout, byUuid],
    ['withdraws a payout', withdrawPayout, byUuid],
    ['approves a refund', approveRefund, thisOne],
    ['withdraws a refund', withdrawRefund, thisOne],
    ['completes a refund', completeRefund, { ...thisOne, body: { method: 'manual' } }],
    ['pays a card back', refundToCard, thisOne],
    ['marks orders paid', verifyPending, { body: { orderIds } }],
    ['takes back that orders are paid', undoVerified, { body: { orderIds } }],
    ['confirms rows of a statement', confirmStatement, { ...thisOne, body: { allExact: true } }],
    ['undoes a row', undoStatementRow, byUuid],
    ['ignores a row', ignoreStatementRow, byUuid],
    ['takes a row up again', unignoreStatementRow, byUuid],
    ['sets the status of a payment', setAttemptStatus, { ...thisOne, body: { status: 'failed' } }],
    ['retries a payment', retryAttempt, thisOne],
    ['accepts another amount', acceptMismatch, { ...thisOne, body: { reason: 'The bank says so' } }],
    ['waives what is missing', waiveRemainder, { ...thisOne, body: { reason: 'The bank says so' } }],
  ]

  describe.each(acts)('what %s', (_what, endpoint, input) => {
    test('keeps its key until it is answered, and has another one afterwards', async () => {
      await send(endpoint, input, brokenProxy)
      await send(endpoint, input, noNetwork)
      for (const code of faultCodes) await send(endpoint, input, () => refusal(503, code, 'Try again'))
      await send(endpoint, input, refused)
      await send(endpoint, input, refused)
      const first = keys[0]
      const next = keys.at(-1)
      expect(keys).toEqual([aKey, first, ...faultCodes.map(() => first), first, aKey])
      expect(next).not.toBe(first)
    })
  })

  test('the same act on something else has a key of its own, and takes no other key away', async () => {
    await send(cancelOrder, { params: { id: 'a' } }, noNetwork)
    await send(cancelOrder, { params: { id: 'b' } }, refused)
    await send(cancelOrder, { params: { id: 'a' } }, refused)
    expect(keys[1]).not.toBe(keys[0])
    expect(keys[2]).toBe(keys[0])
  })

  test('something else asked of the same address has a key of its own', async () => {
    await send(setAbsence, { ...thisOne, body: { absent: true } }, noNetwork)
    await send(setAbsence, { ...thisOne, body: { absent: false } }, noNetwork)
    await send(setAbsence, { ...thisOne, body: { absent: true } }, noNetwork)
    expect(new Set(keys).size).toBe(3)
  })

  test('after another act was answered, the same act is another press', async () => {
    await send(verifyPending, { body: { orderIds } }, noNetwork)
    await send(undoVerified, { body: { orderIds } }, refused)
    await send(verifyPending, { body: { orderIds } }, refused)
    expect(new Set(keys).size).toBe(3)
  })

  test('a family that presses again after a lost answer cancels under the same key', async () => {
    const ordered = order({ allowed: { cancel: true, cancelForMs: 60_000 } })
    server.on(listOrders, [ordered])
    server.on(cancelOrder, noNetwork)
    const hands = openPortal('/?tab=orders', parent)
    await press(hands, /^Cancel Order/)
    const question = within(await screen.findByRole('dialog'))
    const confirm = async () => hands.click(question.getByRole('button', { name: 'Cancel Order' }))
    await confirm()
    expect(
      await screen.findByText('No answer came. Please check your connection and try again.'),
    ).toBeInTheDocument()
    server.on(cancelOrder, {
      ...ordered,
      status: 'cancelled',
      allowed: { ...ordered.allowed, cancel: false },
    })
    await confirm()
    expect(await screen.findByText('Order cancelled')).toBeInTheDocument()
    expect(keys).toEqual([aKey, keys[0]])
  })
})
