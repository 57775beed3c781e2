import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders } from '#contracts/order-reports'
import { listCycles } from '#contracts/cycles'
import { orderHistory } from '#contracts/payments-console'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { autumnCycle, dish, historyOrder, historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [autumnCycle])
  server.on(listMenu, [dish(3, 'Beef Stew'), dish(2, 'Soup', true)])
  server.on(cycleOrders, historyPage([historyOrder('11.2026-09-15.1')]))
})
afterEach(forgetToasts)

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
          details: {},
        },
      ],
    })
    const user = openConsole('/', office)
    await user.click(
      await screen.findByRole('button', { name: 'History of Beef Stew for Chanda, Week 1, Tuesday' }),
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'What happened' }))
    expect(await dialog.findByText('Order placed')).toBeInTheDocument()
    expect(server.asked(orderHistory)[0]?.params).toEqual({ id: '11.2026-09-15.1' })
  })
})

const options = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole('option')
    .map((option) => option.textContent)

describe('the filters', () => {
  test('offer every cycle, week, day, status and menu item, archived ones too', async () => {
    openConsole('/', office)
    await screen.findByRole('option', { name: 'Soup (archived)' })
    expect(options('Cycle')).toEqual(['All Cycles', '14 Sep 2026 – 9 Oct 2026 (active)'])
    expect(options('Week')).toEqual(['All Weeks', ...[1, 2, 3, 4, 5, 6].map((week) => `Week ${week}`)])
    expect(options('Day')).toEqual(['All Days', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
    expect(options('Status')).toEqual(['All Statuses', 'Pending', 'Completed', 'Cancelled', 'Refunded'])
    expect(options('Menu Item')).toEqual(['All Items', 'Beef Stew', 'Soup (archived)'])
  })

  test.each([
    ['Cycle', '14 Sep 2026 – 9 Oct 2026 (active)', 'cycleId', 7],
    ['Week', 'Week 6', 'weekNumber', 6],
    ['Day', 'Friday', 'dayOfWeek', 5],
    ['Status', 'Refunded', 'status', 'refunded'],
    ['Menu Item', 'Beef Stew', 'menuItemId', 3],
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
    openConsole('/?weekNumber=2&dayOfWeek=9&status=lost&menuItemId=3&cycleId=x', office)
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
