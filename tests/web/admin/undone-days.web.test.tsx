import { screen, within } from '@testing-library/react'
import { getClosure, listClosures, undoClosure } from '#contracts/closures'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { closed, closure, cycle, day, serveDays, week } from './sample-days'

let server: FakeServer
const office = adminWith('cycles')

const listed = {
  ...closure,
  cycleId: 8,
  reason: 'The oven broke',
  remedy: 'credit' as const,
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
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
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
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  })

  test('can be read again in the list of closed days', async () => {
    const undone = { restored: 1, notRestored: [], families: 1, notTold: 0 }
    server.on(listClosures, { data: [{ ...listed, undoneAt: listed.closedAt, undoneBy: 'ruth' }] })
    server.on(getClosure, { ...closure, undone })
    const user = openConsole('/', office)
    await press(user, /Details of .*The oven broke/)
    expect(await screen.findByText('Closure undone: 1 order restored, 1 family told.')).toBeInTheDocument()
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
        { ...listed, id: 'c1', cancelled: 0, reason: 'Error', undoneAt: listed.closedAt, undoneBy: 'ruth' },
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
