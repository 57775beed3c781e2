import { screen, waitFor, within } from '@testing-library/react'
import { closeDays, cycleDays, getClosure, listClosures, previewClosure } from '#contracts/closures'
import { listClasses } from '#contracts/identity'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { closed, closure, cycle, day, serveDays, week, would } from './sample-orders'

let server: FakeServer
const office = adminWith('cycles')

beforeEach(() => {
  server = fakeServer()
  server.on(listClosures, { data: [] })
  server.on(previewClosure, would)
  server.on(listClasses, { data: ['9A', '9B'] })
  server.on(getClosure, { ...closure, id: 'c1', dates: ['2026-09-17'] })
  serveDays(server, week, cycle)
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const sheet = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextSibling?.textContent

const openForm = async () => {
  const user = openConsole('/', office)
  await press(user, /^Wednesday, 16 September/)
  await press(user, 'Close this day')
  return user
}

describe('the calendar of the active cycle', () => {
  test('shows every day by week with its state and its orders', async () => {
    openConsole('/', office)
    const first = within(await screen.findByRole('region', { name: 'Week 1' }))
    const names = [
      'Monday, 14 September 2026: Past, 7 orders',
      'Tuesday, 15 September 2026: After the cutoff, 1 order',
      'Wednesday, 16 September 2026: Open, 49 orders',
      'Thursday, 17 September 2026: Closed, 0 orders',
      'Friday, 18 September 2026: Open, 0 orders',
    ]
    const days = first.getAllByRole('button')
    expect(days).toHaveLength(names.length)
    for (const [at, name] of names.entries()) expect(days[at]).toHaveAccessibleName(name)
    expect(screen.getByRole('region', { name: 'Week 2' })).toBeInTheDocument()
    expect(server.asked(cycleDays)[0]?.params).toEqual({ id: 8 })
  })

  test('that could not be read says so', async () => {
    server.on(cycleDays, () => refusal(503, 'unavailable', 'The database is away'))
    openConsole('/', office)
    expect(await screen.findByText('Failed to fetch days')).toBeInTheDocument()
  })

  test('a day opens a sheet with its numbers; one that has passed cannot be closed', async () => {
    const user = openConsole('/', office)
    await press(user, /^Wednesday, 16 September/)
    const open = await sheet('Wednesday, 16 September 2026')
    expect(fact('State')).toBe('Open')
    expect(fact('Orders')).toBe('49')
    expect(fact('Unpaid')).toBe('3')
    expect(fact('Amount')).toBe('K612.50')
    expect(open.getByRole('button', { name: 'Close this day' })).toBeInTheDocument()
    await user.keyboard('{Escape}')
    await press(user, /^Monday, 14 September/)
    const past = await sheet('Monday, 14 September 2026')
    expect(past.queryByRole('button', { name: 'Close this day' })).not.toBeInTheDocument()
  })

  test('the days of a past cycle whose dates are not over are shown in its row', async () => {
    const past = { ...cycle, id: 7, isActive: false, endDate: '2031-10-09' }
    const over = { ...past, id: 6, startDate: '2020-09-14', endDate: '2020-10-09' }
    setSchoolNow('2026-09-16T08:00:00.000Z')
    serveDays(server, week, past, over)
    const user = openConsole('/', office)
    await press(user, /2031/)
    await press(user, /^Wednesday, 16 September/)
    expect(await screen.findByRole('button', { name: 'Close this day' })).toBeInTheDocument()
    expect(server.asked(cycleDays)[0]?.params).toEqual({ id: 7 })
    await user.keyboard('{Escape}')
    await press(user, /2020/)
    expect(screen.queryByRole('region', { name: 'Week 1' })).not.toBeInTheDocument()
    setSchoolNow(new Date().toISOString())
  })
})

describe('closing', () => {
  test('shows first what it would do', async () => {
    await openForm()
    expect(
      await screen.findByText('49 orders of 45 children are cancelled and every family is told.'),
    ).toBeInTheDocument()
    expect(fact('Families')).toBe('40')
    expect(fact('Unpaid orders')).toBe('3')
    expect(fact('Paid amount')).toBe('K575.00')
    expect(fact('Payments under way')).toBe('20')
    expect(screen.getByText('2 completed orders stay as before.')).toBeInTheDocument()
    expect(server.asked(previewClosure)[0]).toMatchObject({
      params: { id: 8 },
      body: { dates: ['2026-09-16'] },
    })
    expect(screen.getByLabelText('Reason, as families read it')).toHaveFocus()
  })

  test('for some asks whom, tells what it would do for them, and sends their grades and classes', async () => {
    const user = await openForm()
    server.on(closeDays, closure)
    await user.click(await screen.findByRole('radio', { name: 'Some grades or classes' }))
    expect(screen.queryByText(/are cancelled and every family is told/)).not.toBeInTheDocument()
    await user.type(screen.getByLabelText(/^Reason/), 'Trip to Livingstone')
    await press(user, 'Close 1 day')
    expect(await screen.findByText('Choose at least one grade or class')).toBeInTheDocument()
    expect(server.asked(closeDays)).toEqual([])
    await user.click(screen.getByLabelText('Grade 5'))
    await user.click(await screen.findByLabelText('9A'))
    const body = { dates: ['2026-09-16'], grades: ['5'], classes: ['9A'] }
    await waitFor(() => expect(server.asked(previewClosure).at(-1)).toMatchObject({ body }))
    expect(await screen.findByText(/are cancelled and every family is told/)).toBeInTheDocument()
    await press(user, 'Close 1 day')
    await waitFor(() =>
      expect(server.asked(closeDays)).toMatchObject([{ body: { ...body, reason: 'Trip to Livingstone' } }]),
    )
  })

  test('for everybody after all sends no grades and classes', async () => {
    const user = await openForm()
    server.on(closeDays, closure)
    await user.click(await screen.findByRole('radio', { name: 'Some grades or classes' }))
    await user.click(screen.getByLabelText('Grade 5'))
    await user.click(screen.getByRole('radio', { name: 'Everybody' }))
    await user.type(screen.getByLabelText(/^Reason/), 'Heroes Day')
    await press(user, 'Close 1 day')
    await waitFor(() =>
      expect(server.asked(closeDays)[0]?.body).toEqual({
        dates: ['2026-09-16'],
        reason: 'Heroes Day',
        remedy: 'refund',
      }),
    )
  })

  test('of a date that is closed for some shows for whom and why, and can be undone or extended', async () => {
    const some = { ...closed, id: 'c7', reason: 'Trip', grades: ['5' as const], classes: ['9A'] }
    serveDays(server, [day('2026-09-17', { closures: [some] })], cycle)
    server.on(getClosure, { ...closure, id: 'c7', dates: ['2026-09-17'] })
    const user = openConsole('/', office)
    await press(user, 'Thursday, 17 September 2026: Closed for some, Grade 5, class 9A, 0 orders')
    expect(fact('State')).toBe('Closed for some')
    expect(screen.getByText('Trip')).toBeInTheDocument()
    expect(screen.getByText(/^Closed for Grade 5, class 9A by /)).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Close this day' })).toBeInTheDocument()
  })

  test('asks for a reason of three characters', async () => {
    const user = await openForm()
    server.on(closeDays, closure)
    await user.type(await screen.findByLabelText(/^Reason/), 'no')
    await press(user, 'Close 1 day')
    expect(await screen.findByText('A reason has at least 3 characters')).toBeInTheDocument()
    expect(server.asked(closeDays)).toEqual([])
  })

  test('closes several days at once, tells its progress while it is at work, and what came of it', async () => {
    let asked = 0
    const now = { ...closed, id: 'c2', reason: 'The oven broke' }
    server.on(closeDays, () => {
      serveDays(
        server,
        week.map((one) =>
          one.date === '2026-09-16' ? { ...one, state: 'blocked', closure: now, orders: 2 } : one,
        ),
        cycle,
      )
      return { ...closure, done: 5 }
    })
    server.on(getClosure, () => ({ ...closure, done: (asked += 1) < 2 ? 20 : 49 }))
    const user = await openForm()
    await user.type(await screen.findByLabelText(/^Reason/), 'The oven broke')
    await user.click(screen.getByRole('radio', { name: 'Family credit' }))
    await user.click(screen.getByText('Close more days at once'))
    expect(screen.getByLabelText('Week 1, Monday, 14 September')).toBeDisabled()
    expect(screen.getByLabelText('Week 1, Wednesday, 16 September')).toBeDisabled()
    expect(screen.getByLabelText('Week 1, Thursday, 17 September')).toBeDisabled()
    await user.click(screen.getByLabelText('Week 1, Friday, 18 September'))
    await user.click(screen.getByLabelText('Week 1, Tuesday, 15 September'))
    await waitFor(() =>
      expect(server.asked(previewClosure).at(-1)?.body).toEqual({
        dates: ['2026-09-15', '2026-09-16', '2026-09-18'],
      }),
    )
    const previews = server.asked(previewClosure).length
    await press(user, 'Close 3 days')
    expect(await screen.findByText('20 of 49 orders done')).toBeInTheDocument()
    expect(server.asked(previewClosure)).toHaveLength(previews)
    expect(server.asked(closeDays)[0]).toMatchObject({
      params: { id: 8 },
      body: {
        dates: ['2026-09-15', '2026-09-16', '2026-09-18'],
        reason: 'The oven broke',
        remedy: 'credit',
      },
    })
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument(), { timeout: 3000 })
    expect(fact('Cancelled')).toBe('47')
    expect(fact('Of these unpaid')).toBe('3')
    expect(fact('Owed')).toBe('K575.00')
    expect(fact('Families')).toBe('40')
    expect(screen.getByText('2 families have no address and could not be told.')).toBeInTheDocument()
    expect(screen.getByText('2 orders: Order is already completed')).toBeInTheDocument()
    expect(screen.getByText('3.2026-09-16.1, 4.2026-09-16.1')).toBeInTheDocument()
  })

  test('a day without orders is closed in the same way', async () => {
    server.on(previewClosure, {
      ...would,
      orders: 0,
      students: 0,
      families: 0,
      unpaid: 0,
      completed: 0,
      paidAmount: 0,
      paymentsUnderWay: 0,
    })
    await openForm()
    expect(await screen.findByText('No orders are cancelled.')).toBeInTheDocument()
  })

  test('tells what the server says about the days', async () => {
    const user = await openForm()
    server.on(closeDays, () =>
      refusal(422, 'invalid_input', 'Invalid input', {
        fields: { dates: '16 September 2026 is closed already' },
      }),
    )
    await user.type(await screen.findByLabelText(/^Reason/), 'The oven broke')
    await press(user, 'Close 1 day')
    expect(await screen.findByText('16 September 2026 is closed already')).toBeInTheDocument()
  })

  test('that failed says so and keeps what was typed', async () => {
    const user = await openForm()
    server.on(closeDays, () => {
      throw new FakeRefusal(500, null)
    })
    await user.type(await screen.findByLabelText(/^Reason/), 'The oven broke')
    await press(user, 'Close 1 day')
    expect(await screen.findByText('Failed to close days')).toBeInTheDocument()
    expect(screen.getByLabelText(/^Reason/)).toHaveValue('The oven broke')
  })
})
