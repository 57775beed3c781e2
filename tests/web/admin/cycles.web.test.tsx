import { screen, waitFor, within } from '@testing-library/react'
import { cycleDays, listClosures, getClosure, undoClosure } from '#contracts/closures'
import {
  type OrderCycle,
  deactivateCycle,
  listCycles,
  reactivateCycle,
  cycleHistory,
} from '#contracts/cycles'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { closed, closure, cycle, day, serveDays, week } from './sample-orders'

let server: FakeServer
const office = adminWith('cycles')
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

describe('cycles', () => {
  const cycle = (id: number, more: Partial<OrderCycle> = {}): OrderCycle => ({
    id,
    isActive: false,
    startDate: '2026-07-06',
    endDate: '2026-07-31',
    cycleLength: 4,
    createdAt: '2026-07-01T08:00:00.000Z',
    blockedDays: [],
    ...more,
  })

  const active = cycle(8, {
    isActive: true,
    startDate: '2026-09-14',
    endDate: '2026-10-23',
    cycleLength: 6,
    createdAt: '2026-09-10T08:00:00.000Z',
    blockedDays: [
      { week: 1, day: 3 },
      { week: 6, day: 5 },
    ],
  })

  const pageOf = (page: number, cycles: OrderCycle[]) => ({
    data: cycles.map((one) => ({ ...one, cycleId: one.id, totalOrders: 412, totalRevenue: 21345.5 })),
    metadata: {
      total: 12,
      page,
      pageSize: 10,
      totalPages: 2,
      hasNextPage: page < 2,
      hasPreviousPage: page > 1,
    },
  })

  const serve = (...cycles: OrderCycle[]) => {
    server.on(listCycles, cycles)
    server.on(cycleHistory, ({ query }) => pageOf(Number(query.page), query.page === 2 ? [cycle(1)] : cycles))
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(listClosures, { data: [] })
    server.on(cycleDays, { days: [] })
  })
  const dialog = async () => within(await screen.findByRole('dialog'))

  describe('the active cycle', () => {
    test('is shown with its length, dates and blocked days', async () => {
      serve(active, cycle(7))
      openConsole('/', office)
      expect(await screen.findByText('Active Order Cycle')).toBeInTheDocument()
      expect(await screen.findByText('6 weeks', { selector: 'dd' })).toBeInTheDocument()
      expect(screen.getByText('Monday, 14 September 2026')).toBeInTheDocument()
      expect(
        screen.getByText('New cycles must start on a Monday and run for 4 weeks or 6 weeks.'),
      ).toBeInTheDocument()
      expect(screen.getByText('10 September 2026 at 10:00')).toBeInTheDocument()
      expect(screen.getByText('2 blocked days')).toBeInTheDocument()
      expect(screen.getByText('Wednesday, 16 September 2026 · Friday, 23 October 2026')).toBeInTheDocument()
    })

    test('is deactivated after a question', async () => {
      serve(active)
      server.on(deactivateCycle, () => {
        serve(cycle(8))
        return { message: 'ok' }
      })
      const user = openConsole('/', office)
      await press(user, 'Deactivate')
      expect(
        await (await dialog()).findByText(/412 orders already placed stay and are cooked\./),
      ).toBeInTheDocument()
      await user.click((await dialog()).getByRole('button', { name: 'Deactivate' }))
      expect(await screen.findByText('Order cycle deactivated')).toBeInTheDocument()
      expect(server.asked(deactivateCycle)[0]?.params).toEqual({ id: 8 })
      expect(
        await screen.findByText('No active order cycle. Create a new cycle to start accepting orders.'),
      ).toBeTruthy()
    })

    test('stays when the question is answered with Cancel', async () => {
      serve(active)
      server.on(deactivateCycle, { message: 'never' })
      const user = openConsole('/', office)
      await press(user, 'Deactivate')
      await press(user, 'Cancel')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(server.asked(deactivateCycle)).toEqual([])
    })

    test('that could not be deactivated says so', async () => {
      serve(active)
      server.on(deactivateCycle, () => {
        throw new FakeRefusal(502, null)
      })
      const user = openConsole('/', office)
      await press(user, 'Deactivate')
      await user.click((await dialog()).getByRole('button', { name: 'Deactivate' }))
      expect(await screen.findByText('Failed to deactivate order cycle')).toBeInTheDocument()
    })

    test('cycles that could not be read say so', async () => {
      serve(active)
      server.on(listCycles, () => refusal(503, 'unavailable', 'The database is away'))
      openConsole('/', office)
      expect(await screen.findByText('Failed to fetch cycles')).toBeInTheDocument()
    })
  })

  describe('the history', () => {
    test('opens a row to its dates and totals', async () => {
      serve(active, cycle(7))
      const user = openConsole('/', office)
      await press(user, /6 – 31 July 2026/)
      expect(screen.getByText('Monday, 6 July 2026')).toBeInTheDocument()
      expect(screen.getByText('Friday, 31 July 2026')).toBeInTheDocument()
      expect(screen.getByText('412')).toBeInTheDocument()
      expect(screen.getByText('K21,345.50')).toBeInTheDocument()
      await press(user, /6 – 31 July 2026/)
      expect(screen.queryByText('K21,345.50')).not.toBeInTheDocument()
    })

    test('goes page by page, the page in the address', async () => {
      serve(active)
      const user = openConsole('/', office)
      expect(await screen.findByText('Page 1 of 2')).toBeInTheDocument()
      expect(screen.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true)
      await press(user, 'Next')
      expect(await screen.findByText('Page 2 of 2')).toBeInTheDocument()
      expect(await screen.findByText('6 – 31 July 2026')).toBeInTheDocument()
      expect(shownAddress()).toBe('/?page=2')
    })

    test('is sorted and narrowed by the server, as the address says; each change begins with the first page', async () => {
      serve(active, cycle(7, { startDate: '2025-09-01', endDate: '2025-09-26' }))
      const user = openConsole('/?sort=revenue&direction=desc&page=2', office)
      await screen.findByText('Page 2 of 2')
      expect(server.asked(cycleHistory).at(-1)?.query).toEqual({
        page: 2,
        sort: 'revenue',
        direction: 'desc',
      })
      expect(screen.getByLabelText('Sort by')).toHaveProperty('value', 'revenue desc')
      await user.selectOptions(screen.getByLabelText('Year'), '2025')
      expect(shownAddress()).toBe('/?sort=revenue&direction=desc&year=2025')
      await user.selectOptions(screen.getByLabelText('Length'), '6 weeks')
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Earliest start first')
      expect(shownAddress()).toBe('/?sort=start&year=2025&cycleLength=6')
      await waitFor(() =>
        expect(server.asked(cycleHistory).at(-1)?.query).toEqual({
          page: 1,
          sort: 'start',
          direction: 'asc',
          year: 2025,
          cycleLength: 6,
        }),
      )
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Newest first')
      expect(shownAddress()).toBe('/?year=2025&cycleLength=6')
    })

    test('keeps a year of the address in which nothing began, and says so', async () => {
      serve(active)
      server.on(cycleHistory, { data: [], metadata: { ...pageOf(1, []).metadata, total: 0, totalPages: 1 } })
      openConsole('/?year=2019', office)
      expect(await screen.findByText(/No cycle of this length began in this year/)).toBeInTheDocument()
      expect(screen.getByLabelText('Year')).toHaveProperty('value', '2019')
    })

    test('reactivating is not offered while a cycle is active', async () => {
      serve(active, cycle(7))
      const user = openConsole('/', office)
      await press(user, /6 – 31 July 2026/)
      expect(screen.queryByRole('button', { name: 'Reactivate This Cycle' })).not.toBeInTheDocument()
    })

    test('without an active cycle a past one is reactivated', async () => {
      serve(cycle(7))
      server.on(reactivateCycle, () => {
        serve(cycle(7, { isActive: true }))
        return { ...cycle(7, { isActive: true }), overlap: { orders: 0, dates: [] } }
      })
      const user = openConsole('/', office)
      await press(user, /6 – 31 July 2026/)
      await press(user, 'Reactivate This Cycle')
      expect(await screen.findByText('Cycle reactivated')).toBeInTheDocument()
      expect(server.asked(reactivateCycle)[0]?.params).toEqual({ id: 7 })
      await waitFor(() =>
        expect(screen.queryByRole('button', { name: 'Reactivate This Cycle' })).not.toBeInTheDocument(),
      )
    })

    test('one reactivated over orders of other cycles says which', async () => {
      serve(cycle(7))
      const overlap = { orders: 1, dates: ['2026-07-08'] }
      server.on(reactivateCycle, { ...cycle(7, { isActive: true }), overlap })
      const user = openConsole('/', office)
      await press(user, /6 – 31 July 2026/)
      await press(user, 'Reactivate This Cycle')
      expect(await screen.findByText('Cycle reactivated')).toBeInTheDocument()
      expect(
        screen.getByText('1 order of other cycles is on 8 July. It stays and is cooked.'),
      ).toBeInTheDocument()
    })

    test.each([
      [
        'in the words of the server',
        () => refusal(409, 'cycle_active', 'An order cycle is already active.'),
        'An order cycle is already active.',
      ],
      [
        'in its own',
        () => {
          throw new FakeRefusal(500, null)
        },
        'Failed to reactivate cycle',
      ],
    ])('a refused reactivation is told %s', async (_name, answer, text) => {
      serve(cycle(7))
      server.on(reactivateCycle, answer)
      const user = openConsole('/', office)
      await press(user, /6 – 31 July 2026/)
      await press(user, 'Reactivate This Cycle')
      expect(await screen.findByText(text)).toBeInTheDocument()
    })

    test('that could not be read says so', async () => {
      serve(active)
      server.on(cycleHistory, () => refusal(503, 'unavailable', 'The database is away'))
      openConsole('/', office)
      expect(await screen.findByText('Failed to fetch history')).toBeInTheDocument()
    })

    test('without any cycle says so', async () => {
      serve()
      server.on(cycleHistory, {
        ...pageOf(1, []),
        metadata: { ...pageOf(1, []).metadata, total: 0, totalPages: 1 },
      })
      openConsole('/', office)
      expect(await screen.findByText('No results found')).toBeInTheDocument()
    })
  })
})

