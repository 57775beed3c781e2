import { screen, waitFor, within } from '@testing-library/react'
import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import { type KitchenTotal, kitchenToday, kitchenWeek, setOrderStatus } from '#contracts/ordering'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

const metadata = {
  total: 0,
  page: 1,
  pageSize: 100,
  totalPages: 1,
  hasNextPage: false,
  hasPreviousPage: false,
}
const today = schoolDate(schoolNow())
const kitchenOf = (...totals: KitchenTotal[]) => ({ data: [], metadata, totals, date: today })

const row = (more: Partial<KitchenTotal>): KitchenTotal => ({
  weekNumber: 1,
  dayOfWeek: 1,
  mealDate: '2026-09-14',
  menuItemId: 1,
  menuItem: 'Beef Stew',
  type: 'primary',
  total: 140,
  unpaid: 0,
  completed: 0,
  cancelledLate: 0,
  proteins: [{ name: 'beef', count: 140, comments: ['No onions', 'Cut small'] }],
  sides: [{ name: 'Nshima', count: 140, comments: ['Extra relish'] }],
  pendingOrderIds: ['1.2026-09-14.1', '2.2026-09-14.1'],
  ...more,
})

const wrap = row({
  menuItemId: 2,
  menuItem: 'Chicken Wrap',
  type: 'secondary',
  total: 9,
  unpaid: 2,
  sides: [],
  pendingOrderIds: ['3.2026-09-14.1'],
})
const done = row({
  menuItemId: 3,
  menuItem: 'Soup',
  total: 4,
  completed: 4,
  cancelledLate: 1,
  pendingOrderIds: [],
})

let server: FakeServer
const cook = adminWith('kitchen')

beforeEach(() => {
  server = fakeServer()
  server.on(getCycleLength, { cycleLength: 6 })
  server.on(listCycles, [
    {
      id: 7,
      isActive: true,
      startDate: '2026-09-14',
      endDate: '2026-10-23',
      cycleLength: 6,
      createdAt: '2026-09-10T08:00:00.000Z',
      blockedDays: [],
    },
  ])
  server.on(kitchenToday, kitchenOf(row({}), wrap, done))
  server.on(kitchenWeek, ({ params }) =>
    params.week === 2
      ? kitchenOf(
          row({ weekNumber: 2, dayOfWeek: 5, mealDate: '2026-09-25' }),
          row({ weekNumber: 2, dayOfWeek: 1, mealDate: '2026-09-21' }),
        )
      : kitchenOf(),
  )
})
afterEach(forgetToasts)

const tableOf = async (title: string) => within(await screen.findByRole('table', { name: title }))
const confirm = async (user: ReturnType<typeof openConsole>) =>
  user.click(await screen.findByRole('button', { name: 'Yes, They Are Complete' }))
const complete = () => screen.findByRole('button', { name: 'Mark as Complete' })
const tick = async (user: ReturnType<typeof openConsole>, name: string) =>
  user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))

describe('what is cooked', () => {
  test('today by primary and secondary portions with the columns of the spec', async () => {
    openConsole('/', cook)
    const primary = await tableOf('Primary Portions')
    for (const column of ['Menu Item', 'Total Orders', 'Protein Selection', 'Side Dish Selection'])
      expect(primary.getByRole('columnheader', { name: column })).toBeInTheDocument()
    expect(primary.getByText('Beef Stew')).toBeInTheDocument()
    expect(primary.queryByText('Chicken Wrap')).not.toBeInTheDocument()
    expect((await tableOf('Secondary Portions')).getByText('Chicken Wrap')).toBeInTheDocument()
    expect(screen.getByText('Monday, 14 September')).toBeInTheDocument()
    expect(screen.getByText('153 portions')).toBeInTheDocument()
  })

  test('totals come from the server, however few orders the page carries', async () => {
    openConsole('/', cook)
    const stew = within((await tableOf('Primary Portions')).getByRole('row', { name: /Beef Stew/ }))
    expect(stew.getByText('140', { selector: 'strong.text-xl' })).toBeInTheDocument()
    expect(server.asked(kitchenToday)[0]?.query).toEqual({ page: 1, pageSize: 100 })
  })

  test('comments stand with their protein or side', async () => {
    openConsole('/', cook)
    const comments = (await tableOf('Primary Portions')).getAllByRole('list', { name: 'Comments' })
    expect(comments[0]?.textContent).toBe('No onionsCut small')
    expect(comments[1]?.textContent).toBe('Extra relish')
  })

  test('unpaid, completed and late-cancelled orders are marked', async () => {
    openConsole('/', cook)
    expect((await tableOf('Secondary Portions')).getByText('2 unpaid')).toBeInTheDocument()
    const soup = within((await tableOf('Primary Portions')).getByRole('row', { name: /Soup/ }))
    expect(soup.getByText('Completed')).toBeInTheDocument()
    expect(soup.getByText('1 cancelled late')).toBeInTheDocument()
    expect(soup.queryByRole('checkbox')).not.toBeInTheDocument()
  })

  test('a week by its days in order, kept in the address', async () => {
    const user = openConsole('/', cook)
    await user.selectOptions(
      await screen.findByLabelText('View'),
      await screen.findByRole('option', { name: 'Week 2' }),
    )
    await screen.findByText('Monday, 21 September')
    expect(screen.getAllByRole('heading', { level: 2 }).map((day) => day.textContent)).toEqual([
      'Monday, 21 September',
      'Friday, 25 September',
    ])
    expect(shownAddress()).toBe('/?week=2')
  })

  test('the selector has today and each week of the cycle', async () => {
    openConsole('/', cook)
    await screen.findByRole('option', { name: 'Week 6' })
    const names = within(screen.getByLabelText('View'))
      .getAllByRole('option')
      .map((option) => option.textContent)
    expect(names).toEqual(["Today's Orders", 'Week 1', 'Week 2', 'Week 3', 'Week 4', 'Week 5', 'Week 6'])
  })

  test('no date without a cycle', async () => {
    server.on(listCycles, [])
    openConsole('/', cook)
    expect(await screen.findByText('Current cycle start: No date')).toBeInTheDocument()
  })

  test('empty days say which', async () => {
    server.on(kitchenToday, kitchenOf())
    openConsole('/', cook)
    expect(await screen.findByText('No orders for today')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Mark as Complete' })).not.toBeInTheDocument()
  })
})

describe('refreshing', () => {
  test('asks again', async () => {
    const user = openConsole('/', cook)
    await complete()
    server.on(kitchenToday, kitchenOf(row({ total: 141 })))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('141 portions')).toBeInTheDocument()
  })

  test('that failed keeps what was there and says so', async () => {
    const user = openConsole('/', cook)
    await complete()
    server.on(kitchenToday, () => refusal(503, 'unavailable', 'The kitchen list is being rebuilt'))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
    expect(screen.getByText('153 portions')).toBeInTheDocument()
  })

  test('a first read that failed can be tried again', async () => {
    server.on(kitchenToday, () => refusal(503, 'unavailable', 'The kitchen list is being rebuilt'))
    const user = openConsole('/', cook)
    expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
    expect(screen.queryByText('Loading')).not.toBeInTheDocument()
    server.on(kitchenToday, kitchenOf(row({})))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('140 portions')).toBeInTheDocument()
  })
})

