import { screen, waitFor, within } from '@testing-library/react'
import { verifyPayment } from '#contracts/payments'
import { liveOrders, retryAttempt, setAttemptStatus } from '#contracts/payments-console'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { liveAttempt, livePage } from './sample-payments'

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
