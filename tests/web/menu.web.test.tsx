import { screen, waitFor, within, act, fireEvent } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { getCutoff, listCycles } from '#contracts/cycles'
import { myDiscounts } from '#contracts/discounts'
import { listStudents } from '#contracts/identity'
import { listOrders, setAbsence } from '#contracts/ordering'
import { readCart } from '../../web/features/cart/cart'
import { switchToCart } from '../../web/features/cart/cart-buttons'
import { type FakeServer, refusal } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press, shownAddress } from './open-portal'
import { bwalya, chanda, closingAt, cycle, order, parent, staff, stew, teacher, pizza } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const monday = () => dayCard('Monday 14 September')
const meal = async (name: string) => {
  const title = await (await monday()).findByRole('heading', { name })
  return within(title.closest('article')!)
}
const choose = async (hands: ReturnType<typeof openPortal>, label: string, value: string) =>
  hands.selectOptions((await meal('Stew')).getByLabelText(label), value)
const addStew = async (hands: ReturnType<typeof openPortal>) => {
  await choose(hands, 'Protein', 'beef')
  await choose(hands, 'Side dish', 'rice')
  await hands.click((await meal('Stew')).getByRole('button', { name: /^Add / }))
}
const pressAdd = async (hands: ReturnType<typeof openPortal>, name: string) =>
  hands.click((await meal(name)).getByRole('button', { name: /^Add / }))