describe('undone days', () => {
  const listed = {
    ...closure,
    cycleId: 8,
    reason: 'The oven broke',
    remedy: 'credit' as const,
    grades: [],
    classes: [],
    closedAt: '2026-09-15T06:30:00.000Z',
    closedBy: 'grace',
    undoneAt: null,
    undoneBy: null,
    canUndo: true,
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(listClosures, { data: [] })
    server.on(getClosure, { ...closure, id: 'c1', dates: ['2026-09-17'] })
    serveDays(server, week, cycle)
  })
  const sheet = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
  const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextSibling?.textContent

  const openClosed = async () => {
    const user = openConsole('/', office)
    await press(user, /^Thursday, 17 September/)
    return user
  }

  describe('undoing', () => {
    test('a closed day tells why, by whom and when', async () => {
      await openClosed()
      expect(await screen.findByText('Heroes Day')).toBeInTheDocument()
      expect(screen.getByText('Closed by grace, 11 September 2026 at 08:30')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Close this day' })).not.toBeInTheDocument()
    })

    test('asks first, tells its progress while it is at work, and what was restored and what was not', async () => {
      const user = await openClosed()
      await press(user, 'Undo')
      await press(user, 'Keep closed')
      await press(user, 'Undo')
      const asItStands = { restored: 20, notRestored: [], families: 15, notTold: 0 }
      const atLast = {
        restored: 46,
        notRestored: [{ orderId: '5.2026-09-17.1', code: 'credit_spent', message: 'The credit is spent' }],
        families: 39,
        notTold: 1,
      }
      server.on(undoClosure, () => {
        serveDays(server, [...week.slice(0, 3), day('2026-09-17', { orders: 46 })], cycle)
        server.on(getClosure, { ...closure, id: 'c1', done: 22, undone: asItStands })
        return asItStands
      })
      await press(user, 'Undo closure')
      expect(await screen.findByText(/^Restoring: 22 of 49 orders done/)).toBeInTheDocument()
      expect(screen.queryByText(/Closure undone/)).not.toBeInTheDocument()
      server.on(getClosure, { ...closure, id: 'c1', notTold: 0, undone: atLast })
      expect(
        await screen.findByText('Closure undone: 46 orders restored, 38 families told.', undefined, {
          timeout: 3000,
        }),
      ).toBeInTheDocument()
      expect(screen.queryByRole('progressbar')).not.toBeInTheDocument()
      expect(screen.getByText('1 family has no address and could not be told.')).toBeInTheDocument()
      expect(screen.getByText('1 order: The credit is spent')).toBeInTheDocument()
      expect(server.asked(undoClosure)).toHaveLength(1)
      expect(fact('State')).toBe('Open')
      expect(screen.getByText('This closure was undone')).toBeInTheDocument()
      expect(screen.getByRole('heading', { name: 'Before it was undone' })).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
    })

    test('can be read again in the list of closed days', async () => {
      const undone = { restored: 1, notRestored: [], families: 1, notTold: 0 }
      server.on(listClosures, { data: [{ ...listed, undoneAt: listed.closedAt, undoneBy: 'ruth' }] })
      server.on(getClosure, { ...closure, undone })
      const user = openConsole('/', office)
      await press(user, /Details of .*The oven broke/)
      expect(await screen.findByText('Closure undone: 1 order restored, 1 family told.')).toBeInTheDocument()
      const dialog = await sheet('Wednesday, 16 September 2026')
      expect(dialog.getByText('This closure was undone')).toBeInTheDocument()
      expect(dialog.getByText('Undone by ruth, 15 September 2026 at 08:30')).toBeInTheDocument()
      expect(
        dialog.getByText('Closed by grace, 15 September 2026 at 08:30: The oven broke'),
      ).toBeInTheDocument()
      expect(dialog.queryByText('The oven broke')).not.toBeInTheDocument()
    })

    test('is not offered where the server does not allow it', async () => {
      serveDays(
        server,
        [day('2026-09-17', { state: 'blocked', closure: { ...closed, canUndo: false } })],
        cycle,
      )
      await openClosed()
      expect(await screen.findByText('Heroes Day')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
    })

    test('that failed says so', async () => {
      const user = await openClosed()
      server.on(undoClosure, () => refusal(409, 'cycle_over', 'The cycle is over'))
      await press(user, 'Undo')
      await press(user, 'Undo closure')
      expect(await screen.findByText('The cycle is over')).toBeInTheDocument()
    })
  })

  describe('the list of closed days', () => {
    test('has who and when, and opens to what came of each', async () => {
      server.on(listClosures, {
        data: [
          { ...listed, id: 'c3', dates: ['2026-09-21', '2026-09-22'], done: 3, reason: 'Elections' },
          listed,
          { ...listed, id: 'c1', reason: 'Error', undoneAt: listed.closedAt, undoneBy: 'ruth' },
        ],
      })
      const user = openConsole('/', office)
      const rows = within((await screen.findByText('Elections')).closest('ul') as HTMLElement).getAllByRole(
        'listitem',
      )
      expect(rows[0]).toHaveTextContent('2 days, 21 – 22 September 2026')
      expect(rows[0]).toHaveTextContent('3 of 49')
      expect(rows[1]).toHaveTextContent('Closed by grace, 15 September 2026 at 08:30')
      expect(rows[1]).toHaveTextContent('47 orders of 40 families cancelled, K575.00 as family credit')
      expect(rows[2]).toHaveTextContent('Undone by ruth, 15 September 2026 at 08:30')
      expect(rows[2]).not.toHaveTextContent('cancelled')
      const badges = rows.map((row) => row.querySelector('.badge')?.textContent)
      expect(badges).toEqual(['3 of 49', 'Closed', 'Undone'])
      server.on(getClosure, closure)
      await press(user, /Details of .*The oven broke/)
      expect((await sheet('Wednesday, 16 September 2026')).getByText('The oven broke')).toBeInTheDocument()
      expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument()
      expect(server.asked(getClosure)[0]?.params).toEqual({ id: 'c2' })
    })

    test('without any says so', async () => {
      openConsole('/', office)
      expect(await screen.findByText('No closed days')).toBeInTheDocument()
    })

    test('that could not be read says so', async () => {
      server.on(listClosures, () => refusal(503, 'unavailable', 'The database is away'))
      openConsole('/', office)
      expect(await screen.findByText('Failed to fetch closures')).toBeInTheDocument()
    })
  })
})
