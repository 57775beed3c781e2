import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { type RevenueReply, revenueStats } from '#contracts/order-reports'
import {
  type FailedOrder,
  type HistoryEntry,
  liveOrders,
  listFailedOrders,
  attemptHistory,
  orderHistory,
} from '#contracts/payments-console'
import { listPayouts, listRefunds } from '#contracts/refunds'
import { type Settlement, settlementOf, settlements, uploadSettlement } from '#contracts/settlements'
import { type FakeServer, fakeServer, refusal, FakeRefusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { failedAttempt, failedPage, liveAttempt, livePage, mayComplete, ofMary } from './sample-payments'

let server: FakeServer
afterEach(forgetToasts)
const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

describe('settlements', () => {
  const office = adminWith('history')
  const list = '/?section=history&tab=books&books=settlements'

  const head = {
    id: 4,
    fileName: 'dpo.csv',
    uploadedAt: '2026-09-16T07:05:00.000Z',
    uploadedBy: 'bursar',
    counts: { matched: 1, amount_differs: 1, missing_here: 1, missing_there: 1 },
    totals: { gross: 60, fee: -1.5, reserve: null, net: 50 },
  }
  const settlement: Settlement = {
    ...head,
    rows: [
      { row: 2, type: 'payment', state: 'matched', reference: 'LP-1', ours: 91, theirs: 91 },
      { row: 3, type: 'refund', state: 'amount_differs', reference: 'LP-2', ours: 45.5, theirs: 45 },
      { row: 4, type: 'chargeback', state: 'missing_here', reference: 'LP-3', ours: null, theirs: 30 },
      { row: null, type: 'payment', state: 'missing_there', reference: 'LP-4', ours: 12, theirs: null },
    ],
    errors: [{ row: 5, message: 'The amount lots cannot be read' }],
    leftOut: [{ row: 6, reason: 'names no payment: Total', amount: 51 }],
    leftOutCount: 1,
    notes: ['Dates are read as day/month: first 1 November, last 6 November'],
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(listCycles, [])
    server.on(listMenu, [])
    server.on(settlements, { data: [head] })
    server.on(settlementOf, settlement)
  })

  type Hands = ReturnType<typeof openConsole>
  const press = async (user: Hands, name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }))
  const file = new File(['x'], 'dpo.csv', { type: 'text/csv' })
  const pick = async (user: Hands) => user.upload(await screen.findByLabelText('CSV file'), file)
  const cellsOf = async (reference: string) =>
    within((await screen.findByText(reference)).closest('tr')!)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent?.replace(/^(Row|Ours|The provider's) /, ''))
  const formOf = (at: number) => server.asked(uploadSettlement)[at]?.body as FormData

  test('stand in the books, each leads to its rows beside ours', async () => {
    const user = openConsole('/?section=history&tab=books', office)
    await user.click(await screen.findByRole('tab', { name: 'Settlements' }))
    expect(await screen.findByText('3 to look at, 1 matched')).toBeInTheDocument()
    await press(user, /^Open dpo\.csv/)
    expect(await screen.findByText('1 row left out')).toBeInTheDocument()
    await user.click(screen.getByText('1 names no payment'))
    expect(screen.getByText('Row 6: names no payment: Total, K51.00')).toBeVisible()
    expect(screen.getByText(/^Dates are read as day/)).toBeInTheDocument()
    expect(await cellsOf('LP-1')).toEqual(['2', 'Matched', 'LP-1', 'Payment', 'K91.00', 'K91.00'])
    expect(await cellsOf('LP-2')).toEqual(['3', 'Amount differs', 'LP-2', 'Refund', 'K45.50', 'K45.00'])
    expect(await cellsOf('LP-3')).toEqual(['4', 'Missing here', 'LP-3', 'Chargeback', '–', 'K30.00'])
    expect(await cellsOf('LP-4')).toEqual(['–', 'Missing there', 'LP-4', 'Payment', 'K12.00', '–'])
    expect(screen.getByText('Gross K60.00, fee −K1.50, net K50.00')).toBeInTheDocument()
    expect(screen.getByText('Row 5: The amount lots cannot be read')).toBeInTheDocument()
    expect(shownAddress()).toBe(`${list}&settlement=4`)
    await user.selectOptions(screen.getByLabelText('Show'), 'Missing there (1)')
    await waitFor(() => expect(screen.queryByText('LP-1')).not.toBeInTheDocument())
    expect(screen.getByText('LP-4')).toBeInTheDocument()
    expect(shownAddress()).toBe(`${list}&settlement=4&show=missing_there`)
    await press(user, 'All settlements')
    expect(await screen.findByText('Upload a settlement')).toBeInTheDocument()
    expect(shownAddress()).toBe(list)
  })

  test('that are none say what they are for', async () => {
    server.on(settlements, { data: [] })
    openConsole(list, office)
    expect(await screen.findByText('No settlements yet')).toBeInTheDocument()
  })

  test('that match say so', async () => {
    const counts = { matched: 9, amount_differs: 0, missing_here: 0, missing_there: 0 }
    server.on(settlements, { data: [{ ...head, counts }] })
    openConsole(list, office)
    expect(await screen.findByText('All matched')).toBeInTheDocument()
  })

  test('an upload of a new layout asks which column is which, and leads to its rows', async () => {
    const heads = ['Transaction', 'Amount']
    server.on(uploadSettlement, ({ body }) =>
      (body as FormData).get('mapping')
        ? settlement
        : refusal(422, 'mapping_needed', 'Match the columns of this file', {
            heads,
            sample: [['AB-1', '91.00']],
          }),
    )
    const user = openConsole(list, office)
    await press(user, 'Upload')
    expect(await screen.findByText('No File Selected')).toBeInTheDocument()
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByRole('cell', { name: 'AB-1' })).toBeInTheDocument()
    await press(user, 'Upload')
    expect(await screen.findByText('Choose the column that names the payment')).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Token of the transaction'), 'Transaction')
    await press(user, 'Upload')
    expect(await screen.findByText('Choose the column with the gross amount')).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Gross amount'), 'Amount')
    await press(user, 'Upload')
    expect(await screen.findByText('LP-1')).toBeInTheDocument()
    expect(JSON.parse(String(formOf(1).get('mapping')))).toEqual({ token: 'Transaction', gross: 'Amount' })
    expect(formOf(1).get('file')).toBeInstanceOf(File)
  })

  test('an upload that is refused says why', async () => {
    server.on(uploadSettlement, () => refusal(422, 'not_csv', 'Save it as CSV'))
    const user = openConsole(list, office)
    await pick(user)
    await press(user, 'Upload')
    expect(await screen.findByText('Save it as CSV')).toBeInTheDocument()
  })
})

