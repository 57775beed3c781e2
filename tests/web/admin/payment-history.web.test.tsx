import { screen, waitFor, within } from '@testing-library/react'
import { listPayouts, listRefunds } from '#contracts/refunds'
import {
  attemptHistory,
  liveOrders,
  orderHistory,
  type HistoryEntry,
  listFailedOrders,
} from '#contracts/payments-console'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mayComplete, ofMary } from './sample-refunds'
import { failedAttempt, failedPage, liveAttempt, livePage } from './sample-payments'

let server: FakeServer

const happened: HistoryEntry[] = [
  {
    at: '2026-09-16T07:05:00.000Z',
    schoolTime: '2026-09-16 09:05',
    who: 'mary',
    what: 'Checkout started',
    amount: 90,
    details: { Meals: '2' },
  },
  {
    at: '2026-09-16T07:06:00.000Z',
    schoolTime: '2026-09-16 09:06',
    who: 'system',
    what: 'Sent to the payment page',
    amount: null,
    details: {},
  },
]

const refundsOf = (id: string) => ({
  data: [
    {
      id,
      orderDate: '2026-09-14T07:00:00.000Z',
      student: { name: 'Chanda', grade: '4' as const },
      menuItem: { name: 'Soup' },
      amount: 45,
      status: 'cancelled' as const,
      reason: 'Cancelled',
      ...ofMary,
      dueSince: '2026-09-15T07:00:00.000Z',
      allowed: mayComplete,
    },
  ],
  metadata: { total: 1, page: 1, pageSize: 10, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
})

beforeEach(() => {
  server = fakeServer()
  server.on(listPayouts, { data: [] })
  server.on(attemptHistory, { data: happened })
  server.on(orderHistory, { data: happened })
})
afterEach(forgetToasts)

const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const history = async () => within(await screen.findByRole('dialog', { name: 'What happened' }))

test('Live Orders opens what happened, when by school time, by whom, and the amounts', async () => {
  server.on(liveOrders, livePage([liveAttempt('a1')]))
  const user = openConsole('/', adminWith('live_orders'))
  await press(user, /^History of mary/)
  const dialog = await history()
  const entries = (await dialog.findAllByRole('listitem')).map((entry) => entry.textContent)
  expect(entries).toEqual([
    'Checkout startedK90.002026-09-16 09:05 · maryMeals: 2',
    'Sent to the payment page2026-09-16 09:06 · system',
  ])
  expect(dialog.getByText('mary, K90.00, 16 Sep 2026')).toBeInTheDocument()
  expect(server.asked(attemptHistory)[0]?.params).toEqual({ id: 'a1' })
  await user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1)!)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('Order Recovery opens it from the details, which are there again afterwards', async () => {
  server.on(listFailedOrders, failedPage([failedAttempt()]))
  const user = openConsole('/', adminWith('order_recovery'))
  await press(user, /^Details/)
  await press(user, 'History')
  const dialog = await history()
  expect(await dialog.findByText('Checkout started')).toBeInTheDocument()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('What happened')).not.toBeInTheDocument())
  expect(screen.getByText('Order Details')).toBeInTheDocument()
})

test('Refund Management opens that of the order', async () => {
  server.on(listRefunds, refundsOf('11.2026-09-16.1'))
  const user = openConsole('/', adminWith('refunds'))
  await press(user, 'History of Soup for Chanda')
  expect(await (await history()).findByText('Checkout started')).toBeInTheDocument()
  expect(server.asked(orderHistory)[0]?.params).toEqual({ id: '11.2026-09-16.1' })
})

test('or that of the attempt, where the money never became an order', async () => {
  server.on(listRefunds, refundsOf('0199a0b2-0000-7000-8000-000000000001.2'))
  const user = openConsole('/', adminWith('refunds'))
  await press(user, 'History of Soup for Chanda')
  expect(await (await history()).findByText('Checkout started')).toBeInTheDocument()
  expect(server.asked(attemptHistory)[0]?.params).toEqual({ id: '0199a0b2-0000-7000-8000-000000000001' })
})

test('a history that could not be read says so', async () => {
  server.on(liveOrders, livePage([liveAttempt('a1')]))
  server.on(attemptHistory, () => refusal(503, 'unavailable', 'The event store is away'))
  const user = openConsole('/', adminWith('live_orders'))
  await press(user, /^History of mary/)
  expect(await screen.findByText('Failed to fetch history')).toBeInTheDocument()
  expect(screen.getByText('The event store is away')).toBeInTheDocument()
})