describe('the calendar', () => {
  test('each control of a meal names child, dish and day', async () => {
    openPortal('/', parent)
    const card = await meal('Stew')
    const of = 'Stew for Chanda, Monday 14 September'
    expect(card.getByRole('combobox', { name: `Protein of ${of}` })).toBeInTheDocument()
    expect(card.getByRole('combobox', { name: `Side dish of ${of}` })).toBeInTheDocument()
    expect(card.getByRole('button', { name: `Add ${of}` })).toHaveTextContent('Add')
  })

  test('every week with its dates; one that is over says so and unfolds', async () => {
    const hands = openPortal('/', parent)
    const over = await screen.findByRole('region', { name: /Week 1 7 – 11 September 2026/ })
    expect(within(over).getByText('Completed')).toBeInTheDocument()
    expect(within(over).queryByText('Monday')).not.toBeInTheDocument()
    await hands.click(within(over).getByRole('button', { name: 'Show days' }))
    expect(within(over).getAllByText('School Closed')).toHaveLength(5)
    const now = screen.getByRole('region', { name: /Week 2 14 – 18 September 2026/ })
    expect(within(now).queryByText('Completed')).not.toBeInTheDocument()
  })

  test('a day shows one face: a meal, nothing, closed by hour or holiday, ordered', async () => {
    server.on(listOrders, [order({ dayOfWeek: 5 }), order({ dayOfWeek: 2, status: 'completed' })])
    openPortal('/', parent)
    expect((await monday()).getByRole('heading', { name: 'Stew' })).toBeInTheDocument()
    expect((await dayCard('Tuesday 15')).getByText('Order Confirmed')).toBeInTheDocument()
    expect((await dayCard('Wednesday 16')).getByText("Today's orders have closed")).toBeInTheDocument()
    expect((await dayCard('Thursday 17')).getByText('School Closed')).toBeInTheDocument()
    expect((await dayCard('Friday 18')).getByText('Order Pending')).toBeInTheDocument()
  })

  describe('the meal of today', () => {
    const today = '2026-09-16'
    const ill = { absentForMs: 3_600_000, absent: true, cancel: false }
    const wednesday = () => dayCard('Wednesday 16')
    const open = (of: Parameters<typeof order>[0]) => {
      server.on(listCycles, [{ ...cycle, today }])
      server.on(listOrders, [order({ dayOfWeek: 3, mealDate: today, status: 'completed', ...of })])
      return openPortal('/', parent)
    }

    test('is reported with one press when the child is ill, and the card says what it gave', async () => {
      const hands = open({ allowed: ill })
      server.on(setAbsence, (call) => {
        const told = order({ dayOfWeek: 3, mealDate: today, absent: true, absenceCredit: 30, allowed: ill })
        server.on(listOrders, [told])
        expect(call.body).toEqual({ absent: true })
        return told
      })
      await hands.click(await (await wednesday()).findByRole('button', { name: /^Ill today/ }))
      expect(await (await wednesday()).findByText('The kitchen knows. K30.00 credit.')).toBeInTheDocument()
      expect((await wednesday()).getByRole('button', { name: /^Not ill after all/ })).toBeInTheDocument()
    })

    test('that gave no credit, says only that the kitchen knows', async () => {
      open({ absent: true, allowed: { cancel: false } })
      expect(await (await wednesday()).findByText('The kitchen knows.')).toBeInTheDocument()
      expect((await wednesday()).queryByRole('button')).not.toBeInTheDocument()
    })

    test('has no such button while it can still be cancelled', async () => {
      open({ allowed: { cancel: true } })
      expect(await (await wednesday()).findByText('Order Confirmed')).toBeInTheDocument()
      expect((await wednesday()).queryByRole('button')).not.toBeInTheDocument()
    })
  })

  test('an open day without a meal says so', async () => {
    openPortal('/', parent)
    expect((await dayCard('Friday 18')).getByText('No meal available')).toBeInTheDocument()
  })

  test('a discounted price beside the old one', async () => {
    server.on(myDiscounts, { account: { code: 'HELP', discountPercentage: 20 }, children: [] })
    server.on(listMenu, [{ ...stew, discountPrice: '36', discountPercentage: 20 }])
    openPortal('/', parent)
    const card = await meal('Stew')
    expect(card.getByText('K45.00').tagName).toBe('S')
    expect(card.getByText('K36.00')).toBeInTheDocument()
    expect(card.getByText('20% OFF')).toBeInTheDocument()
    expect(await screen.findByText('HELP: 20% off')).toBeInTheDocument()
  })

  test('the price of the chosen child where its discount is its own', async () => {
    const children = [{ studentId: chanda.id, discountPercentage: 60 }]
    server.on(myDiscounts, { account: null, children })
    server.on(listMenu, [stew])
    openPortal('/', parent)
    const card = await meal('Stew')
    expect(card.getByText('K45.00').tagName).toBe('S')
    expect(card.getByText('K18.00')).toBeInTheDocument()
    expect(card.getByText('60% OFF')).toBeInTheDocument()
    expect(screen.queryByText(/% off$/)).not.toBeInTheDocument()
  })

  test('without an active cycle there is nothing to order', async () => {
    server.on(listCycles, [{ ...cycle, isActive: false, weeks: undefined }])
    openPortal('/', parent)
    expect(await screen.findByText('No meals to order right now')).toBeInTheDocument()
  })

  test('says until when meals of the same day can be ordered', async () => {
    server.on(getCutoff, { cutoffHour: 7, cutoffMinute: 5, daysBefore: 0, schoolDaysOnly: true })
    const closing = closingAt({ '2026-09-14': '2026-09-14T05:05:00.000Z' })
    server.on(listCycles, [{ ...closing, today: '2026-09-14' }])
    openPortal('/', parent)
    expect(await screen.findByText("Today's meal can be ordered until 07:05.")).toBeInTheDocument()
  })

  test.each([
    ['of the day before it', '2026-09-11T06:00:00.000Z', 'Friday 08:00'],
    ['of weeks before it', '2026-08-21T06:00:00.000Z', 'Friday, 21 August, 08:00'],
  ])(
    'where orders close on a day before, the next meal is named with the cutoff %s',
    async (_when, at, until) => {
      server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0, daysBefore: 1, schoolDaysOnly: true })
      const closing = closingAt({ '2026-09-14': at, '2026-09-16': '2026-09-15T06:00:00.000Z' })
      server.on(listCycles, [{ ...closing, today: '2026-09-10' }])
      openPortal('/', parent)
      expect(await screen.findByText(`Monday's meal can be ordered until ${until}.`)).toBeInTheDocument()
      const wednesday = await dayCard('Wednesday 16 September')
      expect(wednesday.getByText('Orders closed on Tuesday 08:00')).toBeInTheDocument()
    },
  )

  test.each([
    ['after the cutoff', '2026-09-16'],
    ['on a day without school', '2026-09-17'],
    ['on a day without a meal', '2026-09-18'],
    ['on a Sunday', '2026-09-20'],
  ])('says nothing of the cutoff %s', async (_when, today) => {
    server.on(listCycles, [{ ...cycle, today }])
    openPortal('/', parent)
    await monday()
    await waitFor(() => expect(server.asked(getCutoff)).toHaveLength(1))
    expect(screen.queryByText(/can be ordered until/)).not.toBeInTheDocument()
  })

  test('orders that cannot be read count as none, and it says so', async () => {
    server.on(listOrders, () => refusal(500, 'fault', 'It broke'))
    openPortal('/', parent)
    expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
    expect((await meal('Stew')).getByRole('button', { name: /^Add / })).toBeInTheDocument()
  })

  test('a menu that cannot be read can be asked for again', async () => {
    server.on(listMenu, () => refusal(500, 'fault', 'It broke'))
    const hands = openPortal('/', parent)
    await screen.findByText('It broke')
    server.on(listMenu, [stew])
    await press(hands, 'Try again')
    expect((await meal('Stew')).getByText('K45.00')).toBeInTheDocument()
  })

  test('students that cannot be read', async () => {
    server.on(listStudents, () => refusal(500, 'fault', 'It broke'))
    openPortal('/', parent)
    expect(await screen.findByText('Failed to load students. Please try again.')).toBeInTheDocument()
  })
})

