import { screen, within } from '@testing-library/react'
import { type FailedOrder, liveOrders, listFailedOrders } from '#contracts/payments-console'
import { fakeServer, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { failedAttempt, failedPage, liveAttempt, livePage } from './sample-payments'

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
const openDetails = async (order: FailedOrder) => {
  serve(order)
  const user = openConsole('/', office)
  await press(user, /^Details/)
  return { user, inside: await dialog() }
}

describe('what was received, under Order Recovery,', () => {
  test('stands beside what was asked for in the list, the details and the question', async () => {
    const order = failedAttempt({
      amount: 90,
      receivedAmount: 85.5,
      allowed: { retry: true, amend: true, accept: true, waive: true },
    })
    serve(order)
    const user = openConsole('/', office)
    expect(await screen.findByText('Received K85.50')).toBeInTheDocument()
    await press(user, /^Details/)
    expect((await dialog()).getByText('K85.50', { selector: 'dd' })).toBeInTheDocument()
    for (const question of ['Accept Payment', 'Give Money Back']) {
      await press(user, question)
      expect((await dialog()).getByText('Asked for K90.00, received K85.50.')).toBeInTheDocument()
      await press(user, 'Cancel')
    }
  })

  test('that nobody knows is said', async () => {
    const { user, inside } = await openDetails(failedAttempt({ receivedAmount: null }))
    expect(inside.getByText('Not known')).toBeInTheDocument()
    expect(screen.queryByText(/^Received K/)).not.toBeInTheDocument()
    await press(user, 'Give Money Back')
    expect(
      (await dialog()).getByText('Asked for K90.00, it is not known how much was received.'),
    ).toBeInTheDocument()
  })
})

test('what was received stands under Live Orders too, in the list where it is another amount', async () => {
  const [less, same] = [liveAttempt('1', { receivedAmount: 85.5 }), liveAttempt('2', { username: 'ruth' })]
  server.on(liveOrders, livePage([less, same]))
  const user = openConsole('/', adminWith('live_orders'))
  expect(await screen.findAllByText(/^Received K/)).toHaveLength(1)
  expect(screen.getByText('Received K85.50')).toBeInTheDocument()
  await press(user, /^Show the lines of ruth/)
  expect(await screen.findByText('Asked for K90.00, received K90.00')).toBeInTheDocument()
})
