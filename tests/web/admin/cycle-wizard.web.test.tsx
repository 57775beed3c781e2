import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { cycleDays, listClosures } from '#contracts/closures'
import { type OrderCycle, createCycle, listCycles, previewCycle, cycleHistory } from '#contracts/cycles'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'

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

const active = cycle(8, { isActive: true, startDate: '2030-01-07', endDate: '2030-02-01' })
const metadata = {
  total: 0,
  page: 1,
  pageSize: 10,
  totalPages: 1,
  hasNextPage: false,
  hasPreviousPage: false,
}

const alone = { orders: 0, dates: [] }
const preview = { startDate: '2030-01-07', endDate: '2030-02-01', weeks: [], closed: [], overlap: alone }
const crowded = { orders: 13, dates: ['2030-01-08', '2030-01-10'] }

let server: FakeServer
const office = adminWith('cycles')

beforeEach(() => {
  server = fakeServer()
  server.on(listClosures, { data: [] })
  server.on(cycleDays, { days: [] })
  server.on(listCycles, [cycle(7)])
  server.on(cycleHistory, { data: [], metadata })
  server.on(previewCycle, preview)
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))

const open = async () => {
  const user = openConsole('/', office)
  await press(user, 'Create New Order Cycle')
  return user
}
const next = (user: Hands) => press(user, 'Next')
const pick = async (date: string) =>
  fireEvent.change(await screen.findByLabelText('Start date'), { target: { value: date } })
const toDates = async () => {
  const user = await open()
  await user.click(await screen.findByRole('radio', { name: '4 weeks' }))
  await next(user)
  return user
}

const toReview = async () => {
  const user = await toDates()
  await pick('2030-01-07')
  await next(user)
  await next(user)
  return user
}

