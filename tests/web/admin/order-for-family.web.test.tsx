import { screen, waitFor, within } from '@testing-library/react'
import { listMenu, listPortions } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { getFamily, type FamilyPage } from '#contracts/find'
import { familyMealMarks } from '#contracts/health'
import { getOrderingRules, orderForFamily } from '#contracts/ordering'
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

test('the week plan leaves out what a child is allergic to', async () => {
  server.on(listMenu, [
    { ...stew, daysOfWeek: [1, 2], categories: [], sideDishes: [], allergens: ['Peanuts'] },
  ])
  const students = [{ studentId: chanda.id, allergies: ['Peanuts'], diet: 'none' as const }]
  server.on(familyMealMarks, { rule: 'block', students })
  const user = openConsole('/families/7', adminWith('parents_students'))
  await user.click(await screen.findByRole('button', { name: 'Order for this family' }))
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

test('is not offered to whoever does not keep families', async () => {
  openConsole('/families/7', adminWith('refunds'))
  expect(await screen.findByText('Mwape Zulu')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Order for this family' })).not.toBeInTheDocument()
})
