import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { listClasses } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { type CycleOrder, cycleOrders } from '#contracts/order-reports'
import { orderHistory } from '#contracts/payments-console'
import { type FakeServer, fakeServer, refusal, FakeRefusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { autumnCycle, dish, historyOrder, historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer
afterEach(forgetToasts)

describe('cycle history', () => {
  beforeEach(() => {
    server = fakeServer()
    server.on(listClasses, { data: ['9A', '9B'] })
    server.on(listCycles, [autumnCycle])
    server.on(listMenu, [dish(3, 'Beef Stew'), dish(2, 'Soup', true)])
    server.on(cycleOrders, historyPage([historyOrder('11.2026-09-15.1')]))
  })

  const table = async () => within(await screen.findByRole('table', { name: 'Orders' }))

  describe('the list', () => {
    test('has the columns of the spec', async () => {
      openConsole('/', office)
      for (const name of [
        'Select',
        'Order Date',
        'Student',
        'Menu Item(s)',
        'Week and Day',
        'Details',
        'Price',
        'Status',
      ])
        expect((await table()).getByRole('columnheader', { name })).toBeInTheDocument()
    })

    test('a row says when by school time, whose, what, which day, the choices, the price and the status', async () => {
      const order = historyOrder('a', { comments: 'No onions', originalPrice: 50, discountedPrice: 45 })
      server.on(cycleOrders, historyPage([order]))
      openConsole('/', office)
      const row = within((await table()).getByRole('row', { name: /Chanda/ }))
      for (const text of [
        '14 Sep 2026',
        '07:05',
        'Chanda',
        'Grade 4',
        'Beef Stew',
        'Week 1, Tuesday',
        'beef · Nshima',
        '“No onions”',
        'Pending',
      ])
        expect(row.getByText(text)).toBeInTheDocument()
      expect(row.getByText('K50.00').tagName).toBe('S')
      expect(row.getByText(/K45\.00/)).toBeInTheDocument()
    })

    test('without a discount nothing is struck through; what nobody has paid says so', async () => {
      server.on(cycleOrders, historyPage([historyOrder('a', { paymentStatus: 'pending' })]))
      openConsole('/', office)
      const list = await table()
      expect(list.getByText('K45.50').tagName).not.toBe('S')
      expect(list.getByText('Not paid yet')).toBeInTheDocument()
    })

    test('without any order says No orders found and what to expect', async () => {
      server.on(cycleOrders, historyPage([]))
      openConsole('/', office)
      expect(await screen.findByText('No orders found')).toBeInTheDocument()
      expect(screen.getByText(/as soon as a family has placed one/)).toBeInTheDocument()
    })

    test('that could not be read says so, and is read again on request', async () => {
      server.on(cycleOrders, () => refusal(503, 'unavailable', 'The database is away'))
      const user = openConsole('/', office)
      expect(await screen.findByText('Failed to fetch cycle orders')).toBeInTheDocument()
      expect(screen.getByText('The database is away')).toBeInTheDocument()
      server.on(cycleOrders, historyPage([historyOrder('a')]))
      await user.click(screen.getByRole('button', { name: 'Try again' }))
      expect((await table()).getByText('Chanda')).toBeInTheDocument()
    })

    test('goes page by page, the page in the address', async () => {
      server.on(cycleOrders, ({ query }) =>
        historyPage([historyOrder('a', { comments: `of page ${query.page}` })], {
          page: Number(query.page),
          total: 11,
        }),
      )
      const user = openConsole('/', office)
      expect(await screen.findByText('Page 1 of 2')).toBeInTheDocument()
      expect(screen.getByText('11 orders')).toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: 'Next' }))
      expect(await screen.findByText('“of page 2”')).toBeInTheDocument()
      expect(shownAddress()).toBe('/?page=2')
      expect(server.asked(cycleOrders).at(-1)?.query).toEqual({ page: 2 })
    })

    test('opens the history of an order', async () => {
      server.on(orderHistory, {
        data: [
          {
            at: '2026-09-14T05:05:00.000Z',
            schoolTime: '2026-09-14 07:05',
            who: 'mary',
            what: 'Order placed',
            amount: 45.5,
            details: {
              Protein: 'beef',
              movedTo: '11.2026-09-16.1',
              Batch: '0199a1b2-0000-7000-8000-000000000001',
            },
          },
        ],
      })
      const user = openConsole('/', office)
      await user.click(
        await screen.findByRole('button', { name: 'History of Beef Stew for Chanda, Week 1, Tuesday' }),
      )
      const dialog = within(await screen.findByRole('dialog', { name: 'What happened' }))
      expect(await dialog.findByText('Order placed')).toBeInTheDocument()
      expect(dialog.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Protein: '])
      expect(server.asked(orderHistory)[0]?.params).toEqual({ id: '11.2026-09-15.1' })
    })
  })

  const options = (label: string) =>
    within(screen.getByLabelText(label))
      .getAllByRole('option')
      .map((option) => option.textContent)

  describe('the filters', () => {
    test('offer every cycle, week, day, status, menu item, archived ones too, grade and class', async () => {
      openConsole('/', office)
      await screen.findByRole('option', { name: 'Soup (archived)' })
      expect(options('Cycle')).toEqual(['All Cycles', '14 Sep 2026 – 9 Oct 2026 (active)'])
      expect(options('Week')).toEqual(['All Weeks', ...[1, 2, 3, 4, 5, 6].map((week) => `Week ${week}`)])
      expect(options('Day')).toEqual(['All Days', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
      expect(options('Status')).toEqual(['All Statuses', 'Pending', 'Completed', 'Cancelled', 'Refunded'])
      expect(options('Menu Item')).toEqual(['All Items', 'Beef Stew', 'Soup (archived)'])
      expect(options('Grade').slice(0, 3)).toEqual(['All Grades', 'Grade ELC', 'Grade K'])
      await waitFor(() => expect(options('Class')).toEqual(['All Classes', '9A', '9B']))
    })

    test.each([
      ['Cycle', '14 Sep 2026 – 9 Oct 2026 (active)', 'cycleId', 7],
      ['Week', 'Week 6', 'weekNumber', 6],
      ['Day', 'Friday', 'dayOfWeek', 5],
      ['Status', 'Refunded', 'status', 'refunded'],
      ['Menu Item', 'Beef Stew', 'menuItemId', 3],
      ['Grade', 'Grade 4', 'grade', '4'],
      ['Class', '9B', 'class', '9B'],
    ])('%s is asked for and stays in the address, on page 1', async (label, choice, key, value) => {
      const user = openConsole('/?section=history&page=3', office)
      await screen.findByRole('option', { name: choice })
      await user.selectOptions(screen.getByLabelText(label), choice)
      await waitFor(() => expect(server.asked(cycleOrders).at(-1)?.query).toEqual({ page: 1, [key]: value }))
      expect(shownAddress()).toBe(`/?section=history&${key}=${value}`)
      await user.selectOptions(screen.getByLabelText(label), '')
      expect(shownAddress()).toBe('/?section=history')
    })

    test('come from the address; what is no value of theirs counts as not set', async () => {
      openConsole('/?weekNumber=2&dayOfWeek=9&status=lost&menuItemId=3&cycleId=x&grade=13', office)
      await waitFor(() =>
        expect(server.asked(cycleOrders)[0]?.query).toEqual({ page: 1, weekNumber: 2, menuItemId: 3 }),
      )
      expect(screen.getByLabelText('Week')).toHaveProperty('value', '2')
      await waitFor(() => expect(screen.getByLabelText('Menu Item')).toHaveProperty('value', '3'))
    })

    test('are cleared together', async () => {
      const user = openConsole('/?section=history&weekNumber=2&status=pending&page=2', office)
      await user.click(await screen.findByRole('button', { name: 'Clear Filters' }))
      expect(shownAddress()).toBe('/?section=history')
    })

    test('without a match still say No orders found', async () => {
      server.on(cycleOrders, historyPage([]))
      openConsole('/?status=refunded', office)
      expect(await screen.findByText('No orders found')).toBeInTheDocument()
      expect(screen.getByText(/No order matches these filters/)).toBeInTheDocument()
    })

    test.each([
      [listCycles, 'Failed to fetch cycles', 'Cycle', '14 Sep 2026 – 9 Oct 2026 (active)'],
      [listMenu, 'Failed to fetch menu items', 'Menu Item', 'Beef Stew'],
    ] as const)(
      'that could not be read say so beside the orders (%#)',
      async (endpoint, words, label, choice) => {
        server.on(endpoint, () => refusal(503, 'unavailable', 'The database is away'))
        const user = openConsole('/', office)
        expect(await screen.findByText(words)).toBeInTheDocument()
        expect((await table()).getByText('Chanda')).toBeInTheDocument()
        if (endpoint === listCycles) server.on(listCycles, [autumnCycle])
        else server.on(listMenu, [dish(3, 'Beef Stew')])
        await user.click(screen.getByRole('button', { name: 'Try again' }))
        await within(screen.getByLabelText(label)).findByRole('option', { name: choice })
        expect(screen.queryByText(words)).not.toBeInTheDocument()
      },
    )
  })
})

describe('cycle history status', () => {
  const child = (id: string, name: string, more: Partial<CycleOrder> = {}) =>
    historyOrder(id, { student: { name, grade: '4' }, ...more })
  const orders = [
    child('a', 'Anna', { owedIfCancelled: 45.05 }),
    child('b', 'Bupe', { owedIfCancelled: 40.05, status: 'completed' }),
    child('c', 'Chanda', { paymentStatus: 'pending' }),
    child('d', 'David', { status: 'cancelled' }),
  ]

  const batchId = '0199c0de-0000-7000-8000-0000000000b1'

  beforeEach(() => {
    server = fakeServer()
    server.on(listClasses, { data: ['9A', '9B'] })
    server.on(listCycles, [autumnCycle])
    server.on(listMenu, [])
    server.on(cycleOrders, historyPage(orders))
    server.on(setOrderStatus, { message: 'Status updated', updated: 1, skipped: [], batchId })
  })

  type User = ReturnType<typeof openConsole>
  const select = async (user: User, ...names: string[]) => {
    for (const name of names)
      await user.click(await screen.findByRole('checkbox', { name: new RegExp(`^Select .* for ${name}`) }))
  }
  const ask = async (user: User, status: string) => {
    await user.selectOptions(screen.getByLabelText('New status'), status)
    await user.click(screen.getByRole('button', { name: 'Update Status' }))
  }
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
  const asked = () => server.asked(setOrderStatus).map(({ body }) => body)

  describe('the selection', () => {
    test('nothing to update is offered before anything is selected', async () => {
      openConsole('/', office)
      await screen.findByRole('table', { name: 'Orders' })
      expect(screen.queryByRole('button', { name: 'Update Status' })).not.toBeInTheDocument()
    })

    test('takes the whole page and gives it back', async () => {
      const user = openConsole('/', office)
      const all = await screen.findByRole('checkbox', { name: 'Select all on this page' })
      await select(user, 'Anna')
      expect(all).toMatchObject({ checked: false, indeterminate: true })
      await user.click(all)
      expect(screen.getByText('4 orders selected')).toBeInTheDocument()
      expect(all).toMatchObject({ checked: true, indeterminate: false })
      await user.click(all)
      expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
    })

    test('is cleared when a filter changes, and stays cleared when it changes back', async () => {
      const user = openConsole('/', office)
      await select(user, 'Anna', 'Bupe')
      expect(screen.getByText('2 orders selected')).toBeInTheDocument()
      await user.selectOptions(screen.getByLabelText('Status'), 'Pending')
      await waitFor(() => expect(screen.queryByText(/selected/)).not.toBeInTheDocument())
      await user.selectOptions(screen.getByLabelText('Status'), '')
      expect(await screen.findByRole('table', { name: 'Orders' })).toBeInTheDocument()
      expect(screen.queryByText('2 orders selected')).not.toBeInTheDocument()
    })

    test('is cleared when the order of the list changes; the heading keeps the focus', async () => {
      const user = openConsole('/', office)
      await select(user, 'Anna', 'Bupe')
      await user.click(screen.getByRole('button', { name: /^Student/ }))
      await waitFor(() => expect(screen.queryByText(/selected/)).not.toBeInTheDocument())
      expect(screen.getByRole('button', { name: /^Student/ })).toHaveFocus()
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Order Date, newest first')
      expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
      await select(user, 'Chanda')
      expect(screen.getByText('1 order selected')).toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: /^Price/ }))
      await waitFor(() => expect(screen.queryByText(/selected/)).not.toBeInTheDocument())
    })

    test('lasts from page to page and says how much is elsewhere', async () => {
      server.on(cycleOrders, ({ query }) =>
        historyPage(query.page === 2 ? [child('z', 'Zoe')] : orders, { page: Number(query.page), total: 11 }),
      )
      const user = openConsole('/', office)
      await select(user, 'Anna')
      await user.click(screen.getByRole('button', { name: 'Next' }))
      await select(user, 'Zoe')
      expect(screen.getByText('2 orders selected')).toBeInTheDocument()
      expect(screen.getByText(', 1 on other pages')).toBeInTheDocument()
      await ask(user, 'Completed')
      const question = await dialog('Mark 2 orders as completed?')
      expect(question.getByText(/^K91\.00 in all\. The kitchen counts/)).toBeInTheDocument()
      await user.click(question.getByRole('button', { name: /^Mark/ }))
      await waitFor(() => expect(asked()).toEqual([{ orderIds: ['a', 'z'], status: 'completed' }]))
    })
  })

  describe('the new status', () => {
    test('is asked for with how many it touches and what becomes due for refund', async () => {
      const user = openConsole('/', office)
      await select(user, 'Anna', 'Bupe', 'Chanda', 'David')
      await ask(user, 'Cancelled')
      const asking = await dialog('Cancel 3 orders?')
      expect(
        asking.getByText(
          /K85\.10 that was paid for 2 of them becomes due for refund, under Refund Management\..*1 other selected order stays as before\./,
        ),
      ).toBeTruthy()
      expect(asked()).toEqual([])
      await user.click(asking.getByRole('button', { name: 'Go back' }))
      expect(asked()).toEqual([])
      expect(screen.getByText('4 orders selected')).toBeInTheDocument()
    })

    test('cancelling what nobody paid for owes nothing', async () => {
      const user = openConsole('/', office)
      await select(user, 'Chanda')
      await ask(user, 'Cancelled')
      expect((await dialog('Cancel 1 order?')).getByText(/Nothing was paid for them/)).toBeInTheDocument()
    })

    test('reopening says what becomes of refunds', async () => {
      const user = openConsole('/', office)
      await select(user, 'Bupe')
      await ask(user, 'Pending')
      expect((await dialog('Set 1 order back to pending?')).getByText(/No money moves/)).toBeInTheDocument()
      await user.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      await select(user, 'David')
      await user.click(screen.getByRole('button', { name: 'Update Status' }))
      const asking = await dialog('Set 2 orders back to pending?')
      expect(
        asking.getByText(/1 of them was cancelled: a refund still due is no longer owed/),
      ).toBeInTheDocument()
    })

    test('is set, told and drawn, and the selection is cleared', async () => {
      const user = openConsole('/', office)
      await select(user, 'Anna', 'Bupe')
      await ask(user, 'Completed')
      const before = server.asked(cycleOrders).length
      await user.click((await dialog('Mark 1 order as completed?')).getByRole('button', { name: /^Mark/ }))
      expect(await screen.findByText('Status updated')).toBeInTheDocument()
      expect(screen.getByText('1 order updated')).toBeInTheDocument()
      expect(asked()).toEqual([{ orderIds: ['a'], status: 'completed' }])
      await waitFor(() => expect(server.asked(cycleOrders)).toHaveLength(before + 1))
      expect(screen.queryByText(/orders? selected$/)).not.toBeInTheDocument()
    })

    test('orders that were skipped are listed with the reason until it was read', async () => {
      server.on(setOrderStatus, {
        message: 'Status updated',
        batchId,
        updated: 1,
        skipped: [
          { id: 'd', code: 'slot_taken', message: 'There is another order for this student and day' },
        ],
      })
      const user = openConsole('/', office)
      await select(user, 'Bupe', 'David')
      await ask(user, 'Pending')
      await user.click((await dialog('Set 2 orders back to pending?')).getByRole('button', { name: /^Set/ }))
      expect(await screen.findByText('1 order updated, 1 skipped')).toBeInTheDocument()
      expect(screen.getByText('1 order was skipped and stayed as before')).toBeInTheDocument()
      const reason = 'Beef Stew for David, Week 1, Tuesday: There is another order for this student and day'
      expect(screen.getByText(reason)).toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: 'Got it' }))
      expect(screen.queryByText(reason)).not.toBeInTheDocument()
    })

    test('where every order was skipped nothing claims to be updated', async () => {
      server.on(setOrderStatus, {
        message: 'Status updated',
        batchId,
        updated: 0,
        skipped: [{ id: 'd', code: 'slot_taken', message: 'Taken' }],
      })
      const user = openConsole('/', office)
      await select(user, 'David')
      await ask(user, 'Pending')
      await user.click((await dialog('Set 1 order back to pending?')).getByRole('button', { name: /^Set/ }))
      expect(await screen.findByText('Error updating status')).toBeInTheDocument()
      expect(screen.queryByText('Status updated')).not.toBeInTheDocument()
    })

    test('that none of the selected orders can have is not asked for', async () => {
      const user = openConsole('/', office)
      await select(user, 'David')
      await ask(user, 'Completed')
      expect(await screen.findByText('None of the selected orders can become completed')).toBeInTheDocument()
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test.each([
      ['the words of the server', () => refusal(403, 'forbidden', 'Not yours to do'), 'Not yours to do'],
      [
        'its own words without them',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to update order statuses',
      ],
    ])('that fails shows %s and keeps the selection', async (_name, answer, text) => {
      server.on(setOrderStatus, answer)
      const user = openConsole('/', office)
      await select(user, 'Anna')
      await ask(user, 'Cancelled')
      await user.click((await dialog('Cancel 1 order?')).getByRole('button', { name: 'Cancel Orders' }))
      expect(await screen.findByText('Error updating status')).toBeInTheDocument()
      expect(screen.getByText(text)).toBeInTheDocument()
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(screen.getByText('1 order selected')).toBeInTheDocument()
    })
  })
})
