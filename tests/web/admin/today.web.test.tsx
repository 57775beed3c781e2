import { screen, waitFor, within } from '@testing-library/react'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { today, todayFigures, type Waiting } from '#contracts/find'
import { kitchenToday } from '#contracts/kitchen'
import { listPayouts, listRefunds } from '#contracts/refunds'
import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'

describe('what waits', () => {
  let server: FakeServer
  beforeEach(() => {
    server = fakeServer()
    server.on(listRefunds, { data: [], metadata: { ...noRows } })
    server.on(listPayouts, { data: [] })
  })
  afterEach(forgetToasts)

  const noRows = {
    total: 0,
    page: 1,
    pageSize: 50,
    totalPages: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }
  const all: Waiting[] = [
    { what: 'payments_to_decide', count: 1, amount: null },
    { what: 'unpaid_today', count: 2, amount: 91 },
    { what: 'approvals', count: 3, amount: null },
    { what: 'card_refunds_to_check', count: 1, amount: null },
    { what: 'statement_rows', count: 27, amount: 1200 },
    { what: 'unpaid_families', count: 120, amount: 5460 },
    { what: 'unpaid_payments', count: 4, amount: 182 },
    { what: 'refunds_due', count: 5, amount: 140 },
    { what: 'undelivered', count: 1, amount: null, families: [{ id: 7, name: 'Mary Banda' }] },
    { what: 'days_to_close', count: 2, amount: null },
  ]
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'What waits' })).getAllByRole('link')

  test('is the first entry for whoever has a feature of money, with a number beside each section', async () => {
    server.on(today, { data: all })
    openConsole('/?section=refunds')
    const link = (name: string) => screen.getByRole('link', { name })
    await waitFor(() => expect(link('Refund Management')).toHaveAccessibleDescription('5 wait'))
    expect(link('Order Recovery')).toHaveAccessibleDescription('1 waits')
    expect(link('Live Orders')).toHaveAccessibleDescription('4 wait')
    expect(link('Pending Payments')).toHaveAccessibleDescription('120 wait')
    expect(within(link('Pending Payments')).getByText('99+')).toBeInTheDocument()
    expect(link('Kitchen View')).not.toHaveAccessibleDescription()
  })

  test('each leads to where it is done, the most urgent first', async () => {
    server.on(today, { data: all })
    openConsole('/?section=today')
    expect((await rows()).map((row) => [row.textContent, row.getAttribute('href')])).toEqual([
      [expect.stringMatching(/^1 payment is here/), '/?section=order_recovery&status=waiting'],
      [expect.stringMatching(/^2 lunches of today are not paid: K91.00/), '/?section=pending_payments'],
      [expect.stringMatching(/^3 requests need your approval/), '/?section=refunds'],
      [expect.stringMatching(/^1 refund to a card is unclear/), '/?section=refunds'],
      [
        expect.stringMatching(/^27 payments on statements are open/),
        '/?section=pending_payments&tab=statements',
      ],
      [expect.stringMatching(/^120 families have not paid yet: K5,460.00/), '/?section=pending_payments'],
      [expect.stringMatching(/^5 refunds are owed: K140.00/), '/?section=refunds'],
      ['Mary Banda', '/families/7'],
      [expect.stringMatching(/^2 days are not closed/), '/?section=history&tab=books&books=day-end'],
    ])
  })

  test('the day is in four figures, each beside the same day last week, and in two charts with a table', async () => {
    server.on(todayFigures, {
      date: '2026-09-14',
      received: {
        today: 105.5,
        lastWeek: 60,
        methods: [
          { method: 'card', amount: 60 },
          { method: 'mtn', amount: 45.5 },
        ],
        days: [
          { date: '2026-09-13', amount: 0 },
          { date: '2026-09-14', amount: 105.5 },
        ],
      },
      lunches: {
        today: 12,
        lastWeek: 9,
        days: [
          { date: '2026-09-14', lunches: 12 },
          { date: '2026-09-15', lunches: 7 },
        ],
      },
      unpaid: { today: 91, lastWeek: 0, lunches: 2 },
      owed: { today: 35, lastWeek: 140 },
    })
    openConsole('/?section=today')
    const figure = async (name: string) =>
      (await screen.findByText(name, { selector: 'dt' })).parentElement!.textContent
    expect(await figure('Received today')).toBe(
      'Received todayK105.50Monday last week: K60.00CardK60.00MTN MoneyK45.50',
    )
    expect(await figure('Lunches today')).toBe('Lunches today12Monday last week: 9')
    expect(await figure('Unpaid for today')).toBe('Unpaid for todayK91.00Monday last week: K0.002 lunches')
    expect(await figure('Owed back')).toBe('Owed backK35.00Monday last week: K140.00')
    for (const [title, cells] of [
      ['Received in 14 days', ['Sun 13 Sept', 'K0.00', 'Mon 14 Sept', 'K105.50']],
      ['Lunches of the next five school days', ['Mon 14 Sept', '12', 'Tue 15 Sept', '7']],
    ] as const) {
      expect(await screen.findByRole('img', { name: new RegExp(`^${title}`) })).toBeInTheDocument()
      const table = screen.getByText(`${title} as a table`).closest('details')!
      const told = within(table).getAllByRole('cell', { hidden: true })
      expect(told.map((cell) => cell.textContent)).toEqual(cells)
    }
    expect(screen.getByText('Nothing waits')).toBeInTheDocument()
  })

  test('figures that one may not see are left out, and without any only what waits is drawn', async () => {
    server.on(todayFigures, {
      date: '2026-09-14',
      received: null,
      lunches: null,
      unpaid: null,
      owed: { today: 35, lastWeek: 140 },
    })
    openConsole('/', adminWith('refunds', 'parents_students'))
    expect(await screen.findByText('Owed back')).toBeInTheDocument()
    expect(screen.getAllByRole('term')).toHaveLength(1)
    expect(screen.queryByRole('img', { name: /table says the same/ })).not.toBeInTheDocument()
  })

  test('who has no Pending Payments is led to Live Orders', async () => {
    server.on(today, { data: all.filter(({ what }) => what.startsWith('unpaid_')) })
    openConsole('/', adminWith('live_orders', 'refunds'))
    const unpaid = '/?section=live_orders&status=Not+paid+yet'
    expect((await rows()).map((row) => row.getAttribute('href'))).toEqual([
      unpaid,
      '/?section=pending_payments',
      unpaid,
    ])
  })

  test('says when nothing waits', async () => {
    openConsole('/?section=today')
    expect(await screen.findByText('Nothing waits')).toBeInTheDocument()
    expect(screen.getByText(/^Refreshed each minute · last at/)).toBeInTheDocument()
  })

  test('that could not be read says so, and asks again', async () => {
    server.on(today, () => refusal(503, 'find_took_too_long', 'That took too long'))
    const user = openConsole('/?section=today')
    expect(await screen.findByText('Failed to load what waits')).toBeInTheDocument()
    server.on(today, { data: all })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await rows()).toHaveLength(9)
  })

  test('figures that could not be read say so, and what waits is there all the same', async () => {
    server.on(today, { data: all })
    server.on(todayFigures, () => refusal(503, 'find_took_too_long', 'That took too long'))
    openConsole('/?section=today')
    expect(await screen.findByText('Failed to load the figures of today')).toBeInTheDocument()
    expect(await rows()).toHaveLength(9)
  })

  test('is where they begin whose first of several sections is one of money', async () => {
    openConsole('/', adminWith('refunds', 'history'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Today' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'page')
  })

  test('stands above the kitchen of a cook who may see the history, and does not take its place', async () => {
    server.on(kitchenToday, {
      date: schoolDate(schoolNow()),
      data: [],
      metadata: noRows,
      totals: [],
      allergies: null,
      planned: [],
    })
    server.on(listCycles, [])
    server.on(getCycleLength, { cycleLength: 4 })
    openConsole('/', adminWith('kitchen', 'history'))
    expect(await screen.findByText('No orders for today')).toBeInTheDocument()
    const entries = within(screen.getByRole('navigation', { name: 'Sections' })).getAllByRole('link')
    expect(entries.map((link) => link.textContent)).toEqual(['Today', 'Kitchen View', 'Cycle History'])
  })

  test('is not for who has nothing of money: neither the entry nor the page, and nothing is asked', async () => {
    server.on(kitchenToday, {
      date: schoolDate(schoolNow()),
      data: [],
      metadata: noRows,
      totals: [],
      allergies: null,
      planned: [],
    })
    server.on(listCycles, [])
    server.on(getCycleLength, { cycleLength: 4 })
    openConsole('/?section=today', adminWith('kitchen', 'cycles'))
    await screen.findByText('No orders for today')
    expect(screen.queryByRole('link', { name: 'Today' })).not.toBeInTheDocument()
    expect(server.asked(today)).toEqual([])
  })
})
