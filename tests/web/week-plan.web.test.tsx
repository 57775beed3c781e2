import { act, screen, waitFor, within } from '@testing-library/react'
import { listMenu, listPortions } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { listStudents } from '#contracts/identity'
import { listOrders, placeOrders, getOrderingRules } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { readCart, writeCart } from '../../web/features/cart/cart'
import { cartKey } from '../../web/queries/cart-here'
import { untilDaysChange } from '../../web/queries/cycles'
import { type FakeServer, refusal } from './admin/fake-server'
import { free, lineOf, meal, openCart } from './cart-screen'
import { dayCard, freshPortal, openPortal, press, shownAddress } from './open-portal'
import {
  burger,
  bwalya,
  chanda,
  order,
  parent,
  pizza,
  staff,
  stew,
  teacher,
  orderingRules,
  cycle,
  closingAt,
} from './sample-family'

let server: FakeServer

describe('week plan', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(listStudents, [chanda])
    server.on(listMenu, [{ ...stew, daysOfWeek: [1, 2, 5] }, pizza, { ...burger, daysOfWeek: [1, 2] }])
  })

  const openPlan = async (user = parent) => {
    const hands = openPortal('/', user)
    await press(hands, 'Order this week')
    return { hands, plan: within(await screen.findByRole('dialog')) }
  }
  type Plan = Awaited<ReturnType<typeof openPlan>>['plan']
  const day = (plan: Plan, name: string) => within(plan.getByRole('group', { name }))
  const value = (plan: Plan, name: string, label: string) =>
    (day(plan, name).getByLabelText(label) as HTMLSelectElement).selectedOptions[0]?.textContent

  const monday = 'Monday 14 September'
  const tuesday = 'Tuesday 15 September'
  const friday = 'Friday 18 September'

  describe('ordering a week at once', () => {
    test('a row for every day that is open, neither ordered nor in the cart', async () => {
      server.on(listOrders, [order({ dayOfWeek: 2, category: 'chicken', sideDish: 'nshima' })])
      const { plan } = await openPlan()
      expect(plan.getByRole('heading', { name: 'Week 2 for Chanda' })).toBeInTheDocument()
      expect(plan.queryByRole('group', { name: tuesday })).not.toBeInTheDocument()
      expect(value(plan, monday, 'Meal')).toBe('Stew')
      expect(value(plan, monday, 'Protein')).toBe('Chicken')
      expect(value(plan, friday, 'Side dish')).toBe('Nshima')
      expect(day(plan, monday).getByText('Same as 15 September')).toBeInTheDocument()
    })

    test('goes into the cart as it stands, with one press', async () => {
      server.on(listOrders, [order({ cycleId: 6, mealDate: '2026-08-31' })])
      const { hands, plan } = await openPlan()
      await hands.click(plan.getByRole('radio', { name: 'Day by day' }))
      expect(plan.getByText('K135.00')).toBeInTheDocument()
      await hands.click(plan.getByRole('button', { name: 'Add 3 meals to the cart' }))
      expect(await screen.findByText('3 meals for Chanda')).toBeInTheDocument()
      expect(readCart(parent.id)).toHaveLength(3)
      expect(readCart(parent.id)[1]).toMatchObject({
        menuItemId: stew.id,
        weekNumber: 2,
        dayOfWeek: 2,
        studentId: 1,
        category: 'beef',
        sideDish: 'rice',
      })
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(shownAddress()).toBe('/?tab=cart')
    })

    test('changes meal, protein and side, skips a day; the total runs along', async () => {
      const { hands, plan } = await openPlan()
      await hands.click(day(plan, friday).getByRole('checkbox'))
      expect(day(plan, friday).getByText('Skipped')).toBeInTheDocument()
      expect(day(plan, friday).queryByLabelText('Meal')).not.toBeInTheDocument()
      await hands.selectOptions(day(plan, tuesday).getByLabelText('Meal'), 'Pizza')
      expect(day(plan, tuesday).queryByLabelText('Protein')).not.toBeInTheDocument()
      expect(plan.getByText('K85.50')).toBeInTheDocument()
      await hands.selectOptions(day(plan, monday).getByLabelText('Protein'), 'beef')
      await hands.selectOptions(day(plan, monday).getByLabelText('Side dish'), 'rice')
      await hands.click(plan.getByRole('button', { name: 'Add 2 meals to the cart' }))
      expect(readCart(parent.id).map(({ menuItem, category }) => [menuItem.name, category])).toEqual([
        ['Stew', 'beef'],
        ['Pizza', null],
      ])
    })

    test('says what is in a meal and how a protein is made', async () => {
      server.on(listMenu, [{ ...stew, allergens: ['Milk', 'Tree Nuts'] }])
      const { hands, plan } = await openPlan()
      expect(day(plan, monday).getByText('Contains milk, tree nuts')).toBeInTheDocument()
      await hands.selectOptions(day(plan, monday).getByLabelText('Protein'), 'beef')
      expect(day(plan, monday).getByText('Contains milk, tree nuts · Slow-cooked')).toBeInTheDocument()
    })

    test('nothing goes in while a protein or a side is missing, and words say what', async () => {
      const { hands, plan } = await openPlan()
      await hands.selectOptions(day(plan, monday).getByLabelText('Protein'), 'beef')
      const add = plan.getByRole('button', { name: 'Add 3 meals to the cart' })
      expect(add).toBeDisabled()
      expect(add).toHaveAccessibleDescription('Still to choose: 2 proteins, 3 side dishes')
      await hands.click(plan.getByRole('button', { name: 'Chicken' }))
      await hands.click(plan.getByRole('button', { name: 'Any side dish' }))
      expect(add).toBeEnabled()
      expect(add).not.toHaveAccessibleDescription()
    })

    test('one press for what all days still wait for', async () => {
      const { hands, plan } = await openPlan()
      const fill = within(plan.getByRole('group', { name: 'Still to choose: 3 proteins, 3 side dishes' }))
      await hands.click(fill.getByRole('button', { name: 'Chicken' }))
      await hands.click(fill.getByRole('button', { name: 'Any side dish' }))
      expect(plan.queryByRole('group', { name: /Still to choose/ })).not.toBeInTheDocument()
      expect([value(plan, friday, 'Protein'), value(plan, friday, 'Side dish')]).toEqual(['Chicken', 'Rice'])
    })

    test('with every day skipped there is nothing to add', async () => {
      const { hands, plan } = await openPlan()
      for (const box of plan.getAllByRole('checkbox')) await hands.click(box)
      const add = plan.getByRole('button', { name: 'Add meals to the cart' })
      expect(add.hasAttribute('disabled')).toBe(true)
    })

    test('a day that is ordered meanwhile is refused, the others go in', async () => {
      const { hands, plan } = await openPlan()
      await hands.click(plan.getByRole('button', { name: 'Chicken' }))
      await hands.click(plan.getByRole('button', { name: 'Any side dish' }))
      server.on(listOrders, [order()])
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key: cartKey(parent.id) })))
      await screen.findByText('1 ordered')
      await hands.click(plan.getByRole('button', { name: 'Add 3 meals to the cart' }))
      expect(await screen.findByText('Already Ordered')).toBeInTheDocument()
      expect(screen.getByText('You already have an order for this day')).toBeInTheDocument()
      expect(readCart(parent.id).map(({ dayOfWeek }) => dayOfWeek)).toEqual([2, 5])
    })

    test('a teacher does it without sides', async () => {
      server.on(listStudents, [{ ...staff, parent_id: 6, parentId: 6 }])
      server.on(listOrders, { data: [] })
      const { hands, plan } = await openPlan(teacher)
      expect(plan.queryByLabelText('Side dish')).not.toBeInTheDocument()
      await hands.click(plan.getByRole('button', { name: 'Beef' }))
      await hands.click(plan.getByRole('button', { name: 'Add 2 meals to the cart' }))
      expect(readCart(teacher.id).map(({ sideDish }) => sideDish)).toEqual([null, null])
    })

    test('a week in which nothing is left has no such button', async () => {
      server.on(listMenu, [])
      openPortal('/', parent)
      expect((await dayCard('Friday 18')).getByText('No meal available')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Order this week' })).not.toBeInTheDocument()
    })
  })

  const child = (plan: Plan, name: string) => within(plan.getByRole('region', { name }))

  describe('a week of all children', () => {
    const hers = {
      studentId: bwalya.id,
      student: bwalya,
      menuItem: { id: 3, name: 'Burger', type: 'secondary' },
    } as const
    beforeEach(() => {
      server.on(listStudents, [chanda, bwalya])
      server.on(listOrders, [
        order({ mealDate: '2026-09-07' }),
        order({
          id: '1.2026-09-11.1',
          mealDate: '2026-09-11',
          dayOfWeek: 5,
          menuItem: { id: 9, name: 'Soup', type: 'primary' },
        }),
        order({ ...hers, id: '2.2026-09-07.1', mealDate: '2026-09-07' }),
        order({ ...hers, id: '2.2026-09-15.1', mealDate: '2026-09-15', dayOfWeek: 2 }),
      ])
    })

    test('is as last week where that is known: two presses from home put it into the cart', async () => {
      const { hands, plan } = await openPlan()
      expect(plan.getByRole('heading', { name: 'Week 2 for all children' })).toBeInTheDocument()
      for (const name of ['Chanda', 'Bwalya'])
        expect(child(plan, name).getByRole('radio', { name: 'As last week' })).toBeChecked()
      expect(child(plan, 'Chanda').getByText('Stew · Beef · rice')).toBeInTheDocument()
      await hands.click(plan.getByRole('button', { name: 'Add 2 meals to the cart' }))
      expect(await screen.findByText('2 meals for Chanda and Bwalya')).toBeInTheDocument()
      expect(readCart(parent.id).map(({ studentId, dayOfWeek }) => [studentId, dayOfWeek])).toEqual([
        [1, 1],
        [2, 1],
      ])
    })

    test('names what is not offered again, with the button that fills the day', async () => {
      const { hands, plan } = await openPlan()
      const row = within(child(plan, 'Chanda').getByRole('group', { name: friday }))
      expect(row.getByText('Soup is not offered')).toBeInTheDocument()
      await hands.click(row.getByRole('button', { name: `Choose a meal for Chanda on ${friday}` }))
      expect(row.getByLabelText('Meal')).toHaveValue(String(stew.id))
      expect(plan.getByRole('button', { name: 'Add 3 meals to the cart' })).toBeInTheDocument()
    })

    test('tells the days that cannot be ordered, once for all and by child', async () => {
      const { plan } = await openPlan()
      expect(plan.getByText('Wednesday 16 September').parentElement?.textContent).toContain(
        "Today's orders have closed",
      )
      expect(plan.getByText('Thursday 17 September').parentElement?.textContent).toContain('No school lunch')
      expect(child(plan, 'Bwalya').getByText(/Already ordered: Burger/)).toBeInTheDocument()
      expect(child(plan, 'Bwalya').getByText(/No meal available/)).toBeInTheDocument()
    })

    test('tells what is in the cart already and what is sold out', async () => {
      server.on(listPortions, {
        data: [{ date: '2026-09-18', menuItemId: stew.id, limit: 5, left: 0 }],
      })
      const hands = openPortal('/', parent)
      const card = within((await dayCard('Tuesday 15')).getByText('Pizza').closest('article')!)
      await hands.click(card.getByRole('button', { name: /^Add / }))
      await press(hands, 'Order this week')
      const own = child(within(await screen.findByRole('dialog')), 'Chanda')
      expect(await own.findByText(/Already in the cart/)).toBeInTheDocument()
      expect(await own.findByText(/Sold out/)).toBeInTheDocument()
    })

    test('has one dish on all days that offer it', async () => {
      const { hands, plan } = await openPlan()
      const own = child(plan, 'Chanda')
      await hands.click(own.getByRole('radio', { name: 'One dish' }))
      await hands.click(own.getByRole('button', { name: 'Pizza · 2 days' }))
      expect(own.getAllByText('Pizza')).toHaveLength(2)
      expect(
        within(own.getByRole('group', { name: friday })).getByText('Not offered on this day'),
      ).toBeInTheDocument()
    })

    test('leaves a child out with one press, and takes it in again', async () => {
      const { hands, plan } = await openPlan()
      await hands.click(plan.getByRole('checkbox', { name: 'Bwalya' }))
      expect(plan.getByRole('button', { name: 'Add 1 meal to the cart' })).toBeInTheDocument()
      await hands.click(plan.getByRole('checkbox', { name: 'Bwalya' }))
      expect(plan.getByRole('button', { name: 'Add 2 meals to the cart' })).toBeInTheDocument()
    })

    test('asks for what is still to choose beside the button that adds, for a single day too', async () => {
      server.on(listOrders, [order({ mealDate: '2026-09-07', category: 'goat' })])
      const { hands, plan } = await openPlan()
      await hands.click(plan.getByRole('checkbox', { name: 'Bwalya' }))
      const fill = within(plan.getByRole('group', { name: 'Still to choose: 1 protein' }))
      await hands.click(fill.getByRole('button', { name: 'Beef' }))
      await hands.click(plan.getByRole('button', { name: 'Add 1 meal to the cart' }))
      expect(readCart(parent.id).map(({ category }) => category)).toEqual(['beef'])
    })
  })
})

