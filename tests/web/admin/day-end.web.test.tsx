import { screen, waitFor, within } from '@testing-library/react'
import { type AuditEntry, auditEntries } from '#contracts/audit'
import {
  type Closing,
  type DayFigures,
  closeDay,
  closingOf,
  closings,
  dayEnd,
  statementOfAccount,
} from '#contracts/books'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { cycleOrders } from '#contracts/order-reports'
import { attemptHistory, orderHistory } from '#contracts/payments-console'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer
afterEach(() => {
  jest.restoreAllMocks()
  forgetToasts()
})

describe('day end', () => {
  const figures = {
    methods: [
      { method: 'card' as const, payments: 100, amount: 4550, refundsPaid: 0 },
      { method: 'airtel' as const, payments: 2, amount: 91, refundsPaid: 45.5 },
    ],
    till: { in: 60.25, out: 15.75, expected: 44.5 },
    creditGiven: 10,
    creditSpent: 20,
    paidOut: 0,
    mealsFree: 3,
    late: 0,
    owed: 5,
    unpaid: 135,
  }
  const quiet = {
    ...figures,
    methods: [],
    till: { in: 0, out: 0, expected: 0 },
    creditGiven: 0,
    creditSpent: 0,
    mealsFree: 0,
  }
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
    cashCounted: null,
    cashDifference: null,
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(listCycles, [])
    server.on(listMenu, [])
    server.on(dayEnd, { days, totals: { ...figures, mealsFree: 6 } })
    server.on(closings, { data: [closed] })
    server.on(closingOf, closed)
  })

  const range = 'from=2026-09-14&to=2026-09-16'
  const atDayEnd = `/?section=history&tab=books&books=day-end&${range}&by=payment`
  const rowOf = async (day: string) =>
    within(
      within(await screen.findByRole('table', { name: 'Days' })).getByRole('row', { name: new RegExp(day) }),
    )

  test('stands in the books, each day with its figures, methods as columns, quiet days left out', async () => {
    const user = openConsole('/?section=history&tab=books', office)
    await user.click(await screen.findByRole('tab', { name: 'Day end' }))
    expect(shownAddress()).toBe('/?section=history&tab=books&books=day-end')
    const row = await rowOf('Wed 16 Sept')
    const main = ['K4,641.00', 'K4,550.00', '100 payments', 'K91.00', '2 payments', 'K45.50', 'K44.50']
    for (const text of [...main, 'K60.25 in, K15.75 out']) expect(row.getByText(text)).toBeInTheDocument()
    const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    const first = ['Day', 'Received', 'Card', 'Airtel Money', 'Refunded', 'Till']
    expect(heads()).toEqual(expect.arrayContaining(first))
    expect(heads()).not.toContain('Unpaid')
    await user.click(screen.getByRole('button', { name: 'More columns' }))
    const days = within(screen.getByRole('table', { name: 'Days' }))
    expect(days.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      ...first,
      'Credit given',
      'Credit spent',
      'Owed back',
      'Unpaid',
      'Free meals',
    ])
    for (const text of ['K10.00', 'K135.00', '3']) expect(row.getByText(text)).toBeInTheDocument()
    const chart = screen.getByText('Received by day and method as a table').closest('details')!
    const told = within(chart).getAllByRole('cell', { hidden: true })
    expect(told.map(({ textContent }) => textContent).join(' ')).toBe(
      'Mon 14 Sept K4,550.00 K91.00 Tue 15 Sept K0.00 K0.00 Wed 16 Sept K4,550.00 K91.00',
    )
    expect(screen.getByText(/^Received by day, most on Mon 14 Sept: K4,641.00/)).toBeInTheDocument()
    expect(days.queryByText('Tue 15 Sept')).not.toBeInTheDocument()
    expect((await rowOf('All days')).getByText('6')).toBeInTheDocument()
  })

  test('asks for the range and the kind of day in the address, and changes both', async () => {
    const user = openConsole(atDayEnd, office)
    await rowOf('All days')
    await user.click(screen.getByRole('radio', { name: 'By meal' }))
    await waitFor(() =>
      expect(server.asked(dayEnd).at(-1)?.query).toEqual({
        from: '2026-09-14',
        to: '2026-09-16',
        by: 'meal',
      }),
    )
    expect(shownAddress()).toBe(atDayEnd.replace('by=payment', 'by=meal'))
    expect(screen.queryByRole('button', { name: /^Close / })).not.toBeInTheDocument()
  })

  test('a day is closed after a question, and stands among the closed ones', async () => {
    server.on(closeDay, ({ body }) => ({ ...closed, ...(body as { date: string }) }))
    const user = openConsole(atDayEnd, office)
    expect((await rowOf('Mon 14 Sept')).getByText('Closed')).toBeInTheDocument()
    await user.click((await rowOf('Wed 16 Sept')).getByRole('button', { name: 'Close Wed 16 Sept' }))
    const question = within(
      await screen.findByRole('dialog', { name: 'Close Wednesday, 16 September 2026?' }),
    )
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

  test('what was counted in the till is kept with the day', async () => {
    server.on(closeDay, { ...closed, date: '2026-09-16', cashCounted: 40, cashDifference: -4.5 })
    const user = openConsole(atDayEnd, office)
    await user.click((await rowOf('Wed 16 Sept')).getByRole('button', { name: 'Close Wed 16 Sept' }))
    const question = within(await screen.findByRole('dialog'))
    expect(question.getByText(/^Expected: K44.50/)).toBeInTheDocument()
    const field = question.getByRole('textbox', { name: /^Cash counted in the till/ })
    await user.type(field, '4.000')
    await user.click(question.getByRole('button', { name: 'Close the day' }))
    expect(await question.findByText('Amount must be a number with up to 2 decimal places')).toBeVisible()
    await user.clear(field)
    await user.type(field, '40,00')
    await user.click(question.getByRole('button', { name: 'Close the day' }))
    expect(await screen.findByText('The day is closed')).toBeInTheDocument()
    expect(server.asked(closeDay)[0]?.body).toEqual({ date: '2026-09-16', cashCounted: 40 })
  })

  describe('several days', () => {
    beforeEach(() => {
      server.on(closings, { data: [] })
      server.on(dayEnd, {
        days: ['2026-09-14', '2026-09-15', '2026-09-11'].map((date) => ({ ...figures, date })),
        totals: figures,
      })
    })
    const close = async () => {
      const user = openConsole(atDayEnd, office)
      await user.click(await screen.findByRole('button', { name: 'Close 3 Days' }))
      await user.click(await screen.findByRole('button', { name: 'Close 3 days' }))
    }
    const asked = () => server.asked(closeDay).map(({ body }) => (body as { date: string }).date)

    test('are closed in one act, the oldest first, also where another has closed one', async () => {
      server.on(closeDay, ({ body }) => {
        const { date } = body as { date: string }
        return date === '2026-09-11'
          ? refusal(409, 'day_closed', 'This day is already closed')
          : { ...closed, date }
      })
      await close()
      expect(await screen.findByText('3 days closed')).toBeInTheDocument()
      expect(asked()).toEqual(['2026-09-11', '2026-09-14', '2026-09-15'])
    })

    test('end at the first that is refused, which is named with the reason', async () => {
      server.on(closeDay, ({ body }) => {
        const { date } = body as { date: string }
        return date === '2026-09-14'
          ? refusal(503, 'books_behind', 'The books are behind')
          : { ...closed, date }
      })
      await close()
      expect(
        await screen.findByText('1 of 3 days closed. Monday, 14 September 2026 was refused'),
      ).toBeInTheDocument()
      expect(screen.getByText('The books are behind')).toBeInTheDocument()
      expect(asked()).toEqual(['2026-09-11', '2026-09-14'])
      expect(screen.getByRole('button', { name: 'Close 3 Days' })).toBeInTheDocument()
    })

    test('show how far it is meanwhile', async () => {
      server.on(closeDay, () => new Promise<never>(() => undefined))
      await close()
      expect(await screen.findByText(/^Closing day 1 of 3\./)).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: /^Close/ })).toBeNull()
    })
  })

  test('why a day was not closed is said', async () => {
    server.on(closeDay, () => refusal(409, 'day_closed', 'This day is already closed'))
    const user = openConsole(atDayEnd, office)
    await user.click((await rowOf('Wed 16 Sept')).getByRole('button', { name: 'Close Wed 16 Sept' }))
    await user.click(await screen.findByRole('button', { name: 'Close the day' }))
    expect(await screen.findByText('This day is already closed')).toBeInTheDocument()
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
    const rows = table.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows.slice(1)).toEqual([
      expect.stringMatching(/Closing balanceK4\.50 for your next ordersBalance K4\.50 credit$/),
      expect.stringMatching(/Paid by Airtel Money2026-000001Amount \+K50\.00Balance K4\.50 credit$/),
      expect.stringMatching(/Meal: Stew for Chandafor Tue 15 SeptAmount −K45\.50Balance K45\.50 to pay$/),
      expect.stringMatching(/Opening balance/),
    ])
    expect(screen.getByText('The family has K4.50 with the school')).toBeInTheDocument()
    expect(server.asked(statementOfAccount)[0]?.query).toEqual({
      from: '2026-09-01',
      to: '2026-09-16',
      parentId: 7,
    })
  })
})

describe('cycle history books', () => {
  const attemptId = '0199a0b2-0000-7000-8000-000000000001'

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
    for (const text of ['16 Sep 2026, 09:05', 'mary', 'K90.50', 'Checkout', '41', 'Meals: 2'])
      expect(row.getByText(text)).toBeInTheDocument()
  })

  test('an entry says days and what changed in words, without what only a program reads', async () => {
    const changes = {
      old: null,
      new: { date: '2026-09-14', closedBy: 'mary', hash: 'c0ffee', figures: { owed: 1 } },
    }
    const what = 'Books of 2026-09-14 closed, order 11.2026-09-16.1 untouched'
    server.on(auditEntries, books([entry('e1', { what, details: changes })]))
    openConsole(atBooks, office)
    expect(
      await screen.findByText('Books of 14 September 2026 closed, order 11.2026-09-16.1 untouched'),
    ).toBeInTheDocument()
    expect(screen.getByText('Date: 14 September 2026 · Closed by: mary')).toBeInTheDocument()
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
})