describe('the wizard', () => {
  test('asks for the length first and goes no further without it', async () => {
    const user = await open()
    await next(user)
    expect(await screen.findByText('Missing required information')).toBeInTheDocument()
    expect(screen.queryByLabelText('Start date')).not.toBeInTheDocument()
  })

  test('offers the coming Mondays by the school’s clock', async () => {
    setSchoolNow('2031-05-04T22:30:00.000Z')
    await toDates()
    const mondays = within(await screen.findByRole('dialog')).getAllByRole('button', { name: /^Monday, / })
    setSchoolNow(new Date().toISOString())
    expect(mondays.map(({ textContent }) => textContent)).toEqual([
      'Monday, 5 May 2031',
      'Monday, 12 May 2031',
      'Monday, 19 May 2031',
    ])
  })

  test('asks for a Monday and goes no further without it', async () => {
    const user = await toDates()
    await next(user)
    expect(screen.getByText('Please select a Monday as the start date.')).toBeInTheDocument()
  })

  test('takes the Monday of the week for any other date and says so', async () => {
    await toDates()
    await pick('2030-01-09')
    expect(await screen.findByText('Cycle must start on a Monday')).toBeInTheDocument()
    expect(screen.getByText('Please select a Monday as the start date.')).toBeInTheDocument()
    expect(screen.getByLabelText('Start date')).toHaveValue('2030-01-07')
    await pick('2030-01-14')
    expect(screen.queryByText('Cycle must start on a Monday')).not.toBeInTheDocument()
  })

  test('creates the active cycle from the review', async () => {
    server.on(createCycle, () => {
      server.on(listCycles, [active])
      return { ...active, overlap: alone }
    })
    const user = await toDates()
    await pick('2030-01-07')
    await next(user)
    await user.click(screen.getByLabelText('Week 2, Wednesday, 16 January'))
    await user.click(screen.getByLabelText('Week 1, Friday, 11 January'))
    expect(screen.getByText('2 blocked days')).toBeInTheDocument()
    await next(user)
    const review = await dialog()
    expect(review.getByText('Monday, 7 January 2030')).toBeInTheDocument()
    expect(review.getByText('Friday, 1 February 2030')).toBeInTheDocument()
    expect(review.getByText('Week 1: Friday, 11 January 2030')).toBeInTheDocument()
    await press(user, 'Create')
    expect(await screen.findByText('Order cycle created')).toBeInTheDocument()
    expect(server.asked(createCycle)[0]?.body).toEqual({
      startDate: '2030-01-07',
      cycleLength: 4,
      blockedDays: [
        { week: 1, day: 5 },
        { week: 2, day: 3 },
      ],
    })
    expect(await screen.findByText('Accepting orders')).toBeInTheDocument()
  })

  test('a double click on Next creates nothing', async () => {
    server.on(createCycle, { ...active, overlap: alone })
    const user = await toDates()
    await pick('2030-01-07')
    await next(user)
    const button = await screen.findByRole('button', { name: 'Next' })
    fireEvent.click(button, { detail: 1 })
    fireEvent.click(await screen.findByRole('button', { name: 'Create' }), { detail: 2 })
    expect(server.asked(createCycle)).toEqual([])
  })

  test('shows days that are closed already as blocked', async () => {
    server.on(previewCycle, { ...preview, closed: ['2030-01-09'] })
    const user = await toDates()
    await pick('2030-01-07')
    await next(user)
    expect(await screen.findByText('1 day is closed already.')).toBeInTheDocument()
    const day = screen.getByLabelText('Week 1, Wednesday, 9 January')
    expect(day).toBeChecked()
    expect(day).toBeDisabled()
    expect(screen.getByText('No blocked days')).toBeInTheDocument()
  })

  test('says before saving which orders of other cycles are on its dates, and again when it is made', async () => {
    server.on(previewCycle, { ...preview, overlap: crowded })
    server.on(createCycle, { ...active, overlap: crowded })
    const user = await toReview()
    const told = /13 orders of other cycles are on 8 January, 10 January\. They stay and are cooked\./
    expect(await screen.findByText(told)).toBeInTheDocument()
    expect(server.asked(previewCycle).at(-1)?.body).toEqual({
      startDate: '2030-01-07',
      cycleLength: 4,
      blockedDays: [],
    })
    await press(user, 'Create')
    expect(await screen.findByText('Order cycle created')).toBeInTheDocument()
    expect(screen.getByText(told)).toBeInTheDocument()
  })

  test('says that no order of another cycle stands on its dates', async () => {
    await toReview()
    expect(await screen.findByText('No orders of other cycles are on these dates.')).toBeInTheDocument()
  })

  test('that could not ask says so, and asks again', async () => {
    server.on(previewCycle, () => refusal(503, 'unavailable', 'The database is away'))
    const user = await toReview()
    expect(await screen.findByText('Failed to check orders')).toBeInTheDocument()
    server.on(previewCycle, { ...preview, overlap: crowded })
    await press(user, /Try again/i)
    expect(await screen.findByText(/13 orders of other cycles/)).toBeInTheDocument()
  })

  test('goes back with everything kept; another date clears the blocked days', async () => {
    const user = await toDates()
    await pick('2030-01-07')
    await next(user)
    await user.click(screen.getByLabelText('Week 1, Monday, 7 January'))
    await press(user, 'Back')
    expect(screen.getByLabelText('Start date')).toHaveValue('2030-01-07')
    await pick('2030-01-09')
    await next(user)
    expect(screen.getByText('1 blocked day')).toBeInTheDocument()
    await press(user, 'Back')
    expect(screen.getByText('Cycle must start on a Monday')).toBeInTheDocument()
    await pick('2030-01-14')
    await next(user)
    expect(screen.getByText('No blocked days')).toBeInTheDocument()
  })

  test('what was missing is missed until it is there', async () => {
    const user = await toDates()
    await next(user)
    await pick('0203-01-07')
    expect(await screen.findByText('Please select a Monday as the start date.')).toBeInTheDocument()
    expect(screen.getByLabelText('Start date')).toHaveValue('0203-01-07')
    await pick('2030-01-07')
    await waitFor(() =>
      expect(screen.queryByText('Please select a Monday as the start date.')).not.toBeInTheDocument(),
    )
    await press(user, 'Back')
    expect(screen.getByRole('radio', { name: '4 weeks', checked: true })).toBeInTheDocument()
  })

  test.each([
    [
      'in the words of the server',
      () => refusal(422, 'start_in_past', 'Cycle cannot start before the current week'),
      'Cycle cannot start before the current week',
    ],
    [
      'in its own',
      () => {
        throw new FakeRefusal(500, null)
      },
      'Failed to create order cycle',
    ],
  ])('a refused creation is told %s and the wizard stays', async (_name, answer, text) => {
    server.on(createCycle, answer)
    const user = await toDates()
    await pick('2030-01-07')
    await next(user)
    await next(user)
    await press(user, 'Create')
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(await screen.findByRole('dialog', { name: 'Create Order Cycle' })).toBeInTheDocument()
  })
})
