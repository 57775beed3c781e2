import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { getCutoff, listCycles } from '#contracts/cycles'
import { listOrders } from '#contracts/ordering'
import { switchToCart } from '../../web/features/cart/cart-buttons'
import { refusal, type FakeServer } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press } from './open-portal'
import { cycle, order, parent, pizza, stew } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
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
    await hands.click((await mealOn('Tuesday 15', 'Pizza')).getByRole('button', { name: 'Add' }))
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
    await hands.click((await mealOn('Tuesday 15', 'Pizza')).getByRole('button', { name: 'Add' }))
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
    const place = card.getByRole('button', { name: 'Add' }).parentElement!
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
    await hands.click(card.getByRole('button', { name: 'Add' }))
    const remove = card.getByRole('button', { name: 'Remove' })
    expect(remove).toHaveFocus()
    expect(card.getByLabelText('Protein').hasAttribute('disabled')).toBe(true)
    await hands.click(remove)
    expect(card.getByLabelText('Protein') as HTMLSelectElement).toHaveValue('beef')
    expect(card.getByRole('button', { name: 'Add' })).toHaveFocus()
  })

  test('of a day already in the cart is shown as it was put there, on a page opened later', async () => {
    const hands = openPortal('/', parent)
    const card = await mealOn('Monday 14', 'Stew')
    await hands.selectOptions(card.getByLabelText('Protein'), 'chicken')
    await hands.selectOptions(card.getByLabelText('Side dish'), 'nshima')
    await hands.click(card.getByRole('button', { name: 'Add' }))
    await hands.click(screen.getByRole('tab', { name: /Students/ }))
    await hands.click(screen.getByRole('tab', { name: /Menu Calendar/ }))
    const again = await mealOn('Monday 14', 'Stew')
    expect(again.getByLabelText('Side dish') as HTMLSelectElement).toHaveValue('nshima')
    await hands.click(again.getByRole('button', { name: 'Remove' }))
    expect(again.getByRole('button', { name: 'Add' }).hasAttribute('disabled')).toBe(false)
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
