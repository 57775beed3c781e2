import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import { cancelOrder, listOrders, type Order, getOrderingRules } from '#contracts/ordering'
import { useAllowedNow } from '../../web/features/orders/family-actions'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { order, orderingRules, parent, teacher } from './sample-family'

const minutes = 60_000
// A phone whose clock is two days behind the school's.
const phoneClock = Date.parse('2026-09-12T03:17:00.000Z')

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const forYet = (cancelForMs: number, more: Partial<Order> = {}) =>
  order({ allowed: { cancel: true, cancelForMs }, ...more })
const later = async (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const offered = () => screen.queryAllByRole('button', { name: 'Cancel Order' }).length
const changes = () => screen.queryAllByRole('button', { name: 'Change Meal' }).length
const illnesses = () => screen.queryAllByRole('button', { name: 'Ill today' }).length
const takingsBack = () => screen.queryAllByRole('button', { name: 'Not ill after all' }).length
const refused = () => screen.queryAllByRole('button', { name: 'Cannot cancel' }).length

const open = async (orders: Order[], as = parent) => {
  server.on(listOrders, as === parent ? orders : { data: orders })
  openPortal('/?tab=orders', as)
  await screen.findByRole('region', { name: 'Orders for Chanda' })
  await later(0)
}

describe('while the page stays open', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: phoneClock, doNotFake: ['queueMicrotask'] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test('an order can be cancelled up to the last moment the server gave, and not after it', async () => {
    await open([forYet(15 * minutes)])
    await later(15 * minutes - 1_000)
    expect(offered()).toBe(1)
    await later(1_100)
    expect(offered()).toBe(0)
    expect(refused()).toBe(1)
  })

  test('each order has its own hour, and nothing is asked of the server for it', async () => {
    const asked = [forYet(5 * minutes), forYet(20 * minutes, { id: '1.2026-09-22.1', dayOfWeek: 2 })]
    await open(asked, teacher)
    expect(offered()).toBe(2)
    await later(6 * minutes)
    expect([offered(), refused()]).toEqual([1, 1])
    await later(15 * minutes)
    expect([offered(), refused()]).toEqual([0, 2])
    expect(server.asked(listOrders)).toHaveLength(1)
  })

  test('the last millisecond still counts', async () => {
    const orders = [forYet(minutes)]
    const { result } = renderHook(() => useAllowedNow(orders, phoneClock - 10_000))
    await later(50_000)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(result.current).toEqual(orders)
    await later(25)
    expect(result.current.map(({ allowed }) => allowed.cancel)).toEqual([false])
  })

  test('another meal can be chosen up to the last moment the server gave for that, and not after it', async () => {
    const allowed = { change: true, changeForMs: 5 * minutes, cancel: true, cancelForMs: 15 * minutes }
    await open([order({ allowed })])
    await later(5 * minutes - 1_000)
    expect([changes(), offered()]).toEqual([1, 1])
    await later(1_100)
    expect([changes(), offered()]).toEqual([0, 1])
    await later(10 * minutes)
    expect([changes(), offered()]).toEqual([0, 0])
  })

  test('"Ill today" appears when cancelling ends, and is gone at noon', async () => {
    const allowed = { cancelForMs: 15 * minutes, absentInMs: 15 * minutes + 1, absentForMs: 60 * minutes - 1 }
    await open([
      order({ allowed }),
      order({ id: '1.2026-09-22.1', dayOfWeek: 2, allowed: { cancel: false } }),
    ])
    expect([offered(), illnesses()]).toEqual([1, 0])
    await later(15 * minutes - 1_000)
    expect([offered(), illnesses()]).toEqual([1, 0])
    await later(1_100)
    expect([offered(), illnesses()]).toEqual([0, 1])
    await later(44 * minutes)
    expect(illnesses()).toBe(1)
    await later(minutes)
    expect(illnesses()).toBe(0)
    expect(server.asked(listOrders)).toHaveLength(1)
  })

  test('an absence can be taken back until noon', async () => {
    await open([order({ absent: true, allowed: { cancel: false, absent: true, absentForMs: 5 * minutes } })])
    expect(takingsBack()).toBe(1)
    await later(5 * minutes + 100)
    expect(takingsBack()).toBe(0)
  })

  test('what may not be cancelled when it is read never may', async () => {
    await open([order({ allowed: { cancel: false } })])
    expect(refused()).toBe(1)
    await later(120 * minutes)
    expect([offered(), refused()]).toEqual([0, 1])
  })

  test('a timer that slept is made good when the page is looked at again', async () => {
    await open([forYet(15 * minutes)])
    jest.setSystemTime(phoneClock + 16 * minutes)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(refused()).toBe(1)
  })
})

