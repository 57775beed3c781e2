import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import {
  type FailedOrder,
  acceptMismatch,
  retryAttempt,
  waiveRemainder,
  listFailedOrders,
} from '#contracts/payments-console'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { menuItemOf } from './sample-menu'
import { attemptLine, failedAttempt, failedPage } from './sample-payments'

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

const ordered = (message = 'Order recovery initiated successfully') => ({
  success: true,
  status: 'Orders created successfully' as const,
  message,
})

describe('the list', () => {
  test('has date, customer, amount, status, error and payment ref', async () => {
    serve(failedAttempt())
    openConsole('/', office)
    const table = within(await screen.findByRole('table', { name: 'Failed orders' }))
    for (const name of ['Date', 'Customer', 'Amount', 'Status', 'Error', 'Payment ref'])
      expect(table.getByRole('columnheader', { name })).toBeInTheDocument()
    for (const text of [
      '16 Sep 2026',
      'mary',
      'Chanda',
      'K90.00',
      'Cannot create orders for blocked days',
      'Wednesday of week 1 is blocked',
      'TOKEN-a1',
    ])
      expect(table.getByText(text)).toBeInTheDocument()
  })

  test('is filtered by status, which stays in the address', async () => {
    serve(failedAttempt())
    const user = openConsole('/', office)
    await user.selectOptions(await screen.findByLabelText('Status'), 'Payment verification failed')
    await waitFor(() =>
      expect(server.asked(listFailedOrders).at(-1)?.query).toEqual({
        page: 1,
        status: 'Payment verification failed',
      }),
    )
    expect(shownAddress()).toBe('/?status=Payment+verification+failed')
    await user.selectOptions(screen.getByLabelText('Status'), 'All not paid since')
    expect(shownAddress()).toBe('/')
  })

  test('without any says so', async () => {
    serve()
    openConsole('/', office)
    expect(await screen.findByText('No failed orders found')).toBeInTheDocument()
  })

  test('that could not be read says so', async () => {
    server.on(listFailedOrders, broken)
    openConsole('/', office)
    expect(await screen.findByText('Failed to fetch failed orders')).toBeInTheDocument()
  })

  test('names the parent beside the username, and asks for what needs somebody', async () => {
    serve(failedAttempt())
    openConsole('/?status=waiting', office)
    const table = within(await screen.findByRole('table', { name: 'Failed orders' }))
    expect(table.getByText('Mary Banda')).toBeInTheDocument()
    expect(screen.getByLabelText('Status')).toHaveDisplayValue('Needs somebody to decide')
    expect(server.asked(listFailedOrders)[0]?.query.status).toBe('waiting')
  })

  test('one whose meals were paid since says with what, and offers no retry, in the list and its details', async () => {
    const nothing = { retry: false, amend: false, accept: false, waive: false }
    const { inside } = await openDetails(failedAttempt({ paidWith: ['LP-7'], allowed: nothing }))
    expect(inside.getByText('Paid since with LP-7. There is nothing left to do.')).toBeInTheDocument()
    expect(screen.getByText('Paid since with LP-7')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /Retry/, hidden: true })).not.toBeInTheDocument()
  })

  test('retry is disabled where the server does not allow it', async () => {
    serve(
      failedAttempt({
        status: 'Recovery in progress',
        allowed: { retry: false, amend: false, accept: false, waive: false },
      }),
    )
    openConsole('/', office)
    expect(await screen.findByRole('button', { name: /^Retry/ })).toHaveProperty('disabled', true)
  })
})

