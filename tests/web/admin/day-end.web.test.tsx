import { screen, waitFor, within } from '@testing-library/react'
import {
  closeDay,
  closingOf,
  closings,
  dayEnd,
  statementOfAccount,
  type Closing,
  type DayFigures,
} from '#contracts/books'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

const office = adminWith('history')
let server: FakeServer

const figures = {
  methods: [
    { method: 'card' as const, payments: 100, amount: 4550, refundsPaid: 0 },
    { method: 'airtel' as const, payments: 2, amount: 91, refundsPaid: 45.5 },
  ],
  creditGiven: 10,
  creditSpent: 20,
  paidOut: 0,
  mealsFree: 3,
  owed: 5,
  unpaid: 135,
}
const quiet = { ...figures, methods: [], creditGiven: 0, creditSpent: 0, mealsFree: 0 }
const days: DayFigures[] = [
  { date: '2026-09-14', ...figures },
  { date: '2026-09-15', ...quiet },
  { date: '2026-09-16', ...figures },
]
const closed: Closing = {
  date: '2026-09-14',
  closedAt: '2026-09-15T06:00:00.000Z',
  closedBy: 'bursar',
  hash: 'c0ffee',
  figures,
}

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [])
  server.on(listMenu, [])
  server.on(dayEnd, { days, totals: { ...figures, mealsFree: 6 } })
  server.on(closings, { data: [closed] })
  server.on(closingOf, closed)
})
afterEach(() => {
  jest.restoreAllMocks()
  forgetToasts()
})

const range = 'from=2026-09-14&to=2026-09-16'
const atDayEnd = `/?section=history&tab=books&books=day-end&${range}&by=payment`
const rowOf = async (day: string) =>
  within(
    within(await screen.findByRole('table', { name: 'Days' })).getByRole('row', { name: new RegExp(day) }),
  )

test('stands in the books, each day with its figures, the methods folded, quiet days left out', async () => {
  const user = openConsole('/?section=history&tab=books', office)
  await user.click(await screen.findByRole('tab', { name: 'Day end' }))
  expect(shownAddress()).toBe('/?section=history&tab=books&books=day-end')
  const row = await rowOf('Wed 16 Sept')
  for (const text of [
    'K4,641.00',
    'Card (100)',
    'K4,550.00',
    'Airtel Money (2)',
    'K45.50',
    'K10.00',
    'K135.00',
  ])
    expect(row.getByText(text)).toBeInTheDocument()
  expect(screen.queryByText('Tue 15 Sept')).not.toBeInTheDocument()
  expect((await rowOf('All days')).getByText('6')).toBeInTheDocument()
})

test('asks for the range and the kind of day in the address, and changes both', async () => {
  const user = openConsole(atDayEnd, office)
  await rowOf('All days')
  await user.click(screen.getByRole('radio', { name: 'By meal' }))
  await waitFor(() =>
    expect(server.asked(dayEnd).at(-1)?.query).toEqual({ from: '2026-09-14', to: '2026-09-16', by: 'meal' }),
  )
  expect(shownAddress()).toBe(atDayEnd.replace('by=payment', 'by=meal'))
  expect(screen.queryByRole('button', { name: /^Close / })).not.toBeInTheDocument()
})

test('a day is closed after a question, and stands among the closed ones', async () => {
  server.on(closeDay, ({ body }) => ({ ...closed, ...(body as { date: string }) }))
  const user = openConsole(atDayEnd, office)
  expect((await rowOf('Mon 14 Sept')).getByText('Closed')).toBeInTheDocument()
  await user.click((await rowOf('Wed 16 Sept')).getByRole('button', { name: 'Close Wed 16 Sept' }))
  const question = within(await screen.findByRole('dialog', { name: 'Close Wednesday, 16 September 2026?' }))
  await user.click(question.getByRole('button', { name: 'Close the day' }))
  expect(await screen.findByText('The day is closed')).toBeInTheDocument()
  expect(server.asked(closeDay)[0]?.body).toEqual({ date: '2026-09-16' })
  await waitFor(() => expect(server.asked(closings)).toHaveLength(2))
  const list = within(screen.getByRole('list', { name: 'Closed days' }))
  expect(list.getByRole('link', { name: '14 September 2026' })).toHaveAttribute(
    'href',
    '/books/closings/2026-09-14',
  )
})

test('why a day was not closed is said', async () => {
  server.on(closeDay, () => refusal(409, 'day_closed', 'This day was closed before'))
  const user = openConsole(atDayEnd, office)
  await user.click((await rowOf('Wed 16 Sept')).getByRole('button', { name: 'Close Wed 16 Sept' }))
  await user.click(await screen.findByRole('button', { name: 'Close the day' }))
  expect(await screen.findByText('This day was closed before')).toBeInTheDocument()
})

test('a closed day prints with its figures and room for two signatures', async () => {
  const print = jest.fn()
  Object.assign(window, { print })
  const user = openConsole('/books/closings/2026-09-14', office)
  expect(
    await screen.findByRole('heading', { name: 'Day end, Monday, 14 September 2026' }),
  ).toBeInTheDocument()
  expect(screen.getByText(/^Closed by bursar, 15 September 2026/)).toBeInTheDocument()
  const together = within(screen.getByRole('row', { name: /^Together/ }))
  for (const text of ['102', 'K4,641.00', 'K45.50']) expect(together.getByText(text)).toBeInTheDocument()
  for (const who of ['Prepared by', 'Checked by'])
    expect(screen.getByText(`${who}: name, signature, date`)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalled()
})

test('the office opens the statement of account of a family', async () => {
  const line = { at: '2026-09-14T06:00:00.000Z', date: '2026-09-14', orderId: null }
  server.on(statementOfAccount, {
    from: '2026-09-01',
    to: '2026-09-16',
    parent: { id: 7, username: 'mwila', name: 'Mwila Banda' },
    opening: { balance: 0, credit: 0 },
    lines: [
      {
        ...line,
        kind: 'meal',
        text: 'Stew for Chanda',
        mealDate: '2026-09-15',
        receiptNumber: null,
        amount: -45.5,
        balance: -45.5,
      },
      {
        ...line,
        kind: 'payment',
        text: 'Paid by Airtel Money',
        mealDate: null,
        receiptNumber: '2026-000001',
        amount: 50,
        balance: 4.5,
      },
    ],
    closing: { balance: 4.5, credit: 4.5 },
  })
  openConsole('/families/7/account?from=2026-09-01&to=2026-09-16', adminWith('refunds'))
  const table = within(await screen.findByRole('table', { name: 'Statement of account' }))
  expect(
    table.getByRole('row', { name: /Stew for Chanda.*Tue 15 Sept.*−K45\.50.*−K45\.50/ }),
  ).toBeInTheDocument()
  expect(
    table.getByRole('row', { name: /Paid by Airtel Money 2026-000001 \+K50\.00 K4\.50/ }),
  ).toBeInTheDocument()
  expect(table.getByRole('row', { name: /Closing balance credit K4\.50 K4\.50/ })).toBeInTheDocument()
  expect(server.asked(statementOfAccount)[0]?.query).toEqual({
    from: '2026-09-01',
    to: '2026-09-16',
    parentId: 7,
  })
})
