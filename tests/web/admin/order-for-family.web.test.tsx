import { screen, waitFor, within } from '@testing-library/react'
import { listMenu, listPortions } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { getFamily, type FamilyPage } from '#contracts/find'
import { familyMealMarks } from '#contracts/health'
import { getOrderingRules, orderForFamily } from '#contracts/ordering'
import { pausePlanOfFamily } from '#contracts/plan'
import { chanda, cycle, order, orderingRules, stew } from '../sample-family'
import { fakeServer, type FakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'

const family: FamilyPage = {
  parent: { id: 7, username: 'mwape', name: 'Mwape Zulu', email: null, phone: null, role: 'parent' },
  children: [{ id: chanda.id, name: 'Chanda', grade: '3', guardians: [] }],
  status: [],
  upcoming: [],
  money: { unpaid: 0, owedBack: 0, help: null, payments: [], refunds: [] },
  credit: { balance: 0, held: 0, entries: [] },
  plan: null,
  weeks: [],
  messages: [],
  reachedBy: [],
  history: [],
}

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(getFamily, family)
  server.on(listMenu, [{ ...stew, daysOfWeek: [1, 2], categories: [], sideDishes: [] }])
  server.on(listCycles, [cycle])
  server.on(listPortions, { data: [] })
  server.on(getOrderingRules, orderingRules)
  server.on(familyMealMarks, { rule: 'warn', students: [] })
})
afterEach(forgetToasts)