describe('adding a meal', () => {
  test('Add waits for the protein and the side, and words say which is missing', async () => {
    const hands = openPortal('/', parent)
    const card = await meal('Stew')
    const add = card.getByRole('button', { name: /^Add / })
    expect(add).toBeDisabled()
    expect(add).toHaveAccessibleDescription('Choose a protein and a side dish first')
    expect(card.getByLabelText('Protein')).toHaveAccessibleDescription(
      'Choose a protein and a side dish first',
    )
    await choose(hands, 'Protein', 'beef')
    expect(card.getByText('Slow-cooked')).toBeInTheDocument()
    expect(card.getByLabelText('Protein')).not.toHaveAccessibleDescription()
    await pressAdd(hands, 'Stew')
    expect(add).toBeDisabled()
    expect(add).toHaveAccessibleDescription('Choose a side dish first')
    expect(readCart(parent.id)).toEqual([])
    await choose(hands, 'Side dish', 'rice')
    expect(add).toBeEnabled()
    expect(add).not.toHaveAccessibleDescription()
    await pressAdd(hands, 'Stew')
    expect(readCart(parent.id)).toHaveLength(1)
  })

  test('needs no choice where the meal offers none', async () => {
    const hands = openPortal('/', parent)
    await pressAdd(hands, 'Pizza')
    expect(readCart(parent.id)).toMatchObject([{ category: null, sideDish: null }])
  })

  test('the only protein and the only side there are, are chosen', async () => {
    server.on(listMenu, [{ ...stew, categories: ['beef'], sideDishes: ['rice'] }])
    const hands = openPortal('/', parent)
    await pressAdd(hands, 'Stew')
    expect(readCart(parent.id)).toMatchObject([{ category: 'beef', sideDish: 'rice' }])
  })

  test('puts it into the cart of this child and this device; Remove takes it out', async () => {
    const hands = openPortal('/', parent)
    await addStew(hands)
    expect(await screen.findByRole('button', { name: 'Go to Cart (1 meal)' })).toBeInTheDocument()
    expect(readCart(parent.id)).toEqual([
      {
        menuItemId: 1,
        menuItem: { id: 1, name: 'Stew', price: '45.00' },
        weekNumber: 2,
        dayOfWeek: 1,
        date: '2026-09-14',
        cycleId: 7,
        studentId: 1,
        student: { id: 1, name: 'Chanda', grade: '3' },
        category: 'beef',
        sideDish: 'rice',
        comments: '',
      },
    ])
    await hands.click((await meal('Stew')).getByRole('button', { name: /^Remove / }))
    expect(readCart(parent.id)).toEqual([])
    expect(screen.queryByRole('button', { name: /Go to Cart/ })).not.toBeInTheDocument()
  })

  test('another meal of a day in the cart is refused', async () => {
    const hands = openPortal('/', parent)
    await addStew(hands)
    await hands.click((await meal('Pizza')).getByRole('button', { name: /^Add / }))
    expect(await screen.findByText('Already in Cart')).toBeInTheDocument()
    expect(screen.getByText('You already have this day in your cart')).toBeInTheDocument()
    expect(readCart(parent.id)).toHaveLength(1)
  })

  test('the bar counts the meals and sums their prices, the buttons go to the cart', async () => {
    const hands = openPortal('/', parent)
    await addStew(hands)
    await hands.click((await dayCard('Tuesday 15')).getByRole('button', { name: /^Add / }))
    expect(await screen.findByText('K85.50')).toBeInTheDocument()
    await press(hands, 'Go to Cart (2 meals)')
    expect(await screen.findByRole('button', { name: /Place Order/ })).toBeInTheDocument()
    expect(shownAddress()).toContain('tab=cart')
    expect(screen.getByRole('region', { name: 'Cart' })).toHaveFocus()
    await hands.click(screen.getByRole('tab', { name: /Menu Calendar/ }))
    await hands.click(screen.getByRole('tab', { name: /Cart/ }))
    expect(await screen.findByRole('button', { name: /Place Order/ })).toBeInTheDocument()
    expect(screen.getByRole('tab', { name: /Cart/ })).toHaveFocus()
  })
})

