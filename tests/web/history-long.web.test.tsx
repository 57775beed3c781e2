import { act, screen, within } from '@testing-library/react'
import { listOrders, type Order } from '#contracts/ordering'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, onAPhone, openPortal, press } from './open-portal'
import { order, parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const day = 86_400_000
/** So many orders of one child, a day apart; the first is the oldest. */
const orders = (count: number, more: Parameters<typeof order>[0] = {}): Order[] =>
  Array.from({ length: count }, (_, at) =>
    order({
      id: `7.1.${at}`,
      orderDate: new Date(Date.parse('2026-01-05T06:00:00.000Z') + at * day).toISOString(),
      menuItem: { id: at, name: `Meal ${at}`, type: 'primary' },
      allowed: { cancel: false },
      ...more,
    }),
  )

const open = async (list: Order[]) => {
  server.on(listOrders, list)
  const hands = openPortal('/?tab=orders', parent)
  await screen.findByText(/Total Spent/)
  return hands
}
const meals = () =>
  within(screen.getByRole('list', { name: 'Orders for Chanda' }))
    .getAllByRole('listitem')
    .map((card) => /Meal \d+/.exec(card.textContent ?? '')?.[0])

describe('a long history', () => {
  test('begins with the newest ten and unfolds thirty at a time, the total over all', async () => {
    onAPhone()
    const hands = await open(orders(200))
    expect(await screen.findByText('Grade 3 · 200 orders')).toBeInTheDocument()
    expect(screen.getByText('K9,000.00')).toBeInTheDocument()
    expect(meals()).toEqual(Array.from({ length: 10 }, (_, at) => `Meal ${199 - at}`))
    await press(hands, 'Show 30 older orders')
    expect(meals()).toHaveLength(40)
  })

  test('the focus goes to the first of what came; at the end there is nothing more to show', async () => {
    onAPhone()
    const hands = await open(orders(13))
    await press(hands, 'Show 3 older orders')
    expect(meals()).toHaveLength(13)
    expect(document.activeElement?.textContent).toContain('Meal 2')
    expect(screen.queryByRole('button', { name: /older/ })).not.toBeInTheDocument()
  })

  test('never hides what may still be cancelled', async () => {
    await open(orders(24, { allowed: { cancel: true, cancelForMs: 60_000 } }))
    expect(screen.getAllByRole('button', { name: 'Cancel Order' })).toHaveLength(24)
  })
})

test('a payment that is neither confirmed nor pending is failed and costs nothing', async () => {
  onAPhone()
  await open([order(), order({ id: '7.2', paymentStatus: 'failed' })])
  expect(screen.getByText('Payment failed').className).toContain('danger')
  expect(screen.getByText(/Total Spent/).textContent).toBe('Total Spent K45.00')
})

test('while it is read its place is kept; nothing yet says where to go', async () => {
  const answers: ((list: Order[]) => void)[] = []
  server.on(listOrders, () => new Promise<Order[]>((done) => answers.push(done)))
  openPortal('/?tab=orders', parent)
  await screen.findByText(/Orders can only be cancelled/)
  expect(screen.getByRole('tabpanel').querySelector('output')?.textContent).toBe('Loading')
  await act(async () => answers[0]?.([]))
  expect(await screen.findByText(/place the order in the Cart/)).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Browse the menu' })).toBeInTheDocument()
})

test('what could not be read can be asked for again', async () => {
  server.on(listOrders, () => refusal(500, 'fault', 'It broke'))
  const hands = openPortal('/?tab=orders', parent)
  await screen.findByText('Failed to fetch orders')
  server.on(listOrders, [order()])
  await press(hands, 'Try again')
  expect(await screen.findByText(/Total Spent/)).toBeInTheDocument()
})