describe('portions left', () => {
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
      expect((await mealCard('Stew')).getByRole('button', { name: /^Add / })).toBeInTheDocument()
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
      expect(onMonday.queryByRole('button', { name: /^Add / })).not.toBeInTheDocument()
      const onTuesday = await mealCard('Pizza', 'Tuesday 15 September')
      expect(onTuesday.getByRole('button', { name: /^Add / })).toBeInTheDocument()
      expect(onTuesday.queryByText('Sold out')).not.toBeInTheDocument()
    })

    test('sold out while it is in the cart can be taken out', async () => {
      server.on(listPortions, { data: [left(0)] })
      writeCart(parent.id, [meal()])
      openPortal('/', parent)
      const card = await mealCard('Stew')
      expect(await card.findByText('Sold out')).toBeInTheDocument()
      expect(card.getByRole('button', { name: /^Remove / })).toBeInTheDocument()
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
})

describe('calendar learns', () => {
  beforeEach(() => {
    server = freshPortal()
  })

  const closedToday = {
    ...cycle,
    weeks: cycle.weeks!.map((week) => ({
      ...week,
      days: week.days.map((day) => (day.state === 'open' ? { ...day, state: 'cutoff' as const } : day)),
    })),
  }

  const asked = () => server.asked(listCycles).length

  test('a page that is seen again reads the calendar again', async () => {
    openPortal('/', parent)
    await dayCard('Tuesday 15')
    const before = asked()
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await waitFor(() => expect(asked()).toBe(before + 1))
  })

  test('and so does one whose connection is back', async () => {
    openPortal('/', parent)
    await dayCard('Tuesday 15')
    const before = asked()
    act(() => void window.dispatchEvent(new Event('offline')))
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(asked()).toBe(before + 1))
  })

  test('at the cutoff the days close by themselves', async () => {
    jest.useFakeTimers({ advanceTimers: true, doNotFake: ['queueMicrotask'] })
    try {
      server.on(listCycles, [{ ...cycle, nextChangeInMs: 60_000 }])
      openPortal('/', parent)
      expect((await dayCard('Tuesday 15')).queryByText("Today's orders have closed")).not.toBeInTheDocument()
      server.on(listCycles, [closedToday])
      await act(() => jest.advanceTimersByTimeAsync(61_000))
      expect(await (await dayCard('Tuesday 15')).findByText("Today's orders have closed")).toBeInTheDocument()
    } finally {
      jest.useRealTimers()
    }
  })

  test('a changed cutoff is known within a minute, and what may be done with orders is asked anew', async () => {
    jest.useFakeTimers({ advanceTimers: true, doNotFake: ['queueMicrotask'] })
    try {
      openPortal('/', parent)
      await dayCard('Tuesday 15')
      const before = server.asked(listOrders).length
      server.on(listCycles, [closingAt({ '2026-09-15': '2026-09-14T06:00:00.000Z' })])
      await act(() => jest.advanceTimersByTimeAsync(60_000))
      await waitFor(() => expect(server.asked(listOrders)).toHaveLength(before + 1))
    } finally {
      jest.useRealTimers()
    }
  })

  test('how long that is the server says, and a minute at most, as the cutoff may be changed', () => {
    expect(untilDaysChange([{ ...cycle, nextChangeInMs: 30_000 }])).toBe(31_000)
    expect(untilDaysChange([{ ...cycle, nextChangeInMs: 60_000 }])).toBe(60_000)
    expect(untilDaysChange([{ ...cycle, isActive: false }])).toBe(60_000)
    expect(untilDaysChange(undefined)).toBe(60_000)
  })
})
