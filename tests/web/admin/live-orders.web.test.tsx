import { screen, waitFor, within, act } from '@testing-library/react'
import { verifyPayment } from '#contracts/payments'
import { liveOrders, retryAttempt, setAttemptStatus } from '#contracts/payments-console'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, fakeServer, refusal, FakeRefusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { attemptLine, liveAttempt, livePage } from './sample-payments'

const office = adminWith('live_orders')
let server: FakeServer

const serve = (...orders: Parameters<typeof livePage>[0]) => server.on(liveOrders, livePage(orders))
const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const table = async () => within(await screen.findByRole('table', { name: 'Payment attempts' }))

describe('live orders', () => {
  beforeEach(() => {
    server = fakeServer()
  })
  afterEach(forgetToasts)

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
      expect(row.getByText('16 Sep', { exact: false, selector: 'time' })).toHaveTextContent(
        '16 Sep 2026 09:05',
      )
      for (const text of ['mary', 'Chanda', 'Beef Stew', 'TOKEN-1', 'K81.00', 'Wed, Fri', 'Paid'])
        expect(row.getByText(text)).toBeInTheDocument()
    })

    test('a recovered attempt is flagged', async () => {
      serve(liveAttempt('1', { isRecovered: true }))
      const user = openConsole('/', office)
      expect((await table()).getByText('Recovered')).toBeInTheDocument()
      await press(user, /^Show the lines of mary/)
      expect((await table()).getAllByText('Recovered')).toHaveLength(2)
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
})

describe('live order acts', () => {
  beforeEach(() => {
    server = fakeServer()
  })
  afterEach(forgetToasts)
  const broken = () => {
    throw new FakeRefusal(502, null)
  }

  const unpaid = (message: string) => ({
    success: false as const,
    message,
    Result: '900',
    ResultExplanation: 'Transaction not paid yet',
    TransactionStatus: 'initiated',
    declined: false,
  })

  const ordered = {
    success: true,
    status: 'Orders created successfully' as const,
    message: 'Order recovery initiated successfully',
  }

  const abandonable = (more: Parameters<typeof liveAttempt>[1] = {}) =>
    liveAttempt('1', { status: 'Processing Started', allowed: { abandon: true }, ...more })

  describe('retry, verify and abandon', () => {
    test('only what the server allows is offered', async () => {
      serve(
        liveAttempt('1', { username: 'ruth', status: 'Failed', allowed: { retry: true } }),
        liveAttempt('2', {
          username: 'peter',
          status: 'Processing Started',
          allowed: { verify: true, abandon: true },
        }),
        liveAttempt('3', { username: 'grace', status: 'Failed' }),
      )
      openConsole('/', office)
      const names = (await table())
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label'))
        .filter((name) => /^(Retry|Verify|Abandon)/.test(name ?? ''))
      expect(names).toEqual([
        'Retry the payment of ruth',
        'Verify the payment of peter',
        'Abandon the payment of peter',
      ])
    })

    test('a retry is sent without a body and told', async () => {
      serve(liveAttempt('1', { status: 'Failed', allowed: { retry: true } }))
      server.on(retryAttempt, ordered)
      const user = openConsole('/', office)
      await press(user, /^Retry/)
      expect(await screen.findByText('Order Retry Initiated')).toBeInTheDocument()
      expect(server.asked(retryAttempt)[0]).toEqual({ params: { id: '1' }, query: {}, body: undefined })
      await waitFor(() => expect(server.asked(liveOrders).length).toBeGreaterThan(1))
    })

    test('a retry that made no orders says Retry Failed, why, and what to do', async () => {
      serve(liveAttempt('1', { status: 'Failed', allowed: { retry: true } }))
      const message = 'The payment was declined. The parent can order and pay again.'
      server.on(retryAttempt, { success: false, status: 'Payment verification failed', message })
      const user = openConsole('/', office)
      await press(user, /^Retry/)
      expect(await screen.findByText('Retry Failed')).toBeInTheDocument()
      expect(screen.getByText(message)).toBeInTheDocument()
      expect(screen.queryByText('Order Retry Initiated')).not.toBeInTheDocument()
    })

    test('a failed retry says Retry Failed', async () => {
      serve(liveAttempt('1', { allowed: { retry: true } }))
      server.on(retryAttempt, broken)
      const user = openConsole('/', office)
      await press(user, /^Retry/)
      expect(await screen.findByText('Retry Failed')).toBeInTheDocument()
      expect(screen.getByText('Failed to retry order')).toBeInTheDocument()
    })

    test('a verified payment says so, with what still needs attention', async () => {
      serve(liveAttempt('1', { allowed: { verify: true } }))
      server.on(verifyPayment, { success: true, message: 'Transaction Paid', attention: ['Soup is blocked'] })
      const user = openConsole('/', office)
      await press(user, /^Verify/)
      expect(await screen.findByText('Payment Verified')).toBeInTheDocument()
      expect(screen.getByText('Transaction Paid · Soup is blocked')).toBeInTheDocument()
      expect(server.asked(verifyPayment)[0]?.params).toEqual({ transactionId: 'TOKEN-1' })
    })

    test.each([
      ['the words of the answer', unpaid('Not paid'), 'Not paid · Transaction not paid yet'],
      ['its own words without them', unpaid(''), 'Payment verification failed · Transaction not paid yet'],
    ])('an unpaid one says Verification Failed with %s', async (_name, answer, text) => {
      serve(liveAttempt('1', { allowed: { verify: true } }))
      server.on(verifyPayment, answer)
      const user = openConsole('/', office)
      await press(user, /^Verify/)
      expect(await screen.findByText('Verification Failed')).toBeInTheDocument()
      expect(screen.getByText(text)).toBeInTheDocument()
    })

    test('a verification that did not come through says so', async () => {
      serve(liveAttempt('1', { allowed: { verify: true } }))
      server.on(verifyPayment, broken)
      const user = openConsole('/', office)
      await press(user, /^Verify/)
      expect(await screen.findByText('Failed to verify payment')).toBeInTheDocument()
    })

    test('abandoning asks first, names the sum, and sets Payment Abandoned', async () => {
      serve(abandonable())
      server.on(setAttemptStatus, { message: 'ok' })
      const user = openConsole('/', office)
      await press(user, /^Abandon/)
      const dialog = within(await screen.findByRole('dialog'))
      expect(dialog.getByText(/The payment of K90.00 by mary/)).toBeInTheDocument()
      expect(server.asked(setAttemptStatus)).toEqual([])
      await user.click(dialog.getByRole('button', { name: 'Abandon Payment' }))
      expect(await screen.findByText('Status Updated')).toBeInTheDocument()
      expect(server.asked(setAttemptStatus)[0]).toMatchObject({
        params: { transactionId: 'TOKEN-1' },
        body: { status: 'Payment Abandoned' },
      })
    })

    test('a free attempt without transaction is completed instead', async () => {
      serve(abandonable({ transactionId: null, amount: 0, kind: 'free' }))
      server.on(setAttemptStatus, { message: 'ok' })
      const user = openConsole('/', office)
      await press(user, /^Abandon/)
      await press(user, 'Create Orders')
      expect(await screen.findByText('Status Updated')).toBeInTheDocument()
      expect(server.asked(setAttemptStatus)[0]).toMatchObject({
        params: { transactionId: '1' },
        body: { status: 'Orders created successfully' },
      })
    })

    test('one with an amount and no transaction cannot be abandoned', async () => {
      serve(abandonable({ transactionId: null }))
      server.on(setAttemptStatus, { message: 'never' })
      const user = openConsole('/', office)
      await press(user, /^Abandon/)
      expect(await screen.findByText('Action Failed')).toBeInTheDocument()
      expect(
        screen.getByText(
          'Cannot mark this order as abandoned due to missing transaction ID. Please contact support.',
        ),
      ).toBeTruthy()
      expect(server.asked(setAttemptStatus)).toEqual([])
    })

    test.each([
      ['its own words', broken, 'Failed to update the payment attempt status. Please try again.'],
      [
        'those of the server',
        () => refusal(409, 'already_paid', 'This was paid; its orders are made.'),
        'This was paid; its orders are made.',
      ],
    ])('a refused abandon says Update Failed with %s', async (_name, answer, text) => {
      serve(abandonable())
      server.on(setAttemptStatus, answer)
      const user = openConsole('/', office)
      await press(user, /^Abandon/)
      await press(user, 'Abandon Payment')
      expect(await screen.findByText('Update Failed')).toBeInTheDocument()
      expect(screen.getByText(text)).toBeInTheDocument()
    })
  })
})

