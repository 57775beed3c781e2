import { screen, waitFor, within } from '@testing-library/react'
import { auditEntries, type AuditEntry } from '#contracts/audit'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders } from '#contracts/order-reports'
import { listCycles } from '#contracts/cycles'
import { attemptHistory, orderHistory } from '#contracts/payments-console'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { historyPage } from './sample-orders'

const office = adminWith('history')
const attemptId = '0199a0b2-0000-7000-8000-000000000001'
let server: FakeServer

const entry = (id: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: '2026-09-16T07:05:00.000Z',
  schoolTime: '2026-09-16 09:05',
  who: 'mary',
  what: 'Checkout started',
  amount: 90.5,
  details: { Meals: '2' },
  kind: 'checkout',
  attemptId,
  orderId: null,
  number: 41,
  hash: 'c0ffee',
  ...more,
})
const books = (data: AuditEntry[], page = 1, totalEntries = data.length) => {
  const totalPages = Math.max(1, Math.ceil(totalEntries / 50))
  return {
    data,
    pagination: {
      page,
      totalEntries,
      totalPages,
      hasPreviousPage: page > 1,
      hasNextPage: page < totalPages,
    },
  }
}

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [])
  server.on(listMenu, [])
  server.on(cycleOrders, historyPage([]))
  server.on(auditEntries, books([entry('e1')]))
  server.on(attemptHistory, { data: [] })
  server.on(orderHistory, { data: [] })
})
afterEach(() => {
  jest.restoreAllMocks()
  forgetToasts()
})

const atBooks = '/?section=history&tab=books'

test('stand beside the orders; the tab is in the address and takes no filter along', async () => {
  const user = openConsole('/?section=history&status=pending&page=2', office)
  await user.click(await screen.findByRole('tab', { name: 'Books' }))
  expect(await screen.findByText('Checkout started')).toBeInTheDocument()
  expect(shownAddress()).toBe(atBooks)
  await user.click(screen.getByRole('tab', { name: 'Orders' }))
  expect(shownAddress()).toBe('/?section=history')
})

test('an entry says when, what, who, how much, and its number in the chain', async () => {
  openConsole(atBooks, office)
  const table = within(await screen.findByRole('table', { name: 'Books' }))
  const row = within(table.getByRole('row', { name: /Checkout started/ }))
  for (const text of ['2026-09-16 09:05', 'mary', 'K90.50', 'Checkout', '41', 'Meals: 2'])
    expect(row.getByText(text)).toBeInTheDocument()
})

test('an entry leads to the history of its order, or of its payment', async () => {
  server.on(auditEntries, books([entry('e1'), entry('e2', { orderId: '11.2026-09-16.1', kind: 'order' })]))
  const user = openConsole(atBooks, office)
  await user.click(await screen.findByRole('button', { name: /^History of Order 11\.2026-09-16\.1/ }))
  await waitFor(() => expect(server.asked(orderHistory)[0]?.params).toEqual({ id: '11.2026-09-16.1' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: /^History of Payment/ }))
  await waitFor(() => expect(server.asked(attemptHistory)[0]?.params).toEqual({ id: attemptId }))
})

test('are filtered when the filters are applied, from page 1, and the address keeps them', async () => {
  const user = openConsole(`${atBooks}&page=2`, office)
  await user.type(await screen.findByLabelText('From'), '2026-09-14')
  await user.type(screen.getByLabelText('To'), '2026-09-18')
  await user.selectOptions(screen.getByLabelText('Kind'), 'Refund')
  await user.type(screen.getByLabelText('Who'), 'mary')
  await user.type(screen.getByLabelText('Order or payment'), '11.2026-09-16.1')
  await user.type(screen.getByLabelText('From amount (K)'), '45.50')
  expect(server.asked(auditEntries)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }))
  const filters = {
    from: '2026-09-14',
    to: '2026-09-18',
    kind: 'refund',
    who: 'mary',
    about: '11.2026-09-16.1',
    minAmount: '45.50',
  }
  await waitFor(() => expect(server.asked(auditEntries).at(-1)?.query).toEqual({ page: 1, ...filters }))
  expect(shownAddress()).toBe(`${atBooks}&${new URLSearchParams(filters)}`)
  await user.click(screen.getByRole('button', { name: 'Clear Filters' }))
  expect(shownAddress()).toBe(atBooks)
})

test('an amount that is none and days in the wrong order are not asked for', async () => {
  const user = openConsole(atBooks, office)
  await user.type(await screen.findByLabelText('From amount (K)'), 'ten')
  await user.type(screen.getByLabelText('From'), '2026-09-18')
  await user.type(screen.getByLabelText('To'), '2026-09-14')
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }))
  expect(await screen.findByText('Please enter an amount')).toBeInTheDocument()
  expect(screen.getByText('The last day is before the first')).toBeInTheDocument()
  expect(server.asked(auditEntries)).toHaveLength(1)
})

test('the server writes the file of what is filtered', async () => {
  const followed: (string | null)[] = []
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href'))
  })
  const user = openConsole(`${atBooks}&who=mary&kind=refund&minAmount=x`, office)
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
  expect(followed).toEqual(['/api/audit/export?kind=refund&who=mary'])
})

test('go page by page', async () => {
  server.on(auditEntries, ({ query }) =>
    books([entry('e', { what: `Of page ${query.page}` })], Number(query.page), 51),
  )
  const user = openConsole(atBooks, office)
  expect(await screen.findByText('51 entries')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('Of page 2')).toBeInTheDocument()
  expect(shownAddress()).toBe(`${atBooks}&page=2`)
})

test('empty and failed they say so', async () => {
  server.on(auditEntries, books([]))
  openConsole(`${atBooks}&who=nobody`, office)
  expect(await screen.findByText('No results found')).toBeInTheDocument()
  expect(screen.getByText(/matches these filters/)).toBeInTheDocument()
})

test('that could not be read say so', async () => {
  server.on(auditEntries, () => refusal(503, 'unavailable', 'The database is away'))
  openConsole(atBooks, office)
  expect(await screen.findByText('Failed to fetch history')).toBeInTheDocument()
})