describe('a retry', () => {
  test('asks the card provider once more where processing has started, and changes no meal', async () => {
    const { user, inside } = await openDetails(
      failedAttempt({
        status: 'Processing started',
        allowed: { retry: true, amend: false, accept: false, waive: false },
      }),
    )
    expect(inside.queryByRole('button', { name: /^Change / })).toBeNull()
    server.on(retryAttempt, ordered())
    await user.click(inside.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Order recovery initiated successfully')).toBeInTheDocument()
  })

  test('from the list tries the unresolved lines as they are', async () => {
    serve(failedAttempt())
    server.on(retryAttempt, ordered())
    const user = openConsole('/', office)
    await press(user, /^Retry/)
    expect(await screen.findByText('Order recovery initiated successfully')).toBeInTheDocument()
    expect(server.asked(retryAttempt)[0]).toMatchObject({
      params: { id: 'a1' },
      body: {
        cartItems: [
          { index: 0, menuItemId: 1, studentId: 11, weekNumber: 1, dayOfWeek: 3, category: 'beef' },
        ],
      },
    })
    await waitFor(() => expect(server.asked(listFailedOrders)).toHaveLength(2))
  })

  test('is disabled while one is underway', async () => {
    serve(failedAttempt())
    let answer: ((reply: ReplyOf<typeof retryAttempt>) => void) | undefined
    server.on(
      retryAttempt,
      () =>
        new Promise((done) => {
          answer = done
        }),
    )
    const user = openConsole('/', office)
    await press(user, /^Retry/)
    expect(screen.getByRole('button', { name: /^Retry/ })).toHaveProperty('disabled', true)
    answer?.(ordered('The payment is there, and its orders are being made.'))
    expect(await screen.findByText('Order recovery initiated successfully')).toBeInTheDocument()
  })

  test('that made no orders shows the status and what to do next, and the details stay', async () => {
    const { user, inside } = await openDetails(failedAttempt({ status: 'Payment verification failed' }))
    const message = 'The payment was declined. The parent can order and pay again.'
    server.on(retryAttempt, { success: false, status: 'Payment verification failed', message })
    await user.click(inside.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText(message)).toBeInTheDocument()
    expect(
      screen.getByText('Payment verification failed', { selector: '[data-state] p' }),
    ).toBeInTheDocument()
    expect(screen.queryByText('Order recovery initiated successfully')).not.toBeInTheDocument()
    expect(screen.getByRole('dialog')).toBeInTheDocument()
  })

  test.each([
    [
      'the words of the server',
      () => refusal(409, 'recovering', 'A retry is underway already'),
      'A retry is underway already',
    ],
    ['its own words without them', broken, 'Failed to retry order'],
  ])('that is refused shows %s', async (_name, answer, text) => {
    serve(failedAttempt())
    server.on(retryAttempt, answer)
    const user = openConsole('/', office)
    await press(user, /^Retry/)
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByText('Error', { selector: '[data-state] p' })).toBeInTheDocument()
  })
})

