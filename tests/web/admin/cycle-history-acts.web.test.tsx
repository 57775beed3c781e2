import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders, type CycleOrder } from '#contracts/order-reports'
import { listCycles } from '#contracts/cycles'
import { getAllergyRule } from '#contracts/health'
import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { autumnCycle, dish, historyOrder, historyPage } from './sample-orders'

const office = adminWith('history')
let server: FakeServer

const child = (id: string, name: string, more: Partial<CycleOrder> = {}) =>
  historyOrder(id, { student: { name, grade: '4' }, ...more })
const orders = [
  child('a', 'Anna', { owedIfCancelled: 45.05 }),
  child('b', 'Bupe', { owedIfCancelled: 40.05, status: 'completed' }),
  child('d', 'David', { status: 'cancelled' }),
]
const menu = [
  { ...dish(3, 'Beef Stew'), daysOfWeek: [2] },
  {
    ...dish(4, 'Fish Cakes'),
    daysOfWeek: [2, 3],
    categories: ['fish', 'vegetarian'],
    sideDishes: ['rice', 'chips'],
  },
  { ...dish(5, 'Pancakes'), daysOfWeek: [1] },
  { ...dish(6, 'Old Soup', true), daysOfWeek: [2] },
  { ...dish(7, 'Burger'), daysOfWeek: [2], isAvailable: false },
]

beforeEach(() => {
  server = fakeServer()
  server.on(listCycles, [autumnCycle])
  server.on(listMenu, menu)
  server.on(cycleOrders, historyPage(orders))
})
afterEach(forgetToasts)

