import { screen, waitFor, within, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom'
import { getStaffCode, saveStaffCode } from '#contracts/accounts'
import { maintenanceNow, auditEntries } from '#contracts/audit'
import { listMenu } from '#contracts/catalogue'
import { listCycles, getCycleLength, cycleHistory } from '#contracts/cycles'
import { type FeatureName, logout, portal, getSecurity } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { cycleOrders } from '#contracts/order-reports'
import { liveOrders, listFailedOrders } from '#contracts/payments-console'
import { listPayouts, listRefunds } from '#contracts/refunds'
import { pendingPayments } from '#contracts/transfers'
import { useListAddress } from '../../../web/lib/list-address'
import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import { StackedTable } from '../../../web/ui/data-table'
import './browser-gaps'
import { freshPortal, messageOf, openPortal, press } from '../open-portal'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

describe('console', () => {
  const noPages = {
    total: 0,
    page: 1,
    pageSize: 10,
    totalPages: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }
  let server: FakeServer

  beforeEach(() => {
    server = fakeServer()
    server.on(listCycles, [])
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(cycleHistory, { data: [], metadata: noPages })
    server.on(kitchenToday, {
      date: schoolDate(schoolNow()),
      data: [],
      metadata: noPages,
      totals: [],
      allergies: null,
      planned: [],
    })
  })
  afterEach(forgetToasts)

  const menuEntries = () =>
    within(screen.getByRole('navigation', { name: 'Sections' }))
      .getAllByRole('link')
      .map((link) => link.textContent)

  test('the menu has the held sections alone, the header their label and the username', async () => {
    openConsole('/', adminWith('cycles', 'kitchen'))
    await screen.findByText('No orders for today')
    expect(menuEntries()).toEqual(['Kitchen View', 'Order Cycles'])
    expect(screen.getByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Kitchen View')
    expect(screen.getByText('grace')).toBeInTheDocument()
  })

  test('superadmin sees today and all twelve sections', async () => {
    openConsole('/?section=settings')
    await screen.findByRole('tab', { name: 'Communication' })
    expect(menuEntries()).toHaveLength(13)
    expect(menuEntries()[0]).toBe('Today')
    const groups = screen.getByRole('navigation', { name: 'Sections' }).querySelectorAll('section')
    expect(
      [...groups].map((group) => [
        group.querySelector('p')!.textContent,
        ...within(group)
          .getAllByRole('link')
          .map((link) => link.querySelector('span')!.textContent),
      ]),
    ).toEqual([
      ['Kitchen', 'Kitchen View', 'Menu Management', 'Order Cycles'],
      [
        'Money',
        'Live Orders',
        'Pending Payments',
        'Order Recovery',
        'Refund Management',
        'Cycle History',
        'Revenue Stats',
      ],
      ['Families', 'Parents & Students'],
      ['School', 'Admin Users', 'Settings'],
    ])
  })

  test('a group without a section that is held is not in the menu', async () => {
    openConsole('/', adminWith('cycles', 'settings'))
    await screen.findByText('Active Order Cycle')
    expect(menuEntries()).toEqual(['Order Cycles', 'Settings'])
    expect(screen.queryByText('Money')).not.toBeInTheDocument()
  })

  test('choosing a section shows it, marks it and puts it into the address', async () => {
    const user = openConsole('/', adminWith('cycles', 'kitchen'))
    await user.click(await screen.findByRole('link', { name: 'Order Cycles' }))
    expect(await screen.findByText('Active Order Cycle')).toBeInTheDocument()
    expect(shownAddress()).toBe('/?section=cycles')
    expect(screen.getByRole('link', { name: 'Order Cycles' })).toHaveAttribute('aria-current', 'page')
  })

  test('a section that is not held is not opened by its address', async () => {
    openConsole('/?section=menu', adminWith('kitchen'))
    expect(await screen.findByText('No orders for today')).toBeInTheDocument()
  })

  test('a rebuild that runs is told in every section', async () => {
    server.on(maintenanceNow, { running: { what: 'rebuild', since: '2026-09-16T08:02:00.000Z' } })
    openConsole('/', adminWith('kitchen'))
    expect(
      await screen.findByText(
        'A rebuild of all lists began at 10:02 and is still running. You can go on working meanwhile.',
      ),
    ).toBeInTheDocument()
  })

  test('a backup that runs is nobody’s concern there', async () => {
    server.on(maintenanceNow, { running: { what: 'backup', since: '2026-09-16T08:02:00.000Z' } })
    openConsole('/', adminWith('kitchen'))
    await screen.findByText('No orders for today')
    expect(screen.queryByText(/A rebuild/)).not.toBeInTheDocument()
  })

  test('an administrator without sections is told so', async () => {
    openConsole('/', adminWith())
    expect(await screen.findByText('No sections yet')).toBeInTheDocument()
  })

  test('/settings is for those who hold it', async () => {
    openConsole('/settings', adminWith('kitchen'))
    expect(await screen.findByText('Settings is not open to you')).toBeInTheDocument()
  })

  test('the side menu collapses to icons and back, its names still readable by name', async () => {
    const user = openConsole('/?section=revenue')
    await user.click(await screen.findByRole('button', { name: 'Collapse menu' }))
    expect(screen.getByRole('button', { name: 'Expand menu' })).toHaveAttribute('aria-expanded', 'false')
    expect(screen.getByRole('link', { name: 'Live Orders' })).toBeInTheDocument()
  })

  test('on a phone the menu closes after a choice', async () => {
    const user = openConsole('/', adminWith('cycles', 'kitchen'))
    await user.click(await screen.findByRole('button', { name: 'Open menu' }))
    const drawer = await screen.findByRole('dialog', { name: 'Sections' })
    await user.click(within(drawer).getByRole('link', { name: 'Order Cycles' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(shownAddress()).toBe('/?section=cycles')
  })

  test('logout says that it is done', async () => {
    server.on(logout, { message: 'Logged out' })
    server.on(portal, {
      schoolName: 'Banani School',
      timezone: 'Africa/Lusaka',
      demo: false,
      now: new Date().toISOString(),
    })
    const user = openConsole('/?section=revenue')
    await user.click(await screen.findByRole('button', { name: 'Logout' }))
    expect(await screen.findByText('Logged out successfully')).toBeInTheDocument()
  })

  test.each([
    [
      'the words of the server',
      () => refusal(503, 'unavailable', 'The service is closing'),
      'The service is closing',
    ],
    [
      'its own words without them',
      () => {
        throw new FakeRefusal(500, null)
      },
      'Failed to logout',
    ],
  ])('a failed logout shows %s', async (_name, answer, text) => {
    server.on(logout, answer)
    const user = openConsole('/?section=revenue')
    await user.click(await screen.findByRole('button', { name: 'Logout' }))
    expect(await screen.findByText(text)).toBeInTheDocument()
  })
})

const keys = ['time', 'amount'] as const
const newest = { sort: 'time', direction: 'desc' } as const
const columns = [
  { label: 'Time', by: 'time' },
  { label: 'Amount', by: 'amount' },
  { label: 'Details' },
] as const

const List = () => {
  const list = useListAddress<(typeof keys)[number]>(keys, newest)
  const go = useNavigate()
  return (
    <>
      <p data-testid="address">{useLocation().search}</p>
      <p data-testid="asked">{JSON.stringify(list.query)}</p>
      <StackedTable label="Things" columns={columns} sorted={list.sorted}>
        {null}
      </StackedTable>
      <button type="button" onClick={() => list.onPage(list.page + 1)}>
        Next
      </button>
      <button type="button" onClick={() => list.onFilter({ status: 'Failed', who: null })}>
        Failed only
      </button>
      <button type="button" onClick={() => list.onTyped({ who: 'mwila' })}>
        Type
      </button>
      <button type="button" onClick={() => void go(-1)}>
        Back
      </button>
    </>
  )
}

const open = (address: string) => {
  render(
    <MemoryRouter initialEntries={[address]}>
      <List />
    </MemoryRouter>,
  )
  const user = userEvent.setup()
  return (name: string) => user.click(screen.getByRole('button', { name }))
}
const address = () => screen.getByTestId('address').textContent
const asked = () => JSON.parse(screen.getByTestId('asked').textContent) as unknown
const order = (label: string) => screen.getByRole('columnheader', { name: label }).getAttribute('aria-sort')

test('an address without anything asks for the first page in the usual order, without naming it', () => {
  open('/?section=x')
  expect(asked()).toEqual({ page: 1 })
  expect([order('Time'), order('Amount'), order('Details')]).toEqual(['descending', 'none', null])
})

test('a head sorts, pressed again it turns the list round; the order is in the address and starts on page 1', async () => {
  const press = open('/?section=x&page=3')
  await press('Amount')
  expect(address()).toBe('?section=x&sort=amount')
  expect(asked()).toEqual({ page: 1, sort: 'amount', direction: 'asc' })
  expect([order('Time'), order('Amount')]).toEqual(['none', 'ascending'])
  await press('Amount')
  expect(address()).toBe('?section=x&sort=amount&direction=desc')
  expect(order('Amount')).toBe('descending')
})

test('a shared address is read as it was made; what is no page, key or direction counts as not there', () => {
  open('/?page=2&sort=amount&direction=desc')
  expect(asked()).toEqual({ page: 2, sort: 'amount', direction: 'desc' })
})

test.each(['/?page=0&sort=colour', '/?page=x&direction=desc', '/?page=-1'])(
  '%s asks for the usual',
  (wrong) => {
    open(wrong)
    expect(asked()).toEqual({ page: 1 })
  },
)

test('a filter starts on page 1 and keeps the order; Back leads to what was shown before, page and all', async () => {
  const press = open('/?sort=amount&who=anna')
  await press('Next')
  await press('Failed only')
  expect(address()).toBe('?sort=amount&status=Failed')
  await press('Back')
  expect(address()).toBe('?sort=amount&who=anna&page=2')
  await press('Back')
  expect(asked()).toEqual({ page: 1, sort: 'amount', direction: 'asc' })
})

test('what is typed takes the place of what was typed before', async () => {
  const press = open('/?who=mw')
  await press('Next')
  await press('Type')
  expect(address()).toBe('?who=mwila')
  await press('Back')
  expect(address()).toBe('?who=mw')
})

describe('lists in address', () => {
  type Listed =
    | typeof liveOrders
    | typeof listFailedOrders
    | typeof pendingPayments
    | typeof listRefunds
    | typeof cycleOrders
    | typeof auditEntries

  const pages = { page: 2, totalPages: 3, hasNextPage: true, hasPreviousPage: true }
  const metadata = { ...pages, total: 120, pageSize: 50, next: null }

  /** Each list with nothing on the page that is asked for, a key to sort by, filters as the address and the server have them. */
  const lists: [FeatureName, Listed, unknown, string, string, object][] = [
    [
      'live_orders',
      liveOrders,
      { data: [], pagination: { ...pages, totalOrders: 120 } },
      'amount',
      'parent=mary',
      { parent: 'mary' },
    ],
    ['order_recovery', listFailedOrders, { data: [], metadata }, 'customer', 'text=mary', { text: 'mary' }],
    [
      'pending_payments',
      pendingPayments,
      { data: [], pagination: { ...pages, totalGroups: 120 } },
      'amount',
      'text=mary',
      { text: 'mary' },
    ],
    [
      'refunds',
      listRefunds,
      { data: [], metadata },
      'student',
      'status=all&text=mary',
      { status: 'all', text: 'mary' },
    ],
    [
      'history',
      cycleOrders,
      { data: [], metadata },
      'price',
      'weekNumber=2&status=cancelled',
      { weekNumber: 2, status: 'cancelled' },
    ],
    [
      'history',
      auditEntries,
      { data: [], pagination: { ...pages, totalEntries: 120 } },
      'kind',
      'tab=books&who=mary',
      { who: 'mary' },
    ],
  ]

  let server: FakeServer
  beforeEach(() => {
    server = fakeServer()
    server.on(listPayouts, { data: [] })
    server.on(listCycles, [])
    server.on(listMenu, [])
  })
  afterEach(forgetToasts)

  describe.each(lists)('the list of %s (%#)', (feature, endpoint, reply, sort, filters, filtered) => {
    const open = (address: string) => {
      server.on(endpoint, reply as never)
      return openConsole(`/?section=${feature}&${address}`, adminWith(feature))
    }
    const asked = () => server.asked(endpoint).at(-1)?.query

    test('is read as the address says: page, order and filters', async () => {
      open(`${filters}&page=2&sort=${sort}&direction=desc`)
      await waitFor(() => expect(asked()).toEqual({ page: 2, sort, direction: 'desc', ...filtered }))
    })

    test('takes what is no page, order or filter of its own as not there', async () => {
      const tab = filters.startsWith('tab=books') ? 'tab=books&' : ''
      open(`${tab}page=x&sort=colour&direction=up&status=lost&weekNumber=9&kind=none`)
      await waitFor(() => expect(asked()).toMatchObject({ page: 1 }))
      expect(asked()).not.toHaveProperty('sort')
      expect(asked()).not.toHaveProperty('weekNumber')
    })

    test('past its end leads back to its last page, and keeps the rest', async () => {
      const user = open(`${filters}&page=9`)
      await user.click(await screen.findByRole('button', { name: 'Go to page 3' }))
      expect(shownAddress()).toBe(`/?section=${feature}&${filters}&page=3`)
      await waitFor(() => expect(asked()).toEqual({ page: 3, ...filtered }))
    })
  })
})

test('behind an open dialog the page is out of reach, also for one that opens with its first drawing', async () => {
  const server = fakeServer()
  const metadata = {
    total: 0,
    page: 1,
    pageSize: 10,
    totalPages: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }
  server.on(listCycles, [])
  server.on(cycleHistory, { data: [], metadata })
  const user = openConsole('/', adminWith('cycles'))
  await user.click(await screen.findByRole('button', { name: 'Create New Order Cycle' }))
  await screen.findByRole('dialog', { name: 'Create Order Cycle' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Logout' })).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('button', { name: 'Logout' })).toBeInTheDocument()
})

describe('staff code', () => {
  afterEach(forgetToasts)

  const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

  test('saves the staff code, which is long enough or none', async () => {
    const server = freshPortal()
    server.on(getSecurity, { requireSecondFactor: false, maxChildren: 12, maxUnpaidMeals: 40 })
    server.on(getStaffCode, { staffCode: '' })
    server.on(saveStaffCode, ({ body }) => body as { staffCode: string })
    const hands = openPortal('/settings?tab=security', adminWith('settings'))
    const field = await screen.findByLabelText('Staff code')
    await hands.type(field, 'short')
    await press(hands, 'Save Staff Code')
    await waitFor(() => expect(messageOf(field)).toBe('A staff code has at least 6 characters'))
    await hands.type(field, ' and long')
    await press(hands, 'Save Staff Code')
    await said('Staff code saved')
    expect(server.asked(saveStaffCode).map(({ body }) => body)).toEqual([{ staffCode: 'short and long' }])
    await hands.clear(field)
    await press(hands, 'Save Staff Code')
    await said('Staff code removed')
  })
})