describe('revenue', () => {
  const sold: RevenueReply = {
    stats: {
      totalOrders: 7,
      netRevenue: 91,
      cancelledOrders: { count: 1, amount: 45.5 },
      pendingOrders: { count: 2, amount: 70.1 },
      totalStudents: 3,
    },
    cycles: [
      { id: 2, startDate: '2026-09-14', cycleLength: 4, isActive: true },
      { id: 1, startDate: '2026-08-03', cycleLength: 6, isActive: false },
    ],
    byWeek: [{ cycleId: 2, week: 1, firstDay: '2026-09-15', meals: 6, completed: 91, pending: 70.1 }],
    byItem: [{ id: 5, name: 'Stew', meals: 5, completed: 91, pending: 45.5 }],
    others: { meals: 1, completed: 0, pending: 24.6 },
    byMethod: [
      { method: 'card', amount: 91 },
      { method: 'credit', amount: 70.1 },
    ],
    cycle: {
      id: 2,
      byDay: [
        {
          date: '2026-09-15',
          meals: 4,
          amount: 91,
          before: { meals: 3, amount: 80 },
          ill: 1,
          notCollected: 2,
        },
        { date: '2026-09-16', meals: 2, amount: 70.1, before: null, ill: 0, notCollected: null },
      ],
      days: 1,
      byClass: [
        { name: '5 A', meals: 4, children: 20, uptake: 20 },
        { name: '4', meals: 0, children: 0, uptake: null },
      ],
    },
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(revenueStats, sold)
  })

  const open = (address = '/') => openConsole(address, adminWith('revenue'))
  const figure = async (name: string) => (await screen.findByText(name)).closest('div')!.textContent

  test('the overview has orders, revenue in whole kwacha rounded up with the exact sum beneath, and students; what is pending counts into the total', async () => {
    open()
    expect(await figure('Total Orders')).toBe('Total Orders7')
    expect(await figure('Completed Revenue')).toBe('Completed RevenueK91K91.00')
    expect(await figure('Total Revenue')).toBe('Total RevenueK162K161.10')
    expect(await figure('Total Students')).toBe('Total Students3')
  })

  test('completed, cancelled and pending have count, amount and a percentage to one decimal', async () => {
    open()
    expect(await figure('Completed Orders')).toBe('Completed Orders4K91.00 · 57.1%')
    expect(await figure('Cancelled Orders')).toBe('Cancelled Orders1K45.50 · 14.3%')
    expect(await figure('Pending Orders')).toBe('Pending Orders2K70.10 · 28.6%')
  })

  test('the period is all time or a cycle, and stands in the address', async () => {
    const user = open()
    await user.selectOptions(
      await screen.findByLabelText('Period'),
      'From 14 September 2026, 4 weeks, active',
    )
    expect(shownAddress()).toBe('/?cycleId=2')
    expect(screen.queryByText('Revenue by week as a table')).not.toBeInTheDocument()
    expect(await screen.findByText('Meals by day as a table')).toBeInTheDocument()
    await waitFor(() =>
      expect(server.asked(revenueStats).map(({ query }) => query)).toEqual([{}, { cycleId: 2 }]),
    )
    await user.selectOptions(screen.getByLabelText('Period'), 'All Time')
    expect(shownAddress()).toBe('/')
  })

  test.each([
    ['Revenue by week', ['Week 1, 15 September', 'K91.00', 'K70.10']],
    ['Meals by day', ['Tue 15 Sept', '4', '3', 'Wed 16 Sept', '2', '–']],
    ['Money by day', ['Tue 15 Sept', 'K91.00', 'K80.00', 'Wed 16 Sept', 'K70.10', '–']],
    ['Uptake by class', ['5 A', '4', '20', '20%', 'Grade 4', '0', '0', '–']],
    ['Not collected and ill by day', ['Tue 15 Sept', '2', '1', 'Wed 16 Sept', '–', '0']],
    ['Money by method', ['Card', 'K91.00', 'Credit', 'K70.10']],
    ['Dishes by meals', ['Stew', 'K91.00', 'K45.50', '5', 'All others', 'K0.00', 'K24.60', '1']],
  ])('%s is a chart that a table says again', async (title, cells) => {
    open()
    expect(await screen.findByRole('img', { name: new RegExp(`^${title}`) })).toBeInTheDocument()
    const table = screen.getByText(`${title} as a table`).closest('details')!
    const told = within(table).getAllByRole('cell', { hidden: true })
    expect(told.map((cell) => cell.textContent)).toEqual(cells)
  })

  test('without orders nothing is divided by nought', async () => {
    server.on(revenueStats, {
      ...sold,
      stats: {
        totalOrders: 0,
        netRevenue: 0,
        cancelledOrders: { count: 0, amount: 0 },
        pendingOrders: { count: 0, amount: 0 },
        totalStudents: 0,
      },
      byWeek: [],
      byItem: [],
      others: { meals: 0, completed: 0, pending: 0 },
      byMethod: [],
      cycle: null,
    })
    open()
    expect(await figure('Completed Orders')).toBe('Completed Orders0K0.00 · 0.0%')
    expect(screen.getAllByText('Nothing to show for this period yet.')).toHaveLength(3)
  })

  test.each([
    [
      'the words of the server',
      () => refusal(503, 'unavailable', 'The database is away'),
      'Error loading revenue stats: The database is away',
    ],
    [
      'its own words without them',
      () => {
        throw new FakeRefusal(502, null)
      },
      'Error loading revenue stats: Failed to fetch revenue stats',
    ],
  ])('that could not be read shows %s, after one more try', async (_name, answer, text) => {
    server.on(revenueStats, answer)
    open()
    expect(await screen.findByText(text, undefined, { timeout: 5000 })).toBeInTheDocument()
    expect(server.asked(revenueStats)).toHaveLength(2)
  })
})