describe('live orders refresh', () => {
  const show = (visibility: 'visible' | 'hidden') => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
  const asked = () => server.asked(liveOrders).length

  beforeEach(() => {
    jest.useFakeTimers()
    server = fakeServer()
    server.on(liveOrders, livePage([liveAttempt('1', { status: 'Payment Initiated' })]))
  })
  afterEach(() => {
    act(() => show('visible'))
    forgetToasts()
    jest.useRealTimers()
  })

  const openList = async () => {
    openConsole('/', office)
    await screen.findByText('Started', { selector: 'td span' })
  }

  test('the list is read again every five seconds', async () => {
    await openList()
    expect(asked()).toBe(1)
    await pass(4900)
    expect(asked()).toBe(1)
    await pass(200)
    expect(asked()).toBe(2)
    await pass(5000)
    expect(asked()).toBe(3)
  })

  test('what changed is shown, what is open stays open, and nothing is taken away meanwhile', async () => {
    await openList()
    act(() => screen.getByRole('button', { name: /^Show the lines/ }).click())
    expect(screen.getByText('Grade 4 · 2 meals')).toBeInTheDocument()
    server.on(liveOrders, livePage([liveAttempt('2'), liveAttempt('1', { status: 'Processing Started' })]))
    await pass(5000)
    expect(screen.getByText('Processing', { selector: 'td span' })).toBeInTheDocument()
    expect(screen.getByText('Processing Started', { selector: 'td span' })).toBeInTheDocument()
    expect(screen.getByText('2 payment attempts')).toBeInTheDocument()
    expect(screen.getByText('Grade 4 · 2 meals')).toBeInTheDocument()
    expect(screen.queryByText('Loading')).not.toBeInTheDocument()
  })

  test('nothing is read while the tab is hidden, and at once when it is seen again', async () => {
    await openList()
    act(() => show('hidden'))
    await pass(30_000)
    expect(asked()).toBe(1)
    act(() => show('visible'))
    await pass(0)
    expect(asked()).toBe(2)
  })

  test('a refresh that fails is said beside the list, which stays', async () => {
    await openList()
    server.on(liveOrders, () => refusal(503, 'unavailable', 'The database is away'))
    await pass(5000)
    expect(screen.getByRole('alert').textContent).toMatch(/^Not refreshed since .* The database is away$/)
    expect(screen.getByText('TOKEN-1')).toBeInTheDocument()
    server.on(liveOrders, livePage([liveAttempt('1')]))
    await pass(5000)
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})