describe('Mark as Complete', () => {
  test('needs a selection', async () => {
    const user = openConsole('/', cook)
    expect(await complete()).toHaveProperty('disabled', true)
    await tick(user, 'Beef Stew')
    expect(await complete()).toHaveProperty('disabled', false)
    await user.click(screen.getByRole('button', { name: 'Clear selection' }))
    expect(await complete()).toHaveProperty('disabled', true)
  })

  test('completes every open order of the chosen rows and says how many', async () => {
    server.on(setOrderStatus, () => {
      server.on(kitchenToday, kitchenOf(done))
      return { message: 'ok', updated: 3, skipped: [] }
    })
    const user = openConsole('/', cook)
    await tick(user, 'Beef Stew')
    await tick(user, 'Chicken Wrap')
    expect(screen.getByText('2 rows, 3 orders selected')).toBeInTheDocument()
    await user.click(await complete())
    const asked = within(await screen.findByRole('dialog', { name: 'Mark 3 orders as complete?' }))
    expect(asked.getByText('2 × Beef Stew, 1 × Chicken Wrap.')).toBeInTheDocument()
    expect(server.asked(setOrderStatus)).toHaveLength(0)
    await confirm(user)
    expect(await screen.findByText('3 orders marked as complete')).toBeInTheDocument()
    expect(server.asked(setOrderStatus)[0]?.body).toEqual({
      orderIds: ['1.2026-09-14.1', '2.2026-09-14.1', '3.2026-09-14.1'],
      status: 'completed',
    })
    await waitFor(() => expect(screen.queryByRole('checkbox')).not.toBeInTheDocument())
  })

  test('tells which orders were left and why', async () => {
    server.on(setOrderStatus, {
      message: 'ok',
      updated: 1,
      skipped: [{ id: '2.2026-09-14.1', code: 'cancelled', message: 'The order is cancelled' }],
    })
    const user = openConsole('/', cook)
    await tick(user, 'Beef Stew')
    await user.click(await complete())
    await confirm(user)
    expect(await screen.findByText('1 left as they are: The order is cancelled')).toBeInTheDocument()
  })

  test('that failed says so and keeps the selection', async () => {
    server.on(setOrderStatus, () => {
      throw new FakeRefusal(500, null)
    })
    const user = openConsole('/', cook)
    await tick(user, 'Beef Stew')
    await user.click(await complete())
    await confirm(user)
    expect(await screen.findByText('Failed to update orders. Please try again.')).toBeInTheDocument()
    expect(screen.getByText('1 row, 2 orders selected')).toBeInTheDocument()
  })

  test('more orders than one call takes go in several', async () => {
    const many = Array.from({ length: 5001 }, (_, student) => `7.${student + 1}.1.1.1`)
    server.on(kitchenToday, kitchenOf(row({ total: 5001, pendingOrderIds: many })))
    server.on(setOrderStatus, ({ body }) => ({
      message: 'ok',
      updated: (body as { orderIds: string[] }).orderIds.length,
      skipped: [],
    }))
    const user = openConsole('/', cook)
    await tick(user, 'Beef Stew')
    await user.click(await complete())
    await confirm(user)
    expect(await screen.findByText('5001 orders marked as complete')).toBeInTheDocument()
    expect(server.asked(setOrderStatus)).toHaveLength(2)
  })
})

test('the list is printed by the button', async () => {
  window.print = jest.fn()
  const user = openConsole('/', cook)
  await user.click(await screen.findByRole('button', { name: 'Print' }))
  expect(window.print).toHaveBeenCalledTimes(1)
})