describe('who it is for', () => {
  test('children by name and grade, staff accounts behind their divider', async () => {
    server.on(listStudents, [staff, chanda, bwalya])
    const hands = openPortal('/', parent)
    const picker = within(await screen.findByRole('group', { name: 'Order for' }))
    expect(picker.getAllByRole('radio')).toHaveLength(3)
    expect(picker.getAllByText('Staff Account').length).toBeGreaterThan(1)
    await hands.click(picker.getByRole('radio', { name: /Bwalya/ }))
    expect(screen.getByText(/Now ordering for/).textContent).toBe('Now ordering for Bwalya (Grade 8)')
    expect((await monday()).getByRole('heading', { name: 'Burger' })).toBeInTheDocument()
    expect((await monday()).queryByRole('heading', { name: 'Stew' })).not.toBeInTheDocument()
  })

  test('the bar at the foot changes the child where there is a second one', async () => {
    const hands = openPortal('/', parent)
    await hands.selectOptions(await screen.findByLabelText('Ordering for'), 'Bwalya')
    expect((await monday()).getByRole('heading', { name: 'Burger' })).toBeInTheDocument()
    expect(shownAddress()).toContain('student=2')
  })

  test('the bar names an only child, and offers no other', async () => {
    server.on(listStudents, [chanda])
    openPortal('/', parent)
    await monday()
    const bar = within(screen.getByRole('region', { name: 'Your order' }))
    expect(bar.getByText('Chanda')).toBeInTheDocument()
    expect(screen.queryByLabelText('Ordering for')).not.toBeInTheDocument()
  })

  test('without a child the first one is asked for', async () => {
    server.on(listStudents, [])
    const hands = openPortal('/', parent)
    await press(hands, 'Add your first child')
    expect(await screen.findByText('Add New Student')).toBeInTheDocument()
  })

  test("a teacher orders the big ones' menu for themselves, without sides", async () => {
    server.on(listStudents, [{ ...staff, parent_id: 6, parentId: 6 }])
    server.on(listOrders, { data: [] })
    const hands = openPortal('/', teacher)
    const card = await meal('Burger')
    expect(card.queryByLabelText('Side dish')).not.toBeInTheDocument()
    await hands.selectOptions(card.getByLabelText('Protein'), 'beef')
    await hands.click(card.getByRole('button', { name: /^Add / }))
    expect(readCart(teacher.id)[0]).toMatchObject({
      studentId: 3,
      student: { name: 'banda' },
      sideDish: null,
    })
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Menu Calendar',
      'Order History',
    ])
    await press(hands, 'Go to Cart (1 meal)')
    expect(await screen.findByRole('button', { name: /Place Order/ })).toBeInTheDocument()
    await press(hands, 'Back to Menu Calendar')
    await waitFor(() => expect(shownAddress()).toBe('/?tab=menu'))
    expect(server.asked(listOrders)[0]?.query).toEqual({ includeAll: 'true', unpaginated: 'true' })
  })
})