const chosen = async (...features: Parameters<typeof adminWith>) => {
  const user = openConsole('/families/7', adminWith(...features))
  await user.click(await screen.findByRole('button', { name: 'Order for this family' }))
  await user.click(await screen.findByRole('radio', { name: 'This week' }))
  const plan = within(await screen.findByRole('dialog'))
  await user.click(plan.getByRole('button', { name: /^Add \d meals? to the cart$/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  return { user, meals: within(await screen.findByRole('list', { name: 'Meals to order' })) }
}

test('the week plan of families ends with how it is paid, and orders in one act', async () => {
  server.on(orderForFamily, { orders: [order()], payment: null })
  const { user, meals } = await chosen('parents_students', 'pending_payments')
  const rows = meals.getAllByRole('listitem')
  await user.click(within(rows[0]!).getByRole('button', { name: /^Remove/ }))
  await user.selectOptions(screen.getByLabelText('How it is paid'), 'Cash')
  await user.type(screen.getByLabelText('Note (optional)'), 'Grandmother')
  await user.click(screen.getByRole('button', { name: /^Order \d meal/ }))
  expect(await screen.findByText('1 meal ordered')).toBeInTheDocument()
  const { params, body } = server.asked(orderForFamily)[0]!
  expect(params).toEqual({ parentId: 7 })
  expect(body).toMatchObject({ payBy: 'cash', received: true, note: 'Grandmother' })
  const { cartItems } = body as { cartItems: Record<string, unknown>[] }
  expect(cartItems).toHaveLength(rows.length - 1)
  expect(cartItems[0]).toMatchObject({ studentId: chanda.id, originalPrice: expect.any(Number) })
  expect(cartItems[0]).not.toHaveProperty('discountedPrice')
  expect(screen.getByRole('button', { name: 'Order for this family' })).toBeInTheDocument()
})

test('prices at the counter are those after the discount of the child', async () => {
  const [child] = family.children
  server.on(getFamily, { ...family, children: [{ ...child!, discountPercentage: 50 }] })
  const { meals } = await chosen('parents_students', 'pending_payments')
  const rows = meals.getAllByRole('listitem')
  for (const row of rows) expect(row).toHaveTextContent('K22.50')
  expect(screen.getByText(`K${(22.5 * rows.length).toFixed(2)}`, { selector: 'strong' })).toBeInTheDocument()
})

test('the week plan leaves out what a child is allergic to', async () => {
  server.on(listMenu, [
    { ...stew, daysOfWeek: [1, 2], categories: [], sideDishes: [], allergens: ['Peanuts'] },
  ])
  const students = [{ studentId: chanda.id, allergies: ['Peanuts'], diet: 'none' as const }]
  server.on(familyMealMarks, { rule: 'block', students })
  const user = openConsole('/families/7', adminWith('parents_students'))
  await user.click(await screen.findByRole('button', { name: 'Order for this family' }))
  await user.click(await screen.findByRole('radio', { name: 'This week' }))
  const plan = within(await screen.findByRole('dialog'))
  expect(await plan.findByText(/^Left out/)).toBeInTheDocument()
  expect(plan.queryByRole('button', { name: /^Add [1-9]/ })).not.toBeInTheDocument()
})

test('whoever may not confirm money orders unpaid; a refused meal says why where it stands', async () => {
  server.on(orderForFamily, () =>
    refusal(409, 'lines_refused', 'Some meals cannot be ordered', {
      lines: [{ index: 0, code: 'sold_out', message: 'Stew is sold out' }],
    }),
  )
  const { user, meals } = await chosen('parents_students')
  expect(screen.queryByLabelText('The money')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /^Order \d meal/ }))
  expect(await meals.findByText('Stew is sold out')).toBeInTheDocument()
  expect(server.asked(orderForFamily)[0]!.body).toMatchObject({ received: false })
})

const soup = { ...stew, id: 2, name: 'Soup', price: '52.00', daysOfWeek: [3], categories: [], sideDishes: [] }

const atCounter = async (...features: Parameters<typeof adminWith>) => {
  server.on(listMenu, [{ ...soup, id: 3, name: 'Pie' }, soup])
  const user = openConsole('/families/7', adminWith(...features))
  await user.click(await screen.findByRole('button', { name: 'Order for this family' }))
  expect(await screen.findByRole('radio', { name: 'Lunch for today' })).toBeChecked()
  let presses = 0
  const press = async (role: 'radio' | 'button', name: string | RegExp) => {
    presses += 1
    await user.click(screen.getByRole(role, { name }))
  }
  return { user, press, presses: () => presses }
}

test('a lunch for today takes four presses: dish, reason, cash with its change, order; then the receipt', async () => {
  server.on(orderForFamily, {
    orders: [
      order({
        menuItem: { id: 2, name: 'Soup', type: 'primary' },
        discountedPrice: 52,
        receiptNumber: '2026-000123',
      }),
    ],
    payment: null,
  })
  const { press, presses } = await atCounter('parents_students', 'pending_payments')
  expect(screen.getByRole('radio', { name: 'This week' })).not.toBeChecked()
  expect(screen.getByRole('radio', { name: 'Other week' })).not.toBeChecked()
  expect(screen.getByRole('button', { name: 'Order lunch' })).toBeDisabled()
  await press('radio', /^Soup/)
  await press('radio', 'Forgot to order')
  await press('radio', 'K100')
  expect(screen.getByText('Given K100.00, change K48.00')).toBeInTheDocument()
  await press('button', 'Order lunch, K52.00')
  expect(await screen.findByRole('link', { name: 'Print receipt 2026-000123' })).toHaveAttribute(
    'href',
    '/receipts/2026-000123',
  )
  expect(presses()).toBe(4)
  expect(within(screen.getByRole('status')).getByText('Given K100.00, change K48.00')).toBeInTheDocument()
  expect(server.asked(orderForFamily)[0]!.body).toEqual({
    cartItems: [
      expect.objectContaining({ menuItemId: 2, studentId: chanda.id, dayOfWeek: 3, originalPrice: 52 }),
    ],
    payBy: 'cash',
    received: true,
    late: { reason: 'Forgot to order' },
  })
})

test('another reason is typed; without the right to confirm money the lunch is paid later', async () => {
  server.on(orderForFamily, { orders: [order()], payment: null })
  const { user, press } = await atCounter('parents_students')
  expect(screen.queryByRole('radio', { name: 'Cash' })).not.toBeInTheDocument()
  await press('radio', /^Soup/)
  await press('radio', 'Another reason')
  expect(screen.getByRole('button', { name: /^Order lunch/ })).toBeDisabled()
  await user.type(screen.getByLabelText('The reason, in at least 3 characters'), 'Bus was late')
  await press('button', /^Order lunch/)
  expect(await screen.findByText('To pay under Pending Payments')).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: /^Print receipt/ })).not.toBeInTheDocument()
  expect(server.asked(orderForFamily)[0]!.body).toMatchObject({
    payBy: 'other',
    received: false,
    note: 'Bus was late',
    late: { reason: 'Bus was late' },
  })
})

test('a child with a lunch for today has none to choose, and a refusal is said where the lunch is', async () => {
  server.on(orderForFamily, () =>
    refusal(409, 'lines_refused', 'Some meals cannot be ordered', {
      lines: [{ index: 0, code: 'sold_out', message: 'Soup is sold out' }],
    }),
  )
  server.on(getFamily, {
    ...family,
    children: [...family.children, { id: 12, name: 'Mutinta', grade: '3', guardians: [] }],
    upcoming: [
      {
        id: `${chanda.id}.20260916.1`,
        mealDate: '2026-09-16',
        student: { name: 'Chanda', grade: '3' },
        menuItem: { name: 'Pie' },
        price: 52,
        status: 'pending',
        paymentStatus: 'confirmed',
        payBy: 'cash',
        absent: false,
        reference: '',
        lapsesAt: null,
      },
    ],
  })
  const { press } = await atCounter('parents_students', 'pending_payments')
  expect(screen.getByText('Chanda: Already ordered: Pie')).toBeInTheDocument()
  await press('radio', /^Soup/)
  await press('radio', 'Came without lunch')
  await press('button', /^Order lunch/)
  expect(await screen.findByText('Soup is sold out')).toBeInTheDocument()
  expect(server.asked(orderForFamily)[0]!.body).toMatchObject({ cartItems: [{ studentId: 12 }] })
})

