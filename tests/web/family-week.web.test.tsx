import { screen, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { getCredit } from '#contracts/credit'
import { listCycles, type DayState, type OrderCycle } from '#contracts/cycles'
import { changeOrder, listOrders, placeOrders, setAbsence, type Order } from '#contracts/ordering'
import { openPayments } from '#contracts/payments'
import { readCart, writeCart } from '../../web/features/cart/cart'
import type { FakeServer } from './admin/fake-server'
import { meal, placed } from './cart-screen'
import { freshPortal, openPortal, press } from './open-portal'
import { burger, cycle, order, parent, pizza, stew } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const today = '2026-09-14'
const open: DayState[] = ['open', 'open', 'open', 'open', 'open']
const withDays = (states: DayState[], more: Partial<OrderCycle> = {}): OrderCycle => ({
  ...cycle,
  today,
  weeks: cycle.weeks!.map((week, at) =>
    at === 0
      ? week
      : {
          ...week,
          completed: states.every((state) => state === 'past'),
          days: week.days.map((day, of) => ({ ...day, state: states[of]! })),
        },
  ),
  ...more,
})

/** Of Chanda, who is on the first line of each day. */
const lunches = (more: Parameters<typeof order>[0] = {}) =>
  [1, 2, 3, 4, 5].map((dayOfWeek) => order({ id: `1.${dayOfWeek}`, dayOfWeek, ...more }))
const owed = { paymentStatus: 'pending', payBy: 'airtel', discountedPrice: 42, receiptNumber: null } as const
const openPayment = (orders: Order[]) => ({
  reference: 'T-1',
  amount: 42,
  payBy: 'airtel' as const,
  placedAt: '2026-09-13T06:00:00.000Z',
  lapsesAt: null,
  orders,
  instructions: { message: 'Please pay' },
})

const week = async (name: RegExp = /14–18 Sept/) => within(await screen.findByRole('region', { name }))
const lines = async (name?: RegExp) =>
  within((await week(name)).getAllByRole('list')[0]!)
    .getAllByText(/September, (Chanda|Bwalya):/)
    .map(({ parentElement }) => parentElement!.textContent!.replace(/\s+/g, ' '))

type State = {
  cycle?: OrderCycle
  orders?: Order[]
  pay?: Order[]
  balance?: number
  /** What the children eat and what is missing: Monday's lines. */
  monday: [chanda: RegExp, bwalya: RegExp]
  summary: RegExp
  /** What is to be paid or looked at; none by default. */
  line?: RegExp
  name?: RegExp
}

const grade3Trip = [{ date: today, grades: ['3' as const], classes: [], reason: 'Grade 3 trip' }]

/** The ten states of a family's week. */
const states: Record<string, State> = {
  'nothing ordered': {
    orders: [order({ weekNumber: 1, mealDate: '2026-09-07' })],
    monday: [/Order until 08:00.*\+ Choose/, /\+ Choose/],
    summary: /to choose/,
  },
  'week ordered': {
    orders: [...lunches(), ...lunches({ studentId: 2 })],
    monday: [/Stew.*Paid/, /Stew.*Paid/],
    summary: /Nothing left to choose/,
  },
  unpaid: {
    orders: [order(owed)],
    pay: [order(owed)],
    monday: [/Stew.*K42 to pay/, /\+ Choose/],
    summary: /to choose/,
    line: /K42\.00 to pay/,
  },
  ill: {
    orders: [order({ absent: true })],
    monday: [/Stew.*Ill today/, /\+ Choose/],
    summary: /to choose/,
  },
  'closed for one': {
    cycle: withDays(open, { closedFor: grade3Trip }),
    orders: [order({ dayOfWeek: 2 })],
    monday: [/Grade 3 trip.*Closed/, /\+ Choose/],
    summary: /to choose/,
  },
  'allergy to look at': {
    orders: [order({ allergens: ['Milk'] })],
    monday: [/Needs a look.*Stew.*Paid/, /\+ Choose/],
    summary: /to choose/,
    line: /1 meal needs a look/,
  },
  credit: {
    orders: [order()],
    balance: 39,
    monday: [/Stew.*Paid/, /\+ Choose/],
    summary: /to choose/,
  },
  'cutoff passed': {
    cycle: withDays(['cutoff', 'open', 'open', 'open', 'open']),
    orders: [order()],
    monday: [/Stew.*Paid/, /Today's orders have closed.*Closed/],
    summary: /to choose/,
  },
  'past cycle': {
    cycle: withDays(['past', 'past', 'past', 'past', 'past'], { today: '2026-09-21' }),
    orders: [order({ given: { at: '2026-09-14T10:14:00.000Z', state: 'given' } })],
    monday: [/Stew.*Given 12:14/, /No lunch.*Closed/],
    summary: /No lunches to order until the next calendar/,
    name: /Last week · 14–18 Sept/,
  },
  'second guardian': {
    orders: [order({ ...owed, orderedBy: 'Mutinta Mwila' })],
    monday: [/Stew.*Ordered by Mutinta Mwila/, /\+ Choose/],
    summary: /to choose/,
  },
}

test.each(Object.entries(states))(
  'the week answers what they eat, what is missing and what is owed: %s',
  async (_name, { monday, summary, line, name, ...given }) => {
    server.on(listMenu, [{ ...stew, daysOfWeek: [1, 2, 3, 4, 5] }, pizza, burger])
    server.on(listCycles, [given.cycle ?? withDays(open)])
    server.on(listOrders, given.orders ?? [])
    server.on(openPayments, { data: given.pay ? [openPayment(given.pay)] : [] })
    server.on(getCredit, { balance: given.balance ?? 0, held: 0, entries: [] })
    openPortal('/', parent)
    const said = await lines(name)
    expect(said[0]).toMatch(monday[0])
    expect(said[1]).toMatch(monday[1])
    expect((await week(name)).getByText(summary)).toBeInTheDocument()
    if (line) await screen.findByRole('button', { name: line })
    const waiting = screen.queryAllByRole('button', { name: /to pay|needs? a look/ })
    const own = waiting.filter((one) => !one.textContent!.includes('September, '))
    expect(own).toHaveLength(line ? 1 : 0)
    if (given.balance) expect(await screen.findByText('Credit K39.00')).toBeInTheDocument()
    const isOpen = summary.source === 'to choose'
    if (isOpen) await screen.findByRole('button', { name: /^Fill the week/ })
    expect(screen.queryAllByRole('button', { name: /^Fill the week/ })).toHaveLength(isOpen ? 1 : 0)
  },
)

describe('presses', () => {
  const hand = (hands: ReturnType<typeof openPortal>) => {
    let presses = 0
    return {
      on: async (name: RegExp | string, inside: Pick<typeof screen, 'findByRole'> = screen) => {
        await hands.click(await inside.findByRole('button', { name }))
        presses += 1
      },
      presses: () => presses,
    }
  }
  beforeEach(() => server.on(listCycles, [withDays(open)]))

  test('a meal takes three: the line, Add, Order', async () => {
    server.on(listMenu, [{ ...stew, price: '0', categories: ['beef'], sideDishes: ['rice'] }])
    server.on(placeOrders, placed())
    const thumb = hand(openPortal('/', parent))
    await thumb.on(/Monday 14 September, Chanda:/)
    await thumb.on(/^Add /, within(await screen.findByRole('dialog')))
    expect((await lines())[0]).toMatch(/Stew.*In the cart/)
    await thumb.on('Order Free')
    expect(await screen.findByText('Order placed')).toBeInTheDocument()
    expect(thumb.presses()).toBe(3)
    expect(server.asked(placeOrders)).toHaveLength(1)
  })

  test('a week for two as last week takes three: fill the week, add, order', async () => {
    server.on(listMenu, [
      { ...stew, price: '0' },
      { ...burger, price: '0' },
    ])
    const lastMonday = { weekNumber: 1, mealDate: '2026-09-07' }
    const ofBwalya = { studentId: 2, student: { name: 'Bwalya', grade: '8' } as const }
    const eaten = {
      ...lastMonday,
      ...ofBwalya,
      menuItem: { id: 3, name: 'Burger', type: 'secondary' } as const,
    }
    server.on(listOrders, [order(lastMonday), order({ ...eaten, id: '2' })])
    server.on(placeOrders, placed())
    const thumb = hand(openPortal('/', parent))
    await thumb.on('Fill the week, as last week: Free')
    await thumb.on('Add 2 meals to the cart', within(await screen.findByRole('dialog')))
    await thumb.on(/^Place Order/)
    expect(await screen.findByText('Order placed')).toBeInTheDocument()
    expect(thumb.presses()).toBe(3)
    expect(server.asked(placeOrders)[0]?.body).toMatchObject({
      cartItems: [{ studentId: 1 }, { studentId: 2 }],
    })
  })

  test('ill today takes two', async () => {
    const ill = order({ allowed: { absent: true, absentForMs: 3_600_000, cancel: false } })
    server.on(listOrders, [ill])
    server.on(setAbsence, () => {
      server.on(listOrders, [{ ...ill, absent: true }])
      return { ...ill, absent: true }
    })
    const thumb = hand(openPortal('/', parent))
    await thumb.on(/Monday 14 September, Chanda:/)
    await thumb.on(/^Ill today/, within(await screen.findByRole('dialog')))
    const sheet = within(screen.getByRole('dialog'))
    expect(await sheet.findByText('The kitchen knows.')).toBeInTheDocument()
    expect(thumb.presses()).toBe(2)
  })

  test('another dish takes three: the line, Change, Change Meal', async () => {
    const stays = order({ allowed: { change: true } })
    server.on(listOrders, [stays])
    server.on(changeOrder, { ...stays, menuItem: { id: 2, name: 'Pizza', type: 'primary' } })
    const thumb = hand(openPortal('/', parent))
    await thumb.on(/Monday 14 September, Chanda:/)
    await thumb.on(/^Change Pizza /, within(await screen.findByRole('dialog')))
    const asked = await screen.findByRole('dialog', { name: 'Change this meal' })
    await thumb.on(/^Change Meal/, within(asked))
    expect(await screen.findByText('Meal changed')).toBeInTheDocument()
    expect(server.asked(changeOrder)[0]?.body).toMatchObject({ menuItemId: pizza.id, category: null })
    expect(thumb.presses()).toBe(3)
  })
})

test('the bar fills the week as last week, for its price after discounts', async () => {
  server.on(listCycles, [withDays(open)])
  server.on(listMenu, [{ ...stew, discountPrice: '36', discountPercentage: 20 }, pizza, burger])
  server.on(listOrders, [order({ weekNumber: 1, mealDate: '2026-09-07' })])
  const hands = openPortal('/', parent)
  await press(hands, 'Fill the week, as last week: K106.00')
  expect(await screen.findByRole('dialog', { name: 'Week 2 for all children' })).toBeInTheDocument()
})

test('an order from the bar that must be asked something, asks it in the cart', async () => {
  server.on(listCycles, [withDays(open)])
  writeCart(parent.id, [meal()])
  const hands = openPortal('/', { ...parent, contactNeeded: 'email' })
  await press(hands, 'Order K45.00')
  expect(await screen.findByRole('heading', { name: 'Email Required' })).toBeInTheDocument()
  expect(readCart(parent.id)).toHaveLength(1)
})

test('folds the days that are over, except what is still to pay, until they are asked for', async () => {
  server.on(listCycles, [withDays(['past', 'past', 'past', 'open', 'open'], { today: '2026-09-17' })])
  server.on(listOrders, [order({ id: '3', dayOfWeek: 3, ...owed })])
  const hands = openPortal('/', parent)
  const table = await week()
  const fold = table.getByRole('button', { name: 'Monday to Tuesday: over' })
  const folded = () =>
    table.getAllByRole('listitem').filter((row) => /max-lg:hidden/.test(row.className)).length
  expect([fold.getAttribute('aria-expanded'), folded()]).toEqual(['false', 2])
  await hands.click(fold)
  expect([fold.getAttribute('aria-expanded'), folded()]).toEqual(['true', 0])
})

test('turns to the week after and back', async () => {
  const hands = openPortal('/', parent)
  await week(/This week · 14–18 Sept/)
  await press(hands, 'Week before')
  expect(await week(/Last week · 7–11 Sept/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Week before' })).toBeDisabled()
  await press(hands, 'Week after')
  expect(await week(/This week/)).toBeTruthy()
})
