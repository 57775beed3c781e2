import { screen, waitFor, within } from '@testing-library/react'
import { listMenu, unknownDiets, type DishDiets } from '#contracts/catalogue'
import { mealMarks } from '#contracts/health'
import { listStudents } from '#contracts/identity'
import { listOrders, placeOrders, cancelOrder, changeOrder } from '#contracts/ordering'
import { readCart } from '../../web/features/cart/cart'
import { type FakeServer, refusal } from './admin/fake-server'
import { freshShop, lineOf, meal, openCart, placed, said } from './cart-screen'
import { dayCard, openPortal, press, freshPortal } from './open-portal'
import { chanda, order, parent, pizza, staff, stew, teacher } from './sample-family'

let server: FakeServer

describe('meal marks', () => {
  const chandaMustNot = { studentId: chanda.id, allergies: ['Peanuts'], diet: 'none' as const }
  const peanutStew = { ...stew, allergens: ['Milk', 'peanuts'], categories: [], sideDishes: [] }
  const words = 'Contains peanuts – Chanda is allergic'
  beforeEach(() => {
    ;({ server } = freshShop())
    server.on(listStudents, [chanda])
    server.on(listMenu, [peanutStew, pizza])
  })
  const rule = (now: 'block' | 'warn') => server.on(mealMarks, { rule: now, students: [chandaMustNot] })

  const mealOn = async (name: string) =>
    within((await (await dayCard('Monday 14')).findByRole('heading', { name })).closest('article')!)

  /** No storage of the browser has a word of what a child must not eat. */
  const expectNothingKept = () =>
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/peanut|allerg/i)

  describe('the calendar', () => {
    test('where the rule is to refuse, says why and offers the other meals first', async () => {
      rule('block')
      openPortal('/', parent)
      const stewCard = await mealOn('Stew')
      expect(stewCard.getByText(`${words}. It cannot be ordered.`)).toBeInTheDocument()
      expect(stewCard.queryByRole('button', { name: /^Add / })).not.toBeInTheDocument()
      expect((await mealOn('Pizza')).getByRole('button', { name: /^Add / })).toBeInTheDocument()
      const names = (await dayCard('Monday 14')).getAllByRole('heading', { level: 4 })
      expect(names.map(({ textContent }) => textContent)).toEqual(['Pizza', 'Stew'])
    })

    test('where the rule is to warn, Add asks first, and the line says that it was asked', async () => {
      rule('warn')
      const hands = openPortal('/', parent)
      const add = (await mealOn('Stew')).getByRole('button', { name: /^Add / })
      await hands.click(add)
      const question = within(await screen.findByRole('dialog', { name: 'Order Stew all the same?' }))
      expect(question.getByText(new RegExp(words))).toBeInTheDocument()
      await hands.click(question.getByRole('button', { name: 'Choose Another' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(readCart(parent.id)).toEqual([])
      await hands.click(add)
      await press(hands, 'Order It')
      expect(readCart(parent.id)).toEqual([expect.objectContaining({ acknowledged: true })])
      expectNothingKept()
    })

    const eatsHalal = (says: DishDiets['halal'], now: 'block' | 'warn') => {
      const diets = { ...unknownDiets, halal: says }
      server.on(listMenu, [{ ...stew, diets, categories: ['pork'], sideDishes: [] }, pizza])
      server.on(mealMarks, { rule: now, students: [{ ...chandaMustNot, allergies: [], diet: 'halal' }] })
    }

    test('a diet of which the kitchen says nothing is a mark and no question', async () => {
      eatsHalal('unknown', 'block')
      const hands = openPortal('/', parent)
      const card = await mealOn('Stew')
      expect(card.getByText('Ask the kitchen: halal not stated')).toBeInTheDocument()
      await hands.click(card.getByRole('button', { name: /^Add / }))
      expect(readCart(parent.id)[0]?.acknowledged).toBeUndefined()
    })

    test('"Only what Chanda can eat" hides such meals and unstated ones, and is remembered', async () => {
      rule('warn')
      const unstated = { ...pizza, id: 77, name: 'Pie', allergens: null }
      server.on(listMenu, [peanutStew, pizza, unstated])
      const names = async () =>
        (await dayCard('Monday 14'))
          .getAllByRole('heading', { level: 4 })
          .map(({ textContent }) => textContent)
      const hands = openPortal('/', parent)
      const only = await screen.findByRole('switch', { name: 'Only what Chanda can eat' })
      expect(only).not.toBeChecked()
      expect(await names()).toEqual(['Pizza', 'Pie', 'Stew'])
      await hands.click(only)
      expect(await names()).toEqual(['Pizza'])
      expectNothingKept()
      expect(localStorage.getItem('only-what-fits')).toBe('on')
    })

    test('a dish whose diet is not stated is hidden with it', async () => {
      localStorage.setItem('only-what-fits', 'on')
      eatsHalal('unknown', 'block')
      openPortal('/', parent)
      expect(await screen.findByRole('switch', { name: 'Only what Chanda can eat' })).toBeChecked()
      expect((await dayCard('Monday 14')).queryByRole('heading', { name: 'Stew' })).not.toBeInTheDocument()
    })

    test('without allergies and diet nothing is hidden', async () => {
      localStorage.setItem('only-what-fits', 'on')
      server.on(mealMarks, { rule: 'block', students: [{ ...chandaMustNot, allergies: [] }] })
      openPortal('/', parent)
      expect(await mealOn('Stew')).toBeTruthy()
      expect(screen.queryByRole('switch', { name: /^Only what/ })).not.toBeInTheDocument()
    })

    test('a diet that the meal suits shows nothing', async () => {
      eatsHalal('yes', 'block')
      openPortal('/', parent)
      const card = await mealOn('Stew')
      expect(card.getByRole('button', { name: /^Add / })).toBeInTheDocument()
      expect(card.queryByText(/halal/i)).not.toBeInTheDocument()
    })

    test('a meal against the diet is refused or asked about as one with an allergen', async () => {
      eatsHalal('no', 'block')
      openPortal('/', parent)
      const refused = await mealOn('Stew')
      expect(refused.getByText('Not halal – Chanda eats halal. It cannot be ordered.')).toBeInTheDocument()
      expect(refused.queryByRole('button', { name: /^Add / })).not.toBeInTheDocument()
    })

    test('where the rule is to warn, such a meal is confirmed', async () => {
      eatsHalal('no', 'warn')
      const hands = openPortal('/', parent)
      await hands.click((await mealOn('Stew')).getByRole('button', { name: /^Add / }))
      const question = within(await screen.findByRole('dialog', { name: 'Order Stew all the same?' }))
      expect(question.getByText(/Not halal – Chanda eats halal/)).toBeInTheDocument()
      await press(hands, 'Order It')
      expect(readCart(parent.id)).toEqual([expect.objectContaining({ acknowledged: true })])
    })

    test('a teacher is spoken to', async () => {
      server.on(listStudents, [{ ...staff, parent_id: 6, parentId: 6 }])
      server.on(listOrders, { data: [] })
      server.on(listMenu, [{ ...peanutStew, type: 'secondary' }])
      server.on(mealMarks, { rule: 'block', students: [{ ...chandaMustNot, studentId: staff.id }] })
      openPortal('/', teacher)
      expect(
        (await mealOn('Stew')).getByText('Contains peanuts – you are allergic. It cannot be ordered.'),
      ).toBeInTheDocument()
    })

    test('where nobody can tell, the menu is there and says so', async () => {
      server.on(mealMarks, () => refusal(500, 'fault', 'It broke'))
      openPortal('/', parent)
      expect((await mealOn('Stew')).getByRole('button', { name: /^Add / })).toBeInTheDocument()
      expect(screen.getByText(/Meals are not marked for allergies and diets right now/)).toBeInTheDocument()
    })
  })

  test('a week leaves such meals out by itself, and says which and why', async () => {
    rule('warn')
    server.on(listOrders, [order({ cycleId: 6, mealDate: '2026-08-31' })])
    const hands = openPortal('/', parent)
    await press(hands, 'Order this week')
    const plan = within(await screen.findByRole('dialog'))
    const names = await plan.findAllByLabelText('Meal')
    expect(
      names.flatMap((select) => [...(select as HTMLSelectElement).options].map(({ text }) => text)),
    ).toEqual(['Pizza', 'Pizza'])
    expect(plan.getByText('Left out – Chanda is allergic: Stew (contains peanuts)')).toBeInTheDocument()
    await hands.click(plan.getByRole('radio', { name: 'As last week' }))
    expect(plan.getByText('Stew contains peanuts – Chanda is allergic')).toBeInTheDocument()
  })

  describe('the cart', () => {
    test('under refusal Place Order leads to a meal that came to conflict, and another one is chosen', async () => {
      rule('block')
      const hands = await openCart([meal()])
      await said(`${words}. It cannot be ordered.`)
      await press(hands, /Place Order/)
      expect(lineOf('Stew')).toHaveFocus()
      expect(server.asked(placeOrders)).toEqual([])
      expect(screen.queryByRole('button', { name: /^Order It All the Same/ })).not.toBeInTheDocument()
      await press(hands, /^Choose Another Meal/)
      expect(readCart(parent.id)).toEqual([])
      expect(await mealOn('Pizza')).toBeDefined()
    })

    test('under a warning it is asked about, and what is sent says so', async () => {
      rule('warn')
      server.on(placeOrders, placed())
      server.on(listMenu, [{ ...peanutStew, discountPrice: '0', discountPercentage: 100 }])
      const hands = await openCart([meal({}, { discountPrice: '0', discountPercentage: 100 })])
      await said(words)
      await press(hands, /Place Order/)
      expect(lineOf('Stew')).toHaveFocus()
      await press(hands, /^Order It All the Same/)
      await press(hands, 'Order It')
      await said(`${words}. You want it all the same.`)
      expectNothingKept()
      await press(hands, /Place Order/)
      await waitFor(() => expect(server.asked(placeOrders)).toHaveLength(1))
      expect(server.asked(placeOrders)[0]?.body).toMatchObject({ cartItems: [{ acknowledged: true }] })
    })

    test('what the server alone knew is marked once it has refused', async () => {
      const free = { discountPrice: '0', discountPercentage: 100 }
      server.on(placeOrders, () =>
        refusal(422, 'lines_refused', 'Some meals cannot be ordered', {
          lines: [
            { index: 0, code: 'allergen_conflict', message: 'Chanda is allergic', allergens: ['peanuts'] },
          ],
        }),
      )
      const hands = await openCart([meal({}, free)])
      rule('warn')
      await press(hands, /Place Order/)
      await said(words)
      expect(screen.getByRole('button', { name: /^Order It All the Same/ })).toBeInTheDocument()
    })
  })
})

describe('allergy conflicts', () => {
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

  const openHome = async () => {
    const hands = openPortal('/', parent)
    const region = within(await screen.findByRole('region', { name: 'Meals to look at' }))
    const line = region.getByRole('button', { name: '1 meal needs a look Contains peanuts' })
    expect(region.getAllByRole('button')).toEqual([line])
    await hands.click(line)
    return { hands, region }
  }
  const openChange = async () => {
    const { hands, region } = await openHome()
    await hands.click(region.getByRole('button', { name: /^Change Meal/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change this meal' }))
    const meal = (await dialog.findByLabelText('Meal')) as HTMLSelectElement
    const offered = () =>
      [...meal.options].filter(({ disabled }) => !disabled).map(({ text }) => text.split(' · ')[0])
    return { hands, dialog, meal, offered, send: dialog.getByRole('button', { name: 'Change Meal' }) }
  }

  test('meals that came to conflict stand on the home page in one line, a press away from what can be done, until they are dealt with', async () => {
    rule('block')
    server.on(listOrders, [inConflict])
    server.on(cancelOrder, () => {
      server.on(listOrders, [order({ status: 'cancelled' })])
      return order({ status: 'cancelled' })
    })
    const { hands, region } = await openHome()
    expect(region.getByText('Contains peanuts – Chanda is allergic')).toBeInTheDocument()
    await hands.click(region.getByRole('button', { name: /^Cancel Order/ }))
    const question = within(await screen.findByRole('dialog', { name: 'Cancel this order?' }))
    await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Meals to look at' })).not.toBeInTheDocument(),
    )
  })

  test('they are listed by the date of the meal, a line a child', async () => {
    rule('block')
    const forBwalya = { studentId: 2, student: { name: 'Bwalya', grade: '8' } as const }
    const change = { allowed: { change: true }, allergens: ['Peanuts'] }
    server.on(listOrders, [
      order({ ...change, id: '3', dayOfWeek: 5 }),
      order({ ...change, id: '1' }),
      order({ ...change, ...forBwalya, id: '2' }),
    ])
    const hands = openPortal('/', parent)
    const region = within(await screen.findByRole('region', { name: 'Meals to look at' }))
    await hands.click(region.getByRole('button', { name: /^3 meals need a look/ }))
    const lines = region.getAllByText(/September 2026|: Stew$/).map(({ textContent }) => textContent)
    expect(lines).toEqual([
      'Monday, 14 September 2026',
      'Chanda: Stew',
      'Bwalya: Stew',
      'Friday, 18 September 2026',
      'Chanda: Stew',
    ])
  })

  test('a meal against the diet stands there too', async () => {
    rule('block')
    server.on(listOrders, [order({ diets: ['halal'], allowed: { change: true } })])
    const hands = openPortal('/', parent)
    const region = within(await screen.findByRole('region', { name: 'Meals to look at' }))
    await hands.click(region.getByRole('button', { name: '1 meal needs a look Not halal' }))
    expect(region.getByText('Not halal – Chanda eats halal')).toBeInTheDocument()
  })

  test('one that nothing can be done about any more says why', async () => {
    rule('block')
    const why = { cancel: 'The orders of this day have closed', change: 'The orders of this day have closed' }
    server.on(listOrders, [
      { ...inConflict, allowed: { cancel: false, change: false, move: false, absent: false }, why },
    ])
    const { region } = await openHome()
    expect(
      region.getByText('The orders of this day have closed. Please contact the tuckshop.'),
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
    expect(send).toHaveAccessibleDescription('Tick “Chanda has it all the same” first')
    await hands.click(dialog.getByRole('checkbox', { name: 'Chanda has it all the same' }))
    expect(send).not.toHaveAccessibleDescription()
    await hands.click(send)
    await waitFor(() => expect(server.asked(changeOrder)).toHaveLength(1))
    expect(server.asked(changeOrder)[0]?.body).toMatchObject({ menuItemId: stew.id, acknowledged: true })
  })
})