test('before the cutoff no reason is asked for', async () => {
  const weeks = cycle.weeks!.map((one) => ({
    ...one,
    days: one.days.map((day) => (day.state === 'cutoff' ? { ...day, state: 'open' as const } : day)),
  }))
  server.on(listCycles, [{ ...cycle, weeks }])
  server.on(orderForFamily, { orders: [order()], payment: null })
  const { press } = await atCounter('parents_students', 'pending_payments')
  await press('radio', /^Soup/)
  await press('radio', 'Credit')
  await press('button', /^Order lunch/)
  expect(await screen.findByText('Paid with credit')).toBeInTheDocument()
  expect(server.asked(orderForFamily)[0]!.body).toEqual({
    cartItems: [expect.anything()],
    payBy: 'credit',
    received: false,
  })
})

test('the page of a family says what each child must not eat, and who may order for it', async () => {
  const guardians = [
    { userId: 7, name: 'Mwape Zulu', first: true },
    { userId: 8, name: 'Grace Zulu', first: false },
  ]
  const mutinta = { id: 12, name: 'Mutinta', grade: '4' as const, guardians: [] }
  const luse = { id: 13, name: 'Luse', grade: '5' as const, guardians: [] }
  server.on(getFamily, { ...family, children: [{ ...family.children[0]!, guardians }, mutinta, luse] })
  server.on(familyMealMarks, {
    rule: 'warn',
    students: [
      { studentId: chanda.id, allergies: ['Peanuts', 'Milk'], diet: 'halal' },
      { studentId: 12, allergies: [], diet: 'none' },
    ],
  })
  openConsole('/families/7', adminWith('parents_students'))
  const of = async (name: string) => (await screen.findByText(name, { selector: 'li p' })).closest('li')!
  expect(await screen.findByText('Allergic to Peanuts, Milk')).toBeInTheDocument()
  expect(await of('Chanda')).toHaveTextContent(
    'Chanda Grade 3Allergic to Peanuts, Milk · HalalMay order: Mwape Zulu (first guardian), Grace Zulu (second guardian)',
  )
  expect(screen.getByRole('link', { name: 'Grace Zulu' })).toHaveAttribute('href', '/families/8')
  expect(await of('Mutinta')).toHaveTextContent('No allergies · No special dietMay order: Mwape Zulu')
  expect(await of('Luse')).toHaveTextContent('Allergies not told yet')
})

test('is not offered to whoever does not keep families', async () => {
  openConsole('/families/7', adminWith('refunds'))
  expect(await screen.findByRole('heading', { name: 'Mwape Zulu' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Order for this family' })).not.toBeInTheDocument()
})

const plan: NonNullable<FamilyPage['plan']> = {
  children: [
    {
      studentId: chanda.id,
      days: [{ day: 1, dishes: [{ menuItemId: stew.id, category: null, sideDish: null, price: 45 }] }],
    },
  ],
  at: { day: 0, hour: 17, minute: 0 },
  pay: { by: 'prompt', network: 'airtel' },
  weekLimit: null,
  paused: false,
  version: 'first',
}
const weeks: FamilyPage['weeks'] = [
  {
    week: '2026-09-14',
    at: '2026-09-13T15:00:00.000Z',
    state: 'ordered',
    total: 45,
    credit: 0,
    toPay: 45,
    orders: [{ orderId: '1', studentId: chanda.id, date: '2026-09-14', menuItem: 'Stew', price: 45 }],
    left: [{ studentId: chanda.id, date: '2026-09-15', code: 'sold_out', message: 'This meal is sold out' }],
  },
]

test('the plan of a family is shown with its weeks, paused and resumed', async () => {
  server.on(getFamily, { ...family, plan, weeks })
  server.on(pausePlanOfFamily, { offered: true, plan, weeks, next: null, version: 'first' })
  const user = openConsole('/families/7', adminWith('parents_students'))
  expect(
    await screen.findByText('1 meal a week, ordered on Sunday 17:00 · Airtel Money, PIN on their phone'),
  ).toBeInTheDocument()
  await user.click(screen.getByText('Weeks of the plan'))
  expect(screen.getByText('Week of Monday 14 September: Ordered, 1 meal, K45.00')).toBeInTheDocument()
  expect(screen.getByText('Tuesday 15 September, Chanda: This meal is sold out')).toBeInTheDocument()
  server.on(getFamily, { ...family, plan: { ...plan, paused: true }, weeks })
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByRole('heading', { name: 'Plan (paused)' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Go on' }))
  await waitFor(() =>
    expect(server.asked(pausePlanOfFamily)).toMatchObject([
      { params: { id: 7 }, body: { paused: true } },
      { params: { id: 7 }, body: { paused: false } },
    ]),
  )
})

test('the plan of a family is read by whoever does not keep families, who cannot pause it', async () => {
  server.on(getFamily, { ...family, plan, weeks })
  openConsole('/families/7', adminWith('refunds'))
  expect(await screen.findByText('Weeks of the plan')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Pause' })).not.toBeInTheDocument()
})