const mealOn = async (day: string, name: string) => {
  const title = await (await dayCard(day)).findByRole('heading', { name })
  return within(title.closest('article')!)
}

describe('at a glance', () => {
  test('an ordered day says what was ordered', async () => {
    server.on(listOrders, [order()])
    openPortal('/', parent)
    const card = await dayCard('Monday 14 September')
    expect(card.getByText('Order Pending')).toBeInTheDocument()
    expect(card.getByText('Stew')).toBeInTheDocument()
    expect(card.getByText('beef · rice')).toBeInTheDocument()
    expect(card.queryByRole('article')).not.toBeInTheDocument()
  })

  test('a day in the cart says so in its heading', async () => {
    const hands = openPortal('/', parent)
    await hands.click((await mealOn('Tuesday 15', 'Pizza')).getByRole('button', { name: /^Add / }))
    expect(await screen.findByRole('heading', { name: /Tuesday 15 September.*In cart/ })).toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: /Monday.*In cart/ })).not.toBeInTheDocument()
  })

  test('a week counts what is ordered, in the cart and open', async () => {
    server.on(listOrders, [order({ dayOfWeek: 5 })])
    const hands = openPortal('/', parent)
    const now = within(await screen.findByRole('region', { name: /Week 2/ }))
    expect(now.getByText('1 ordered')).toBeInTheDocument()
    expect(now.getByText('2 open')).toBeInTheDocument()
    expect(now.queryByText(/in the cart/)).not.toBeInTheDocument()
    await hands.click((await mealOn('Tuesday 15', 'Pizza')).getByRole('button', { name: /^Add / }))
    expect(now.getByText('1 in the cart')).toBeInTheDocument()
    expect(now.getByText('1 open')).toBeInTheDocument()
  })

  test('the weeks to jump to mark the current one', async () => {
    openPortal('/', parent)
    const weeks = within(await screen.findByRole('navigation', { name: 'Weeks' }))
    expect(weeks.getByRole('button', { current: 'date' }).textContent).toBe('Week 2')
    expect(weeks.getAllByRole('button')).toHaveLength(2)
  })

  test('on a weekend no week is the current one', async () => {
    server.on(listCycles, [{ ...cycle, today: '2026-09-19' }])
    openPortal('/', parent)
    const weeks = within(await screen.findByRole('navigation', { name: 'Weeks' }))
    expect(weeks.queryByRole('button', { current: 'date' })).not.toBeInTheDocument()
  })

  test('no day is said to be open before the orders are known', async () => {
    const waiting: ((orders: []) => void)[] = []
    server.on(listOrders, () => new Promise<[]>((resolve) => void waiting.push(resolve)))
    openPortal('/', parent)
    await waitFor(() => expect(waiting).toHaveLength(1))
    expect(screen.queryByRole('region', { name: /Week 2/ })).not.toBeInTheDocument()
    expect(screen.getByText('Loading')).toBeInTheDocument()
    expect(screen.queryByText(/can be ordered until/)).not.toBeInTheDocument()
    await act(async () => waiting[0]!([]))
    expect((await mealOn('Monday 14', 'Stew')).getByText('K45.00')).toBeInTheDocument()
  })

  test('a cutoff that cannot be read says so', async () => {
    server.on(getCutoff, () => refusal(500, 'fault', 'It broke'))
    openPortal('/', parent)
    expect(await screen.findByText('Failed to fetch cutoff time settings')).toBeInTheDocument()
  })
})