describe('received amounts', () => {
  const office = adminWith('order_recovery')

  beforeEach(() => {
    server = fakeServer()
  })

  const serve = (...orders: FailedOrder[]) => server.on(listFailedOrders, failedPage(orders))
  const dialog = async () => within(await screen.findByRole('dialog'))
  const openDetails = async (order: FailedOrder) => {
    serve(order)
    const user = openConsole('/', office)
    await press(user, /^Details/)
    return { user, inside: await dialog() }
  }

  describe('what was received, under Order Recovery,', () => {
    test('stands beside what was asked for in the list, the details and the question', async () => {
      const order = failedAttempt({
        amount: 90,
        receivedAmount: 85.5,
        allowed: { retry: true, amend: true, accept: true, waive: true },
      })
      serve(order)
      const user = openConsole('/', office)
      expect(await screen.findByText('Received K85.50')).toBeInTheDocument()
      await press(user, /^Details/)
      expect((await dialog()).getByText('K85.50', { selector: 'dd' })).toBeInTheDocument()
      for (const question of ['Accept Payment', 'Give Money Back']) {
        await press(user, question)
        expect((await dialog()).getByText('Asked for K90.00, received K85.50.')).toBeInTheDocument()
        await press(user, 'Cancel')
      }
    })

    test('that nobody knows is said', async () => {
      const { user, inside } = await openDetails(failedAttempt({ receivedAmount: null }))
      expect(inside.getByText('Not known')).toBeInTheDocument()
      expect(screen.queryByText(/^Received K/)).not.toBeInTheDocument()
      await press(user, 'Give Money Back')
      expect(
        (await dialog()).getByText('Asked for K90.00, it is not known how much was received.'),
      ).toBeInTheDocument()
    })
  })

  test('what was received stands under Live Orders too, in the list where it is another amount', async () => {
    const [less, same] = [liveAttempt('1', { receivedAmount: 85.5 }), liveAttempt('2', { username: 'ruth' })]
    server.on(liveOrders, livePage([less, same]))
    const user = openConsole('/', adminWith('live_orders'))
    expect(await screen.findAllByText(/^Received K/)).toHaveLength(1)
    expect(screen.getByText('Received K85.50')).toBeInTheDocument()
    await press(user, /^Show the lines of ruth/)
    expect(await screen.findByText('Asked for K90.00, received K90.00')).toBeInTheDocument()
  })
})

describe('payment history', () => {
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
  const history = async () => within(await screen.findByRole('dialog', { name: 'What happened' }))

  test('Live Orders opens what happened, when by school time, by whom, and the amounts', async () => {
    server.on(liveOrders, livePage([liveAttempt('a1')]))
    const user = openConsole('/', adminWith('live_orders'))
    await press(user, /^Show the lines of mary/)
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
    await press(user, /^Show the lines of mary/)
    await press(user, /^History of mary/)
    expect(await screen.findByText('Failed to fetch history')).toBeInTheDocument()
    expect(screen.getByText('The event store is away')).toBeInTheDocument()
  })
})
