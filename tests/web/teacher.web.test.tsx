import { screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { listStudents, logout } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { readCart, writeCart } from '../../web/features/cart/cart'
import { refusal, type FakeServer } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press, shownAddress } from './open-portal'
import { mealOn } from './payment-page'
import { burger, chanda, order, pizza, staff, stew, teacher } from './sample-family'

let server: FakeServer
let scrolledTo: unknown
beforeEach(() => {
  server = freshPortal()
  server.on(listStudents, [chanda, { ...staff, parent_id: 6, parentId: 6 }])
  server.on(listOrders, { data: [] })
  scrolledTo = null
  window.scrollTo = ((to: unknown) => {
    scrolledTo = to
  }) as typeof window.scrollTo
})

const ownOrder = (more: object = {}) =>
  order({
    studentId: staff.id,
    student: { name: 'Mrs Mwila', grade: 'teacher' },
    menuItem: { id: burger.id, name: burger.name, type: 'secondary' },
    ...more,
  })
const ownMeal = (dayOfWeek = 1) => mealOn(dayOfWeek, { ...staff, name: 'banda' })
const tab = (name: string) => screen.getByRole('tab', { name })
const isChosen = (name: string) => tab(name).getAttribute('aria-selected') === 'true'

describe('the Teacher Portal', () => {
  test('welcomes by username, lets out, and credits its maker with a logo', async () => {
    server.on(logout, { message: 'ok' })
    const hands = openPortal('/', teacher)
    expect(await screen.findByText('banda')).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Teacher Portal')
    expect(within(screen.getByRole('contentinfo')).getByText('Tuckshop').querySelector('img')).toBeTruthy()
    await press(hands, 'Logout')
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  })

  test('names its maker without a link where the school gives no address', async () => {
    openPortal('/', teacher)
    expect(await within(await screen.findByRole('contentinfo')).findByText('Tuckshop')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Tuckshop' })).not.toBeInTheDocument()
  })

  test('is headed by the own week, a line a day', async () => {
    server.on(listOrders, { data: [ownOrder()] })
    const hands = openPortal('/', teacher)
    const week = within(await screen.findByRole('region', { name: /14–18 Sept$/ }))
    expect(week.getAllByText(/September, banda:/)).toHaveLength(5)
    await hands.click(week.getByRole('button', { name: /^Monday 14 September, banda: .*Burger.*Paid$/ }))
    expect(await screen.findByRole('dialog', { name: 'banda' })).toBeInTheDocument()
  })

  test('opens on the Menu Calendar and turns to the Order History', async () => {
    server.on(listOrders, { data: [ownOrder()] })
    const hands = openPortal('/', teacher)
    await dayCard('Monday 14')
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Menu Calendar',
      'Order History',
    ])
    expect(isChosen('Menu Calendar')).toBe(true)
    expect(document.title).toBe('Menu Calendar · Teacher Portal')
    await hands.click(tab('Order History'))
    expect(
      await screen.findByText('Orders can only be cancelled within 1 hour of placing the order'),
    ).toBeTruthy()
    expect(screen.getByText('Mrs Mwila')).toBeInTheDocument()
    expect(document.title).toBe('Order History · Teacher Portal')
    expect(shownAddress()).toBe('/?tab=orders')
  })

  test('an unknown tab is the Menu Calendar', async () => {
    openPortal('/?tab=students', teacher)
    await dayCard('Monday 14')
    expect(isChosen('Menu Calendar')).toBe(true)
  })

  test('a history without orders leads to the menu', async () => {
    const hands = openPortal('/?tab=orders', teacher)
    await press(hands, 'Browse the menu')
    await dayCard('Monday 14')
    expect(tab('Menu Calendar')).toHaveFocus()
  })

  test.each(['/settings', '/menu/edit/1', '/debug-login', '/anything'])(
    '%s is no page of it',
    async (path) => {
      openPortal(path, teacher)
      expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeInTheDocument()
    },
  )
})

