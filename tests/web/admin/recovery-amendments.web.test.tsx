import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { retryAttempt, type FailedOrder, listFailedOrders } from '#contracts/payments-console'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { menuItemOf } from './sample-menu'
import { failedAttempt, failedPage } from './sample-payments'

const office = adminWith('order_recovery')
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
})
afterEach(forgetToasts)

const serve = (...orders: FailedOrder[]) => server.on(listFailedOrders, failedPage(orders))
const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))
const broken = () => {
  throw new FakeRefusal(502, null)
}

const openDetails = async (order: FailedOrder) => {
  serve(order)
  const user = openConsole('/', office)
  await press(user, /^Details/)
  return { user, inside: await dialog() }
}

const change = async (user: ReturnType<typeof openConsole>, label: string, option: string) =>
  user.selectOptions(await screen.findByLabelText(label), option)
const optionsOf = async (label: string) =>
  [...((await screen.findByLabelText(label)) as HTMLSelectElement).options].map(({ text }) => text)

describe('a retry with a change', () => {
  beforeEach(() => {
    server.on(retryAttempt, {
      success: true,
      status: 'Orders created successfully',
      message: 'Order recovery initiated successfully',
    })
    server.on(listMenu, [
      menuItemOf(1, { name: 'Beef Stew', price: '45.00' }),
      menuItemOf(2, { name: 'Soup', price: '30.00', categories: ['vegetarian'], sideDishes: ['Bread'] }),
      menuItemOf(3, { name: 'Steak', price: '45.01' }),
    ])
    server.on(listCycles, [
      {
        id: 7,
        isActive: true,
        startDate: '2026-09-14',
        endDate: '2026-10-09',
        cycleLength: 4,
        createdAt: '2026-09-01T07:00:00.000Z',
        blockedDays: [],
        weeks: [
          {
            week: 1,
            startDate: '2026-09-14',
            endDate: '2026-09-18',
            completed: false,
            days: [
              { day: 3, date: '2026-09-16', state: 'blocked' },
              { day: 4, date: '2026-09-17', state: 'past' },
              { day: 5, date: '2026-09-18', state: 'open' },
            ],
          },
        ],
      },
    ])
  })

  test('another meal, day and child go along with the retry', async () => {
    const { user } = await openDetails(
      failedAttempt({
        students: [
          { id: 11, name: 'Chanda', grade: '4' },
          { id: 12, name: 'Mutinta', grade: '5' },
        ],
      }),
    )
    await press(user, 'Change Beef Stew for Chanda')
    await change(user, 'Child', 'Mutinta, Grade 5')
    await change(user, 'Day', 'Week 1, Friday, 18 September')
    await change(user, 'Meal', 'Soup, K30.00')
    await press(user, 'Retry with 1 change')
    expect(await screen.findByText('Order recovery initiated successfully')).toBeInTheDocument()
    expect(server.asked(retryAttempt)[0]?.body).toEqual({
      cartItems: [
        {
          index: 0,
          menuItemId: 2,
          studentId: 12,
          weekNumber: 1,
          dayOfWeek: 5,
          category: 'vegetarian',
          sideDish: 'Bread',
          comments: '',
        },
      ],
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('nothing dearer than what was paid is offered, and no day that takes no orders', async () => {
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Change Beef Stew for Chanda')
    expect(await optionsOf('Meal')).toEqual(['Beef Stew (as ordered)', 'Soup, K30.00'])
    expect(await optionsOf('Day')).toEqual(['Week 1, Wednesday (as ordered)', 'Week 1, Friday, 18 September'])
    expect(await optionsOf('Child')).toEqual(['Chanda (as ordered)'])
    expect(await optionsOf('Protein')).toEqual(['Beef'])
  })

  test('taken back, the line is tried as it is', async () => {
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Change Beef Stew for Chanda')
    await change(user, 'Meal', 'Soup, K30.00')
    await press(user, 'Leave as ordered')
    await user.click((await dialog()).getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Order recovery initiated successfully')).toBeInTheDocument()
    expect(server.asked(retryAttempt)[0]?.body).toMatchObject({ cartItems: [{ menuItemId: 1 }] })
  })

  test('changed lines that are refused say why, and the dialog stays', async () => {
    const lines = ['This day is blocked', 'This meal is not offered that day', 'This day is blocked'].map(
      (message, index) => ({ index, code: 'day_blocked', message }),
    )
    server.on(retryAttempt, () => refusal(422, 'lines_refused', '3 meals cannot be ordered', { lines }))
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Change Beef Stew for Chanda')
    await change(user, 'Meal', 'Soup, K30.00')
    await press(user, 'Retry with 1 change')
    expect(
      await screen.findByText('This day is blocked · This meal is not offered that day'),
    ).toBeInTheDocument()
    expect(screen.getByLabelText('Meal')).toBeInTheDocument()
  })

  test('a menu that cannot be read is said', async () => {
    server.on(listMenu, broken)
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Change Beef Stew for Chanda')
    expect(await screen.findByText('Failed to fetch menu items')).toBeInTheDocument()
  })
})
