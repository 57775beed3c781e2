import { screen, waitFor, within } from '@testing-library/react'
import { revenueStats, type RevenueReply } from '#contracts/order-reports'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

let server: FakeServer
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
  byWeek: [{ cycleId: 2, week: 1, firstDay: '2026-09-15', orders: 7, completed: 91, pending: 70.1 }],
  byItem: [{ id: 5, name: 'Stew', orders: 5, completed: 91, pending: 45.5 }],
  others: { orders: 2, completed: 0, pending: 24.6 },
  byGrade: [{ grade: '4', orders: 7, completed: 91, pending: 70.1 }],
}

beforeEach(() => {
  server = fakeServer()
  server.on(revenueStats, sold)
})
afterEach(forgetToasts)

const open = (address = '/') => openConsole(address, adminWith('revenue'))
const figure = async (name: string) => (await screen.findByText(name)).closest('div')!.textContent

test('the overview has orders, revenue and students; what is pending counts into the total', async () => {
  open()
  expect(await figure('Total Orders')).toBe('Total Orders7')
  expect(await figure('Completed Revenue')).toBe('Completed RevenueK91.00')
  expect(await figure('Total Revenue')).toBe('Total RevenueK161.10')
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
  await user.selectOptions(await screen.findByLabelText('Period'), 'From 14 September 2026, 4 weeks, active')
  expect(shownAddress()).toBe('/?cycleId=2')
  await waitFor(() =>
    expect(server.asked(revenueStats).map(({ query }) => query)).toEqual([{}, { cycleId: 2 }]),
  )
  await user.selectOptions(screen.getByLabelText('Period'), 'All Time')
  expect(shownAddress()).toBe('/')
})

test.each([
  ['Revenue by week', ['Week 1, 15 September', 'K91.00', 'K70.10']],
  ['Revenue by item', ['Stew', 'K91.00', 'K45.50', 'All others', 'K0.00', 'K24.60']],
  ['Orders by status', ['Completed', '4', 'Cancelled', '1', 'Pending', '2']],
  ['Orders by grade', ['Grade 4', '7']],
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
    others: { orders: 0, completed: 0, pending: 0 },
    byGrade: [],
  })
  open()
  expect(await figure('Completed Orders')).toBe('Completed Orders0K0.00 · 0.0%')
  expect(screen.getAllByText('Nothing to show for this period yet.')).toHaveLength(4)
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