const ask = async (orders: Order[]) => {
  server.on(listOrders, orders)
  const hands = openPortal('/?tab=orders', parent)
  await hands.click((await screen.findAllByRole('button', { name: 'Cancel Order' }))[0]!)
  const question = within(await screen.findByRole('dialog', { name: 'Cancel this order?' }))
  return { hands, question }
}

const inDays = (asPaidForMs: number | undefined) =>
  order({ allowed: { cancel: true, cancelForMs: 3 * 24 * 60 * minutes, asPaidForMs } })

describe('where orders can be cancelled until the cutoff', () => {
  beforeEach(() => server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff' }))

  test('the hint says so', async () => {
    await ask([inDays(15 * minutes)])
    expect(screen.getByText('Orders can be cancelled until the cutoff of their day')).toBeInTheDocument()
  })
  test('within the hour the money goes back as it was paid', async () => {
    const { question } = await ask([inDays(15 * minutes)])
    expect(question.getByText(/becomes due for refund/)).toBeInTheDocument()
  })
  test.each([
    ['was over when the list was read', undefined],
    ['ended since', -1],
  ])('after it, as credit: it %s', async (_when, asPaidForMs) => {
    const { question } = await ask([inDays(asPaidForMs)])
    expect(question.getByText(/your K45\.00 becomes credit for your next orders/)).toBeInTheDocument()
  })
  test('or as a refund, as the school has it', async () => {
    server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff', lateRemedy: 'refund' })
    const { question } = await ask([inDays(undefined)])
    expect(question.getByText(/becomes due for refund/)).toBeInTheDocument()
  })
})

describe('the question', () => {
  test.each([
    ['a free one', { discountedPrice: 0 }, /nothing to pay back/],
    ['a paid one', { discountedPrice: 36.5 }, /your K36\.50 becomes due for refund/],
    ['an unpaid one', { paymentStatus: 'pending' }, /If you have already paid its K45\.00, contact/],
  ] as const)('says what becomes of %s', async (_which, more, words) => {
    const { question } = await ask([order(more)])
    expect(question.getByText(words)).toBeInTheDocument()
  })

  test('after a cancellation the row says so with the answer, before the list is read again', async () => {
    const { hands, question } = await ask([
      order(),
      order({ id: '1.2026-09-22.1', dayOfWeek: 2, comments: 'No salt' }),
    ])
    server.on(cancelOrder, order({ status: 'cancelled', allowed: { cancel: false } }))
    server.on(listOrders, () => new Promise(() => undefined))
    await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
    expect(
      await within(screen.getByRole('region', { name: 'Orders for Chanda' })).findByText('Order cancelled'),
    ).toBeTruthy()
    expect(offered()).toBe(1)
    expect(await screen.findByText('Total Spent', { exact: false })).toHaveProperty(
      'textContent',
      'Total Spent K45.00',
    )
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Order cancelled'))
  })

  test('is closed by a refusal, which leaves nothing to try again', async () => {
    const { hands, question } = await ask([order()])
    server.on(cancelOrder, () => refusal(409, 'cancel_window_over', 'The hour is over'))
    await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
    expect(await screen.findByText('The hour is over')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test.each([
    [
      'the server broke',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Failed to cancel order',
    ],
    [
      'no answer came',
      () => {
        throw new TypeError('Failed to fetch')
      },
      'No answer came. Please check your connection and try again.',
    ],
  ])('stays for another try when %s', async (_how, answer, words) => {
    const { hands, question } = await ask([order()])
    server.on(cancelOrder, answer as () => never)
    await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
    expect(await screen.findByText(words)).toBeInTheDocument()
    expect(question.getByRole('button', { name: 'Cancel Order' })).toHaveProperty('disabled', false)
  })
})