describe('a meal', () => {
  test('says what is in it', async () => {
    server.on(listMenu, [{ ...stew, allergens: ['Milk', 'Wheat'] }, pizza])
    openPortal('/', parent)
    expect((await mealOn('Monday 14', 'Stew')).getByText('Contains milk, wheat')).toBeInTheDocument()
    expect((await mealOn('Monday 14', 'Pizza')).queryByText(/^Contains/)).not.toBeInTheDocument()
  })

  test('says after 300 ms over a resting Add what is still to choose', async () => {
    const hands = openPortal('/', parent)
    const card = await mealOn('Monday 14', 'Stew')
    const place = card.getByRole('button', { name: /^Add / }).parentElement!
    jest.useFakeTimers()
    const hover = () => {
      fireEvent.mouseEnter(place)
      act(() => jest.advanceTimersByTime(299))
      expect(card.queryByRole('tooltip')).not.toBeInTheDocument()
      act(() => jest.advanceTimersByTime(1))
    }
    hover()
    expect(card.getByRole('tooltip').textContent).toBe('Choose a protein and a side dish first')
    fireEvent.mouseLeave(place)
    expect(card.queryByRole('tooltip')).not.toBeInTheDocument()
    jest.useRealTimers()
    await hands.selectOptions(card.getByLabelText('Protein'), 'beef')
    await hands.selectOptions(card.getByLabelText('Side dish'), 'rice')
    jest.useFakeTimers()
    hover()
    expect(card.queryByRole('tooltip')).not.toBeInTheDocument()
    jest.useRealTimers()
  })

  test('taken out of the cart stays as it was chosen, and the button keeps the focus', async () => {
    const hands = openPortal('/', parent)
    const card = await mealOn('Monday 14', 'Stew')
    await hands.selectOptions(card.getByLabelText('Protein'), 'beef')
    await hands.selectOptions(card.getByLabelText('Side dish'), 'rice')
    await hands.click(card.getByRole('button', { name: /^Add / }))
    const remove = card.getByRole('button', { name: /^Remove / })
    expect(remove).toHaveFocus()
    expect(card.getByLabelText('Protein').hasAttribute('disabled')).toBe(true)
    await hands.click(remove)
    expect(card.getByLabelText('Protein') as HTMLSelectElement).toHaveValue('beef')
    expect(card.getByRole('button', { name: /^Add / })).toHaveFocus()
  })

  test('of a day already in the cart is shown as it was put there, on a page opened later', async () => {
    const hands = openPortal('/', parent)
    const card = await mealOn('Monday 14', 'Stew')
    await hands.selectOptions(card.getByLabelText('Protein'), 'chicken')
    await hands.selectOptions(card.getByLabelText('Side dish'), 'nshima')
    await hands.click(card.getByRole('button', { name: /^Add / }))
    await hands.click(screen.getByRole('tab', { name: /Students/ }))
    await hands.click(screen.getByRole('tab', { name: /Menu Calendar/ }))
    const again = await mealOn('Monday 14', 'Stew')
    expect(again.getByLabelText('Side dish') as HTMLSelectElement).toHaveValue('nshima')
    await hands.click(again.getByRole('button', { name: /^Remove / }))
    expect(again.getByRole('button', { name: /^Add / }).hasAttribute('disabled')).toBe(false)
  })
})

test('the cart of the bar raises its event for whoever shows the cart', async () => {
  const hands = openPortal('/', parent)
  await mealOn('Monday 14', 'Stew')
  const heard = jest.fn()
  window.addEventListener(switchToCart, heard)
  await press(hands, 'Cart, 0 meals')
  window.removeEventListener(switchToCart, heard)
  expect(heard).toHaveBeenCalledTimes(1)
  expect(await screen.findByText('Your cart is empty')).toBeInTheDocument()
})
