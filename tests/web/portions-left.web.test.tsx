import { act, screen, waitFor, within } from '@testing-library/react'
import { placeOrders, getOrderingRules } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { listPortions } from '#contracts/catalogue'
import { writeCart } from '../../web/features/cart/cart'
import { refusal, type FakeServer } from './admin/fake-server'
import { free, lineOf, meal, openCart } from './cart-screen'
import { dayCard, freshPortal, openPortal, press } from './open-portal'
import { orderingRules, parent, pizza, stew } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const monday = '2026-09-14'
const left = (portions: number, { id }: { id: number } = stew, date = monday) => ({
  menuItemId: id,
  date,
  limit: 50,
  left: portions,
})
const mealCard = async (name: string, day = 'Monday 14 September') => {
  const title = await (await dayCard(day)).findByRole('heading', { name })
  return within(title.closest('article')!)
}

describe('a meal of the calendar', () => {
  test('tells how many portions are left where they are few, and can be added', async () => {
    server.on(listPortions, { data: [left(3), left(10, pizza)] })
    openPortal('/', parent)
    expect(await (await mealCard('Stew')).findByText('3 left')).toBeInTheDocument()
    expect((await mealCard('Stew')).getByRole('button', { name: 'Add' })).toBeInTheDocument()
    expect((await mealCard('Pizza')).queryByText(/left$/)).not.toBeInTheDocument()
    expect(server.asked(listPortions)[0]?.query).toEqual({ from: '2026-09-07', to: '2026-09-18' })
  })

  test('has as many as the school says are few', async () => {
    server.on(getOrderingRules, { ...orderingRules, lowPortions: 3 })
    server.on(listPortions, { data: [left(3), left(2, pizza)] })
    openPortal('/', parent)
    expect(await (await mealCard('Pizza')).findByText('2 left')).toBeInTheDocument()
    expect((await mealCard('Stew')).queryByText('3 left')).not.toBeInTheDocument()
  })

  test('that is sold out says so and cannot be added; on another day it can', async () => {
    server.on(listPortions, { data: [{ ...left(0, pizza), limit: null }] })
    openPortal('/', parent)
    const onMonday = await mealCard('Pizza')
    expect(await onMonday.findByText('Sold out')).toBeInTheDocument()
    expect(onMonday.queryByRole('button', { name: 'Add' })).not.toBeInTheDocument()
    const onTuesday = await mealCard('Pizza', 'Tuesday 15 September')
    expect(onTuesday.getByRole('button', { name: 'Add' })).toBeInTheDocument()
    expect(onTuesday.queryByText('Sold out')).not.toBeInTheDocument()
  })

  test('sold out while it is in the cart can be taken out', async () => {
    server.on(listPortions, { data: [left(0)] })
    writeCart(parent.id, [meal()])
    openPortal('/', parent)
    const card = await mealCard('Stew')
    expect(await card.findByText('Sold out')).toBeInTheDocument()
    expect(card.getByRole('button', { name: 'Remove' })).toBeInTheDocument()
  })

  test('is not offered for a whole week where it is sold out', async () => {
    server.on(listPortions, { data: [left(0), left(0, pizza)] })
    const hands = openPortal('/', parent)
    await (await mealCard('Stew')).findByText('Sold out')
    await press(hands, 'Order this week')
    const dialog = within(await screen.findByRole('dialog'))
    const plan = within(dialog.getByRole('region', { name: 'Chanda' }))
    expect(plan.getByRole('group', { name: /Tuesday/ })).toBeInTheDocument()
    expect(plan.queryByRole('group', { name: /Monday/ })).not.toBeInTheDocument()
  })

  test('is asked for again when the page is seen again', async () => {
    openPortal('/', parent)
    await mealCard('Stew')
    await waitFor(() => expect(server.asked(listPortions)).toHaveLength(1))
    server.on(listPortions, { data: [left(1)] })
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    expect(await (await mealCard('Stew')).findByText('1 left')).toBeInTheDocument()
  })
})

describe('a meal that is sold out when the cart is sent', () => {
  const message = 'This meal is sold out on this day'
  const soldOut = () =>
    refusal(409, 'lines_refused', 'Some meals cannot be ordered', {
      lines: [{ index: 1, code: 'sold_out', message, left: 0 }],
    })

  test.each([
    ['a free one', placeOrders, free],
    ['by card', createPayment, {}],
  ])('says so itself, %s', async (_name, endpoint, price) => {
    server.on(endpoint, soldOut)
    const hands = await openCart([meal({}, price), meal({ dayOfWeek: 2 }, price)])
    await press(hands, /Place Order/)
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
    await waitFor(() => expect(lineOf(message)).toHaveFocus())
    expect(lineOf(message).textContent).toContain('Tuesday, 15 September')
  })
})