type User = ReturnType<typeof openConsole>
const select = async (user: User, ...names: string[]) => {
  for (const name of names)
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(`^Select .* for ${name}`) }))
}
const press = async (user: User, name: string) => user.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('orders cancelled in one act', () => {
  const answer = { cancelled: 1, owed: 45.05, families: 1, notTold: 1, skipped: [] }

  test('are asked for with their number and sum, a reason and how the money goes back', async () => {
    server.on(cancelOrders, {
      ...answer,
      skipped: [{ orderId: 'b', code: 'already_completed', message: 'The meal was given out' }],
    })
    const user = openConsole('/', office)
    await select(user, 'Anna', 'Bupe', 'David')
    await press(user, 'Cancel with Reason')
    const asking = await dialog('Cancel 2 orders?')
    expect(
      asking.getByText(
        'K85.10 that was paid for them goes back. Every family is told once. 1 other selected order stays as before.',
      ),
    ).toBeInTheDocument()
    await press(user, 'Cancel 2 Orders')
    expect(await asking.findByText('Give a reason')).toBeInTheDocument()
    expect(server.asked(cancelOrders)).toEqual([])
    await user.type(asking.getByLabelText('Reason, as families read it'), 'The oven broke')
    await user.click(asking.getByRole('radio', { name: 'Family credit' }))
    await press(user, 'Cancel 2 Orders')
    expect(await screen.findByText('Orders cancelled')).toBeInTheDocument()
    expect(
      screen.getByText(
        '1 order of 1 family cancelled, K45.05 goes back, 1 family without an address not told, 1 skipped',
      ),
    ).toBeInTheDocument()
    expect(server.asked(cancelOrders)[0]?.body).toEqual({
      orderIds: ['a', 'b'],
      reason: 'The oven broke',
      remedy: 'credit',
    })
    expect(
      screen.getByText('Beef Stew for Bupe, Week 1, Tuesday: The meal was given out'),
    ).toBeInTheDocument()
    expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
  })

  test('sent again after a lost answer keep their key', async () => {
    const keys: (string | undefined)[] = []
    const user = openConsole('/', office)
    const network = globalThis.fetch
    globalThis.fetch = (async (address: string, init: RequestInit) => {
      if (address.endsWith('/api/orders/cancel'))
        keys.push((init.headers as Record<string, string>)['Idempotency-Key'])
      return network(address, init)
    }) as typeof fetch
    server.on(cancelOrders, () => {
      throw new FakeRefusal(502, null)
    })
    await select(user, 'Anna')
    await press(user, 'Cancel with Reason')
    const asking = await dialog('Cancel 1 order?')
    await user.type(asking.getByLabelText(/^Reason/), 'The oven broke')
    await press(user, 'Cancel 1 Order')
    expect(await screen.findByText('Failed to cancel orders')).toBeInTheDocument()
    server.on(cancelOrders, answer)
    await press(user, 'Cancel 1 Order')
    expect(await screen.findByText('Orders cancelled')).toBeInTheDocument()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  test('are not asked for where none of them can be cancelled', async () => {
    const user = openConsole('/', office)
    await select(user, 'David')
    await press(user, 'Cancel with Reason')
    expect(await screen.findByText('None of the selected orders can be cancelled')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('of every page are selected together', async () => {
    server.on(cycleOrders, ({ query }) =>
      query.pageSize === 100
        ? historyPage([...orders, child('z', 'Zoe')], { pageSize: 100 })
        : historyPage(orders, { total: 4, pageSize: 3 }),
    )
    const user = openConsole('/?weekNumber=1&dayOfWeek=2&menuItemId=3', office)
    await press(user, 'Select all 4 orders')
    expect(await screen.findByText('4 orders selected')).toBeInTheDocument()
    expect(screen.getByText(', 1 on other pages')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Select all 4 orders' })).not.toBeInTheDocument()
    expect(server.asked(cycleOrders).at(-1)?.query).toMatchObject({
      weekNumber: 1,
      dayOfWeek: 2,
      menuItemId: 3,
      pageSize: 100,
    })
  })
})

describe('orders given another meal', () => {
  test('get one that is offered on their day, with its protein and side', async () => {
    server.on(substituteOrders, { updated: 1, families: 1, notTold: 0, skipped: [] })
    const user = openConsole('/', office)
    await select(user, 'Anna', 'Bupe')
    await press(user, 'Give Another Meal')
    const asking = await dialog('Give 1 order another meal?')
    expect(asking.getByText(/1 other selected order stays as before\./)).toBeInTheDocument()
    await press(user, 'Give This Meal')
    expect(await asking.findByText('Choose a meal', { selector: '[role=alert]' })).toBeInTheDocument()
    const meals = within(asking.getByLabelText('Meal')).getAllByRole('option')
    expect(meals.map(({ textContent }) => textContent)).toEqual(['Choose a meal', 'Beef Stew', 'Fish Cakes'])
    await user.selectOptions(asking.getByLabelText('Meal'), 'Fish Cakes')
    await user.selectOptions(asking.getByLabelText('Protein'), 'Vegetarian')
    await press(user, 'Give This Meal')
    expect(await screen.findByText('Orders changed')).toBeInTheDocument()
    expect(screen.getByText('1 order of 1 family changed')).toBeInTheDocument()
    expect(server.asked(substituteOrders)[0]?.body).toEqual({
      orderIds: ['a'],
      menuItemId: 4,
      category: 'vegetarian',
      sideDish: 'rice',
    })
    await waitFor(() => expect(screen.queryByText(/selected$/)).not.toBeInTheDocument())
  })

  test('that the server refuses stay selected and say why', async () => {
    server.on(substituteOrders, () => refusal(422, 'invalid_input', 'This meal is not on the menu'))
    const user = openConsole('/', office)
    await select(user, 'Anna')
    await press(user, 'Give Another Meal')
    await user.selectOptions(await screen.findByLabelText('Meal'), 'Beef Stew')
    await press(user, 'Give This Meal')
    expect(await screen.findByText('This meal is not on the menu')).toBeInTheDocument()
    expect(screen.getByText('1 order selected')).toBeInTheDocument()
  })

  test.each(['warn', 'block'] as const)('that a child is allergic to: the rule is %s', async (rule) => {
    server.on(getAllergyRule, { rule })
    const conflict = {
      orderId: 'a',
      code: 'allergen_conflict',
      message: 'Not possible',
      allergens: ['Fish'],
    }
    server.on(substituteOrders, ({ body }) =>
      (body as { acknowledged?: boolean }).acknowledged
        ? { updated: 1, families: 1, notTold: 0, skipped: [] }
        : { updated: 0, families: 0, notTold: 0, skipped: [conflict] },
    )
    const user = openConsole('/', office)
    await select(user, 'Anna')
    await press(user, 'Give Another Meal')
    await user.selectOptions(await screen.findByLabelText('Meal'), 'Fish Cakes')
    await press(user, 'Give This Meal')
    if (rule === 'block') {
      expect(await screen.findByText('1 order was skipped and stayed as before')).toBeInTheDocument()
      return expect(server.asked(substituteOrders)).toHaveLength(1)
    }
    const question = await dialog('Give this meal all the same?')
    expect(question.getByText('Anna – fish')).toBeInTheDocument()
    await press(user, 'Give It All the Same')
    await waitFor(() => expect(screen.queryByText(/selected$/)).not.toBeInTheDocument())
    expect(server.asked(substituteOrders)[1]?.body).toMatchObject({ orderIds: ['a'], acknowledged: true })
  })

  test('are told where no meal is offered', async () => {
    server.on(listMenu, [])
    const user = openConsole('/', office)
    await select(user, 'Anna')
    await press(user, 'Give Another Meal')
    expect(await screen.findByText('No meal is offered on all the days of these orders.')).toBeInTheDocument()
  })
})
