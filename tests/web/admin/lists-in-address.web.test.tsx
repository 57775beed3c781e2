import { screen, waitFor } from '@testing-library/react'
import { listPayouts, listRefunds } from '#contracts/refunds'
import { auditEntries } from '#contracts/audit'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders } from '#contracts/order-reports'
import { listCycles } from '#contracts/cycles'
import type { FeatureName } from '#contracts/identity'
import { liveOrders, listFailedOrders } from '#contracts/payments-console'
import { pendingPayments } from '#contracts/transfers'
import { fakeServer, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

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