describe('the menu of a teacher', () => {
  test('holds secondary meals alone, without a side dish and without a choice of child', async () => {
    server.on(listMenu, [stew, pizza, burger])
    openPortal('/', teacher)
    const monday = await dayCard('Monday 14')
    expect(monday.getAllByRole('article')).toHaveLength(1)
    expect(monday.getByRole('heading', { name: 'Burger' })).toBeInTheDocument()
    expect(monday.getByLabelText('Protein')).toBeInTheDocument()
    expect(screen.queryByLabelText('Side dish')).not.toBeInTheDocument()
    expect(screen.queryByText('Now ordering for')).not.toBeInTheDocument()
    expect(screen.queryByText('Chanda')).not.toBeInTheDocument()
  })

  test.each([
    ['pending', 'Order Pending'],
    ['completed', 'Order Confirmed'],
  ] as const)('shows a day as ordered by any teacher order that is %s', async (status, words) => {
    server.on(listOrders, { data: [ownOrder({ studentId: 99, status })] })
    openPortal('/', teacher)
    expect((await dayCard('Monday 14')).getByText(words)).toBeInTheDocument()
    expect(server.asked(listOrders)).toHaveLength(1)
    expect(server.asked(listOrders)[0]?.query).toMatchObject({ unpaginated: 'true' })
  })

  test.each([
    ["a child's order", order()],
    ['a cancelled one', ownOrder({ status: 'cancelled' })],
  ])('keeps a day open beside %s', async (_whose, one) => {
    server.on(listOrders, { data: [one] })
    openPortal('/', teacher)
    expect((await dayCard('Monday 14')).getByRole('button', { name: /^Add / })).toBeInTheDocument()
  })

  test('waits for a staff account that is not there, and looks again when asked', async () => {
    server.on(listStudents, [chanda])
    const hands = openPortal('/', teacher)
    expect(await screen.findByText('Your staff account is not ready')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Add / })).not.toBeInTheDocument()
    server.on(listStudents, [chanda, staff])
    await press(hands, 'Check again')
    expect((await dayCard('Monday 14')).getByRole('heading', { name: 'Burger' })).toBeInTheDocument()
  })

  test('that cannot be read for want of the staff account can be asked for again', async () => {
    server.on(listStudents, () => refusal(500, 'fault', 'It broke'))
    const hands = openPortal('/', teacher)
    expect(await screen.findByText('Failed to load students. Please try again.')).toBeInTheDocument()
    server.on(listStudents, [staff])
    await press(hands, 'Try again')
    await dayCard('Monday 14')
  })
})

describe('the cart of a teacher', () => {
  test('opens from the menu, at its top, and is heard of; the tabs stay', async () => {
    writeCart(teacher.id, [ownMeal()])
    const hands = openPortal('/', teacher)
    await press(hands, 'Go to Cart (1 meal)')
    expect(await screen.findByRole('button', { name: /Place Order/ })).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Cart' })).toHaveFocus()
    expect(scrolledTo).toEqual({ top: 0 })
    expect(document.title).toBe('Cart · Teacher Portal')
    expect(isChosen('Menu Calendar')).toBe(true)
    await hands.click(tab('Order History'))
    expect(await screen.findByText('No orders yet')).toBeInTheDocument()
  })

  test.each(['Back to Menu Calendar', 'Browse the menu'])('leads back by %s', async (name) => {
    const hands = openPortal('/?tab=cart', teacher)
    await press(hands, name)
    await dayCard('Monday 14')
    expect(shownAddress()).toBe('/?tab=menu')
    expect(tab('Menu Calendar')).toHaveFocus()
  })

  test("loses the meals of children, chosen before the account became a teacher's, and says so", async () => {
    writeCart(teacher.id, [mealOn(1), ownMeal(2)])
    openPortal('/?tab=cart', teacher)
    expect(await screen.findByText('A teacher account orders for its owner only.')).toBeInTheDocument()
    expect(readCart(teacher.id)).toEqual([ownMeal(2)])
  })

  test('stays as it is while nobody knows the staff account', async () => {
    server.on(listStudents, () => refusal(500, 'fault', 'It broke'))
    writeCart(teacher.id, [ownMeal()])
    openPortal('/?tab=cart', teacher)
    await screen.findByRole('button', { name: /Place Order/ })
    await waitFor(() => expect(server.asked(listStudents)).toHaveLength(1))
    expect(readCart(teacher.id)).toHaveLength(1)
  })
})