describe('the details', () => {
  test('name every line, its order or the reason why it has none', async () => {
    const { inside } = await openDetails(failedAttempt())
    expect(inside.getByText('16 September 2026 at 09:05')).toBeInTheDocument()
    expect(inside.getByText('Week 1, Wednesday · Beef · Nshima')).toBeInTheDocument()
    expect(inside.getByText('1 meal without an order, K45.00')).toBeInTheDocument()
    expect(inside.getByText('This day is blocked')).toBeInTheDocument()
    expect(inside.getByText('Order 11.2026-09-17.1')).toBeInTheDocument()
    expect(inside.getAllByRole('button', { name: /^Change/ })).toHaveLength(1)
  })

  test('offer only the ways out that the server allows', async () => {
    const { inside } = await openDetails(
      failedAttempt({ allowed: { retry: false, amend: false, accept: true, waive: false } }),
    )
    expect(inside.getByRole('button', { name: 'Accept Payment' })).toBeInTheDocument()
    for (const name of ['Give Money Back', 'Retry', /^Change/])
      expect(inside.queryByRole('button', { name })).not.toBeInTheDocument()
  })

  test('accepting asks for a reason and says what it makes', async () => {
    server.on(acceptMismatch, ordered('Two orders were made'))
    const { user } = await openDetails(
      failedAttempt({
        cartItems: [attemptLine(0), attemptLine(1)],
        allowed: { retry: true, amend: true, accept: true, waive: true },
      }),
    )
    await press(user, 'Accept Payment')
    expect((await dialog()).getByText(/^2 meals worth K90.00 become orders now/)).toBeInTheDocument()
    await press(user, 'Accept Payment')
    expect(await screen.findByText('Please give a reason')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Reason'), 'Bank fee, seen in the portal')
    await press(user, 'Accept Payment')
    expect(await screen.findByText('Payment Accepted')).toBeInTheDocument()
    expect(screen.getByText('Two orders were made')).toBeInTheDocument()
    expect(server.asked(acceptMismatch)).toEqual([
      { params: { id: 'a1' }, query: {}, body: { reason: 'Bank fee, seen in the portal' } },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('waiving says how much is owed back, and for which meals', async () => {
    server.on(waiveRemainder, { message: 'K45.00 is owed back' })
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Give Money Back')
    const question = await dialog()
    expect(question.getByText(/^1 meal worth K45.00 will not become orders/)).toBeInTheDocument()
    expect(question.getByText('Beef Stew for Chanda, K45.00')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Reason'), 'Kitchen closed that day')
    await press(user, 'Give Money Back')
    expect(await screen.findByText('Refund Due')).toBeInTheDocument()
    expect(server.asked(waiveRemainder)[0]?.body).toEqual({ reason: 'Kitchen closed that day' })
  })

  test.each([
    ['Accept Payment', acceptMismatch, 'Failed to accept the payment'],
    ['Give Money Back', waiveRemainder, 'Failed to give the money back'],
  ] as const)('%s that fails keeps the question and says so', async (name, endpoint, text) => {
    server.on(endpoint, broken)
    const { user } = await openDetails(
      failedAttempt({ allowed: { retry: true, amend: true, accept: true, waive: true } }),
    )
    await press(user, name)
    await user.type(await screen.findByLabelText('Reason'), 'Because of this')
    await press(user, name)
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'Because of this')
  })

  test('Cancel leads back to the details', async () => {
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Give Money Back')
    await press(user, 'Cancel')
    expect(await screen.findByText('Order Details')).toBeInTheDocument()
    expect(screen.queryByLabelText('Reason')).not.toBeInTheDocument()
  })
})

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
              { day: 3, date: '2026-09-16', state: 'blocked', cutoffAt: '2026-09-16T06:00:00.000Z' },
              { day: 4, date: '2026-09-17', state: 'past', cutoffAt: '2026-09-17T06:00:00.000Z' },
              { day: 5, date: '2026-09-18', state: 'open', cutoffAt: '2026-09-18T06:00:00.000Z' },
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
    await press(user, 'Change Beef Stew for Chanda on Wednesday of week 1')
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
    await press(user, 'Change Beef Stew for Chanda on Wednesday of week 1')
    expect(await optionsOf('Meal')).toEqual(['Beef Stew (as ordered)', 'Soup, K30.00'])
    expect(await optionsOf('Day')).toEqual(['Week 1, Wednesday (as ordered)', 'Week 1, Friday, 18 September'])
    expect(await optionsOf('Child')).toEqual(['Chanda (as ordered)'])
    expect(await optionsOf('Protein')).toEqual(['Beef'])
  })

  test('taken back, the line is tried as it is', async () => {
    const { user } = await openDetails(failedAttempt())
    await press(user, 'Change Beef Stew for Chanda on Wednesday of week 1')
    await change(user, 'Meal', 'Soup, K30.00')
    await press(user, /^Leave as ordered: Beef Stew/)
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
    await press(user, 'Change Beef Stew for Chanda on Wednesday of week 1')
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
    await press(user, 'Change Beef Stew for Chanda on Wednesday of week 1')
    expect(await screen.findByText('Failed to fetch menu items')).toBeInTheDocument()
  })
})
