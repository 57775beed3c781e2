import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { mealMarks } from '#contracts/health'
import { cancelOrder, changeOrder, listOrders } from '#contracts/ordering'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { order, parent, pizza, stew } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(listMenu, [
    { ...stew, allergens: ['Peanuts'], categories: [], sideDishes: [] },
    { ...pizza, price: '45' },
  ])
})
const rule = (now: 'block' | 'warn') =>
  server.on(mealMarks, {
    rule: now,
    students: [{ studentId: 1, allergies: ['peanuts'], diet: 'none' }],
  })
const inConflict = order({
  menuItem: { id: stew.id, name: 'Stew', type: 'primary' },
  category: null,
  sideDish: null,
  allergens: ['Peanuts'],
  allowed: { change: true },
})

const lookAt = async () => within(await screen.findByRole('region', { name: 'Meals to look at' }))
const openChange = async () => {
  const hands = openPortal('/', parent)
  await hands.click((await lookAt()).getByRole('button', { name: 'Change Meal' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change this meal' }))
  const meal = (await dialog.findByLabelText('Meal')) as HTMLSelectElement
  const offered = () =>
    [...meal.options].filter(({ disabled }) => !disabled).map(({ text }) => text.split(' · ')[0])
  return { hands, dialog, meal, offered, send: dialog.getByRole('button', { name: 'Change Meal' }) }
}

test('meals that came to conflict stand on the home page with what can be done, until they are dealt with', async () => {
  rule('block')
  server.on(listOrders, [inConflict])
  server.on(cancelOrder, () => {
    server.on(listOrders, [order({ status: 'cancelled' })])
    return order({ status: 'cancelled' })
  })
  const hands = openPortal('/', parent)
  const region = await lookAt()
  expect(region.getByText('1 meal needs a look')).toBeInTheDocument()
  expect(region.getByText('Contains peanuts – Chanda is allergic')).toBeInTheDocument()
  await hands.click(region.getByRole('button', { name: 'Cancel Order' }))
  const question = within(await screen.findByRole('dialog', { name: 'Cancel this order?' }))
  await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Meals to look at' })).not.toBeInTheDocument(),
  )
})

test('one that nothing can be done about any more says why', async () => {
  rule('block')
  const why = { cancel: 'The orders of this day have closed', change: 'The orders of this day have closed' }
  server.on(listOrders, [{ ...inConflict, allowed: { cancel: false, change: false, absent: false }, why }])
  openPortal('/', parent)
  expect(
    (await lookAt()).getByText('The orders of this day have closed. Please contact the tuckshop.'),
  ).toBeInTheDocument()
})

test('nothing is drawn where nothing is in conflict', async () => {
  rule('block')
  server.on(listOrders, [order()])
  openPortal('/', parent)
  expect(await screen.findByText('Order Pending')).toBeInTheDocument()
  expect(screen.queryByRole('region', { name: 'Meals to look at' })).not.toBeInTheDocument()
})

test('under refusal the change dialog leaves such meals out, and says which and why', async () => {
  rule('block')
  server.on(listOrders, [inConflict])
  server.on(changeOrder, order({ menuItem: { id: pizza.id, name: 'Pizza', type: 'primary' } }))
  const { hands, dialog, meal, offered, send } = await openChange()
  await waitFor(() => expect(offered()).toEqual(['Pizza']))
  expect(dialog.getByText('Left out – Chanda is allergic: Stew (contains peanuts)')).toBeInTheDocument()
  expect(send.hasAttribute('disabled')).toBe(true)
  await hands.selectOptions(meal, String(pizza.id))
  await hands.click(send)
  await waitFor(() => expect(server.asked(changeOrder)).toHaveLength(1))
  expect(server.asked(changeOrder)[0]?.body).not.toHaveProperty('acknowledged')
})

test('under a warning the same meal is accepted with a tick, and what is sent says so', async () => {
  rule('warn')
  server.on(listOrders, [inConflict])
  server.on(changeOrder, order())
  const { hands, dialog, offered, send } = await openChange()
  await waitFor(() => expect(offered()).toEqual(['Stew', 'Pizza']))
  expect(await dialog.findByText('Contains peanuts – Chanda is allergic')).toBeInTheDocument()
  expect(send.hasAttribute('disabled')).toBe(true)
  await hands.click(dialog.getByRole('checkbox', { name: 'Chanda has it all the same' }))
  await hands.click(send)
  await waitFor(() => expect(server.asked(changeOrder)).toHaveLength(1))
  expect(server.asked(changeOrder)[0]?.body).toMatchObject({ menuItemId: stew.id, acknowledged: true })
})
