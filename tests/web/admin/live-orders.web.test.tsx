import { screen, waitFor, within } from '@testing-library/react'
import { liveOrders } from '#contracts/payments-console'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { attemptLine, liveAttempt, livePage } from './sample-payments'

const office = adminWith('live_orders')
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
})
afterEach(forgetToasts)

const serve = (...orders: Parameters<typeof livePage>[0]) => server.on(liveOrders, livePage(orders))
const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const table = async () => within(await screen.findByRole('table', { name: 'Payment attempts' }))

describe('the list', () => {
  test('has the columns of the spec and a filter for each', async () => {
    serve(liveAttempt('1'))
    openConsole('/', office)
    const columns = [
      'Time',
      'Parent',
      'Student',
      'Items',
      'Amount',
      'Status',
      'Transaction ID',
      'Week',
      'Day',
    ]
    for (const name of columns) {
      expect((await table()).getByRole('columnheader', { name })).toBeInTheDocument()
      expect(screen.getByLabelText(name)).toBeInTheDocument()
    }
    expect(screen.getByRole('button', { name: 'Apply Filters' })).toBeInTheDocument()
  })

  test("says by the school's clock when it was last read, whatever the device thinks", async () => {
    setSchoolNow('2031-05-06T05:05:00.000Z')
    serve(liveAttempt('1'))
    openConsole('/', office)
    expect(await screen.findByText(/last at 07:0[56]$/)).toBeInTheDocument()
    setSchoolNow(new Date().toISOString())
  })

  test('a row says when by school time, who, for whom, what, how much and which days', async () => {
    serve(liveAttempt('1', { amount: 81, cartItems: [attemptLine(0), attemptLine(1, { dayOfWeek: 5 })] }))
    openConsole('/', office)
    const row = within((await table()).getByRole('row', { name: /mary/ }))
    for (const text of [
      '16 Sep 2026',
      '09:05',
      'mary',
      'Chanda',
      'Beef Stew',
      'TOKEN-1',
      'K81.00',
      'Wed, Fri',
    ])
      expect(row.getByText(text)).toBeInTheDocument()
    expect(row.getByText('Orders created successfully')).toBeInTheDocument()
  })

  test('a recovered attempt is flagged', async () => {
    serve(liveAttempt('1', { isRecovered: true }))
    openConsole('/', office)
    expect((await table()).getByText('Recovered')).toBeInTheDocument()
  })

  test('opens to the lines by student, with the order or the reason why there is none', async () => {
    serve(
      liveAttempt('1', {
        cartItems: [
          attemptLine(0, { reason: 'This day is blocked', comments: 'No onions' }),
          attemptLine(1, {
            dayOfWeek: 4,
            studentId: 12,
            student: { name: 'Mutinta', grade: '9' },
            orderId: '12.2026-09-17.1',
            originalPrice: 50,
          }),
        ],
      }),
    )
    const user = openConsole('/', office)
    await press(user, /^Show the lines of mary/)
    expect(screen.getByText('Grade 4 · 1 meal')).toBeInTheDocument()
    expect(screen.getByText('Grade 9 · 1 meal')).toBeInTheDocument()
    expect(screen.getByText('Week 1, Wednesday · Beef · Nshima')).toBeInTheDocument()
    expect(screen.getByText('This day is blocked')).toBeInTheDocument()
    expect(screen.getByText('“No onions”')).toBeInTheDocument()
    expect(screen.getByText('Order 12.2026-09-17.1')).toBeInTheDocument()
    expect(screen.getByText('K50.00').tagName).toBe('S')
    await press(user, /^Hide the lines of mary/)
    expect(screen.queryByText('This day is blocked')).not.toBeInTheDocument()
  })

  test('without any attempt says so', async () => {
    serve()
    openConsole('/', office)
    expect(await screen.findByText('No Live Orders')).toBeInTheDocument()
  })

  test('that could not be read says so', async () => {
    server.on(liveOrders, () => refusal(503, 'unavailable', 'The database is away'))
    openConsole('/', office)
    expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
    expect(screen.getByText('The database is away')).toBeInTheDocument()
  })

  test('goes page by page, the page in the address', async () => {
    server.on(liveOrders, ({ query }) => livePage([liveAttempt(String(query.page))], Number(query.page), 2))
    const user = openConsole('/', office)
    expect(await screen.findByText('Page 1 of 2')).toBeInTheDocument()
    await press(user, 'Next')
    expect(await screen.findByText('TOKEN-2')).toBeInTheDocument()
    expect(shownAddress()).toBe('/?page=2')
    await press(user, 'Previous')
    expect(await screen.findByText('TOKEN-1')).toBeInTheDocument()
  })
})

describe('the filters', () => {
  test('are asked for when they are applied, and stay in the address', async () => {
    serve(liveAttempt('1'))
    const user = openConsole('/?page=3', office)
    await user.type(await screen.findByLabelText('Parent'), 'mary')
    await user.selectOptions(screen.getByLabelText('Day'), 'Friday')
    await user.selectOptions(screen.getByLabelText('Status'), 'Failed')
    expect(server.asked(liveOrders).every(({ query }) => query.parent === undefined)).toBe(true)
    await press(user, 'Apply Filters')
    await waitFor(() =>
      expect(server.asked(liveOrders).at(-1)?.query).toEqual({
        page: 1,
        parent: 'mary',
        day: '5',
        status: 'Failed',
      }),
    )
    expect(shownAddress()).toBe('/?parent=mary&status=Failed&day=5')
  })

  test('come from the address', async () => {
    serve(liveAttempt('1'))
    openConsole('/?transactionId=TOKEN&week=2&section=live_orders', office)
    expect(await screen.findByLabelText('Transaction ID')).toHaveProperty('value', 'TOKEN')
    await waitFor(() =>
      expect(server.asked(liveOrders)[0]?.query).toEqual({ page: 1, transactionId: 'TOKEN', week: '2' }),
    )
  })

  test('are cleared together', async () => {
    serve(liveAttempt('1'))
    const user = openConsole('/?parent=mary&time=2026-09-16', office)
    await press(user, 'Clear Filters')
    expect(shownAddress()).toBe('/')
    expect(screen.getByLabelText('Parent')).toHaveProperty('value', '')
  })

  test('without a match still say No Live Orders', async () => {
    serve()
    openConsole('/?parent=nobody', office)
    expect(
      await screen.findByText(/^No payment attempt matches these filters\. Clear one of them/),
    ).toBeTruthy()
    expect(screen.getByText('No Live Orders')).toBeInTheDocument()
  })
})
