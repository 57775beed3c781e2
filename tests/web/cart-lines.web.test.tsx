import { screen, waitFor, within, act, cleanup } from '@testing-library/react'
import { listCycles } from '#contracts/cycles'
import { placeOrders, listOrders } from '#contracts/ordering'
import { readCart, attemptKey, writeCart } from '../../web/features/cart/cart'
import { type FakeServer, refusal } from './admin/fake-server'
import { forBwalya, free, freshShop, lineOf, meal, openCart, said, total, placed } from './cart-screen'
import { dayCard, openPortal, press } from './open-portal'
import { openPage, pass, pressNow } from './payment-page'
import { chanda, cycle, parent, stew, order } from './sample-family'

let server: FakeServer

describe('cart lines', () => {
  beforeEach(() => {
    ;({ server } = freshShop())
  })

  const instructions = () => screen.getByLabelText<HTMLTextAreaElement>('Special instructions')

  describe('a meal in the cart', () => {
    test('has its name, day, week, protein, side, price and a text area', async () => {
      await openCart([meal({}, { discountPrice: '40.5', discountPercentage: 10 })])
      await said('Monday, 14 September')
      const line = within(lineOf('Stew'))
      expect(line.getByText(/^Week 2/).textContent).toBe('Week 2 · Beef · Rice')
      expect(line.getByText(/K45\.00/).tagName).toBe('S')
      expect(line.getByText('K40.50')).toBeInTheDocument()
      expect(instructions().tagName).toBe('TEXTAREA')
      expect(
        line.getByRole('button', { name: 'Remove Stew on Monday of week 2 for Chanda' }),
      ).toBeInTheDocument()
    })

    test('without protein and side has its day alone, by name while no cycle is known', async () => {
      server.on(listCycles, [])
      await openCart([meal({ category: null, sideDish: null })])
      expect(within(lineOf('Monday')).getByText(/^Week 2/).textContent).toBe('Week 2')
    })

    test('takes 500 characters of instructions, which are counted', async () => {
      const hands = await openCart([meal({ comments: 'x'.repeat(498) })])
      await said('Instructions, 498 of 500 characters')
      await hands.type(instructions(), 'yyy')
      await said('Instructions, 500 of 500 characters')
      expect(readCart(parent.id)[0]?.comments).toHaveLength(500)
      await hands.clear(instructions())
      expect(screen.queryByText(/of 500 characters/)).not.toBeInTheDocument()
    })

    test('has one row for instructions until there are some', async () => {
      const hands = await openCart([meal()])
      expect(instructions().rows).toBe(1)
      await hands.type(instructions(), 'no onions{Enter}no salt')
      expect(instructions().rows).toBe(2)
    })

    test.each([
      [3, "Today's orders have closed"],
      [4, 'The school is closed on this day'],
    ])('on day %i, which takes no more orders, says why', async (dayOfWeek, words) => {
      await openCart([meal({ dayOfWeek })])
      expect(await screen.findByText(words)).toBeInTheDocument()
    })

    test('of a week gone by says so', async () => {
      await openCart([meal({ weekNumber: 1 })])
      expect(await screen.findByText('This day has passed')).toBeInTheDocument()
    })
  })

  test('what the menu puts into the cart is stored as the specification has it', async () => {
    const hands = openPortal('/', parent)
    const card = await dayCard('Monday')
    const stewCard = within(card.getByText('Stew').closest('article')!)
    await hands.selectOptions(stewCard.getByLabelText('Protein'), 'beef')
    await hands.selectOptions(stewCard.getByLabelText('Side dish'), 'rice')
    await hands.click(stewCard.getByRole('button', { name: /^Add / }))
    await waitFor(() => expect(readCart(parent.id)).toHaveLength(1))
    const { id, name } = stew
    expect(readCart(parent.id)[0]).toMatchObject({
      menuItemId: id,
      menuItem: { id, name, price: '45.00' },
      weekNumber: 2,
      dayOfWeek: 1,
      studentId: chanda.id,
      student: { id: chanda.id, name: 'Chanda', grade: '3' },
      category: 'beef',
      sideDish: 'rice',
      comments: '',
    })
  })

  test('clearing asks with the number of meals, and can be thought better of', async () => {
    const hands = await openCart([meal(), meal({ dayOfWeek: 2 }), meal(forBwalya)])
    await press(hands, 'Clear Cart')
    const dialog = within(await screen.findByRole('dialog', { name: 'Clear the cart?' }))
    expect(dialog.getByText(/^3 meals are taken out of the cart\./)).toBeInTheDocument()
    await hands.click(dialog.getByRole('button', { name: 'Keep Meals' }))
    expect(readCart(parent.id)).toHaveLength(3)
  })

  const removal = (day: string) =>
    screen.getByRole('button', { name: new RegExp(`^Remove Stew on ${day} of week 2 for Chanda`) })

  describe('the focus, when what was pressed is gone,', () => {
    test('is on the meal in its place, and in the empty cart at last', async () => {
      const hands = await openCart([meal(), meal({ dayOfWeek: 2 }), meal({ dayOfWeek: 5 })])
      removal('Tuesday').focus()
      await hands.keyboard('{Enter}')
      expect(removal('Friday')).toHaveFocus()
      await hands.keyboard('{Enter}')
      expect(removal('Monday')).toHaveFocus()
      await hands.keyboard('{Enter}')
      expect(document.activeElement?.textContent).toContain('Your cart is empty')
      expect(document.body).not.toHaveFocus()
    })

    test('is in the empty cart after the question whether to clear it', async () => {
      const hands = await openCart([meal(), meal({ dayOfWeek: 2 })])
      await press(hands, 'Clear Cart')
      const dialog = within(await screen.findByRole('dialog', { name: 'Clear the cart?' }))
      await hands.click(dialog.getByRole('button', { name: 'Clear Cart' }))
      await said('Your cart is empty')
      await waitFor(() => expect(document.body).not.toHaveFocus())
      expect(document.activeElement?.textContent).toContain('Your cart is empty')
    })
  })

  const placeButton = () => screen.getByRole('button', { name: /Place Order/ })

  const refuse = (...lines: object[]) =>
    server.on(placeOrders, () => refusal(422, 'lines_refused', 'Not like this', { lines }))

  describe('meals that the server refuses', () => {
    const offered = { code: 'item_not_offered', message: 'This meal is not offered on this day' }
    const blocked = { code: 'day_blocked', message: 'The school is closed on this day' }
    const cart = [meal({}, free), meal({ dayOfWeek: 2 }, free), meal(forBwalya, free)]

    test('the first of them has the focus', async () => {
      refuse({ index: 2, ...offered })
      const hands = await openCart(cart)
      await press(hands, /Place Order/)
      await said(offered.message)
      await waitFor(() => expect(lineOf(offered.message)).toHaveFocus())
      expect(lineOf(offered.message).textContent).toContain('Monday, 14 September')
      expect(screen.queryByText('Remove it')).not.toBeInTheDocument()
    })

    test('several can be taken out together', async () => {
      refuse({ index: 1, ...blocked }, { index: 2, ...offered })
      const hands = await openCart(cart)
      await press(hands, /Place Order/)
      await said('2 meals cannot be ordered')
      expect(lineOf(blocked.message)).toHaveFocus()
      await press(hands, 'Remove them')
      expect(readCart(parent.id)).toEqual([cart[0]])
      expect(screen.queryByText('2 meals cannot be ordered')).not.toBeInTheDocument()
    })

    test('a meal for a day that is over is found without being sent', async () => {
      server.on(listCycles, [cycle])
      await openCart([meal({ dayOfWeek: 3 }, free), meal({ dayOfWeek: 4 }, free), meal({}, free)])
      await said('2 meals cannot be ordered')
    })

    test('a meal whose day left the calendar costs nothing and is taken out before the others are ordered', async () => {
      server.on(listCycles, [cycle])
      const moved = meal({ dayOfWeek: 2, date: '2026-09-01', cycleId: 3 })
      const hands = await openCart([moved, meal({}, { discountPrice: '40.50', discountPercentage: 10 })])
      await said('This day is no longer on the calendar')
      await total('K40.50')
      await hands.click(placeButton())
      expect(document.activeElement).toHaveTextContent('1 meal cannot be ordered')
      expect(placeButton()).toHaveAccessibleDescription('Remove the meals that cannot be ordered first')
      await press(hands, 'Remove it')
      expect(placeButton()).toHaveAccessibleDescription('')
      expect(placeButton()).toHaveTextContent('Place Order · K40.50')
      expect(readCart(parent.id)).toHaveLength(1)
    })

    test('of a cart with no meal that can be ordered the button says why', async () => {
      server.on(listCycles, [cycle])
      await openCart([meal({ dayOfWeek: 2, date: '2026-09-01' })])
      await said('This day is no longer on the calendar')
      await total('K0.00')
      expect(placeButton()).toHaveTextContent(/^Place Order$/)
      expect(placeButton()).toHaveAccessibleDescription('No meal in the cart can be ordered any more')
    })
  })
})

describe('cart bad line', () => {
  let keys: (string | null)[]
  beforeEach(() => {
    ;({ server, keys } = freshShop())
  })
  afterEach(() => jest.useRealTimers())

  const mayBePlaced = /^Your order may have been placed\. Press Place Order again/
  const connection = (state: 'online' | 'offline') => act(() => void window.dispatchEvent(new Event(state)))
  const lose = () =>
    server.on(placeOrders, () => {
      throw new TypeError('no network')
    })

  describe('without a connection', () => {
    afterEach(() => connection('online'))

    test('nothing is sent, and what to do is said; once it is back the order goes', async () => {
      server.on(placeOrders, placed())
      const hands = await openCart([meal({}, free)])
      connection('offline')
      await press(hands, /Place Order/)
      await said('You are offline')
      await said(/Place the order once the connection is back\.$/)
      expect(document.activeElement?.textContent).toContain('You are offline')
      expect(keys).toHaveLength(0)
      connection('online')
      await said('You are back online')
      await press(hands, /Place Order/)
      await said('Order placed')
    })

    test('the cart can be changed', async () => {
      const hands = await openCart([meal(), meal({ dayOfWeek: 2 })])
      connection('offline')
      await hands.type(screen.getAllByLabelText('Special instructions')[0]!, 'no onions')
      await press(hands, 'Remove Stew on Tuesday of week 2 for Chanda')
      expect(readCart(parent.id)).toEqual([meal({ comments: 'no onions' })])
    })
  })

  describe('an answer that is lost', () => {
    test('is looked for once more at once', async () => {
      let lost = 0
      server.on(placeOrders, () => {
        lost += 1
        if (lost === 1) throw new TypeError('connection reset')
        return placed()
      })
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(keys).toEqual([keys[0], keys[0]])
    })

    test('the order may have been placed: pressing again is the same attempt, and says what was ordered', async () => {
      lose()
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('No answer came')
      await said(mayBePlaced)
      expect(document.activeElement?.textContent).toContain('No answer came')
      expect(server.asked(listOrders)).toHaveLength(1)
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
      await said('1 meal ordered')
      await said(/See it in Order History/)
      expect(new Set(keys).size).toBe(1)
      expect(localStorage.getItem(attemptKey(parent.id))).toBeNull()
    })

    test('is still asked for after the page was closed and opened again', async () => {
      lose()
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('No answer came')
      cleanup()
      const later = openPortal('/?tab=cart', parent)
      await said(mayBePlaced)
      server.on(placeOrders, placed())
      await press(later, /Place Order/)
      await said('Order placed')
      expect(new Set(keys).size).toBe(1)
    })

    test('a changed cart, even when it is changed back, is an attempt of its own', async () => {
      lose()
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('No answer came')
      act(() => writeCart(parent.id, []))
      act(() => writeCart(parent.id, [meal({}, free)]))
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(keys[2]).not.toBe(keys[1])
    })

    test('after a day it is an attempt of its own', async () => {
      lose()
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('No answer came')
      const attempt = JSON.parse(localStorage.getItem(attemptKey(parent.id))!)
      attempt.at -= 86_400_000
      localStorage.setItem(attemptKey(parent.id), JSON.stringify(attempt))
      server.on(placeOrders, placed())
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(keys[2]).not.toBe(keys[1])
    })

    test('an old answer, whose orders were cancelled since, orders nothing: the cart is sent again', async () => {
      let answers = 0
      server.on(placeOrders, () => {
        answers += 1
        return placed([order({ status: answers === 1 ? 'cancelled' : 'pending' })])
      })
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(keys).toHaveLength(2)
      expect(keys[1]).not.toBe(keys[0])
    })

    test('what another tab put into the cart meanwhile stays', async () => {
      server.on(placeOrders, () => {
        writeCart(parent.id, [meal({}, free), meal({ dayOfWeek: 2 }, free)])
        return placed()
      })
      const hands = await openCart([meal({}, free)])
      await press(hands, /Place Order/)
      await said('Order placed')
      expect(readCart(parent.id)).toEqual([meal({ dayOfWeek: 2 }, free)])
    })
  })

  /** Lets orders be sent and never answered; answers what ends that. */
  const hang = () => {
    const network = globalThis.fetch
    globalThis.fetch = (address, init) =>
      address === placeOrders.path && init?.method === 'POST'
        ? new Promise((_, reject) => {
            keys.push(new Headers(init.headers).get('Idempotency-Key'))
            init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
          })
        : network(address, init)
    return () => void (globalThis.fetch = network)
  }

  describe('an answer that never comes', () => {
    test('is waited for with patience, and given up after half a minute; pressing again is safe', async () => {
      jest.useFakeTimers()
      writeCart(parent.id, [meal({}, free)])
      await openPage('/?tab=cart')
      const answerAgain = hang()
      await pressNow('Place Order · Free')
      const busy = screen.getByRole('button', { name: 'Placing order' })
      expect(busy).toHaveAttribute('aria-busy', 'true')
      await pass(6000)
      expect(busy.textContent).toBe('Still waiting for an answer')
      await pass(23_000)
      expect(screen.queryByText('No answer came')).not.toBeInTheDocument()
      await pass(1000)
      expect(screen.getByText(mayBePlaced)).toBeInTheDocument()
      expect(keys).toHaveLength(1)
      answerAgain()
      server.on(placeOrders, placed())
      await pressNow('Place Order · Free')
      expect(screen.getByText('Order placed')).toBeInTheDocument()
      expect(keys).toEqual([keys[0], keys[0]])
    })
  })

  test('a fault of the server says in its words that nobody knows, and the same attempt is sent again', async () => {
    server.on(placeOrders, () => refusal(500, 'internal_error', 'Something went wrong on our side.'))
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('Something went wrong on our side.')
    await said(mayBePlaced)
    server.on(placeOrders, placed())
    await press(hands, /Place Order/)
    await waitFor(() => expect(readCart(parent.id)).toEqual([]))
    expect(keys[1]).toBe(keys[0])
  })

  test('a server whose database is away may have placed the order too: the same attempt is sent again', async () => {
    server.on(placeOrders, () => refusal(503, 'unavailable', 'We cannot reach our records at the moment.'))
    const hands = await openCart([meal({}, free)])
    await press(hands, /Place Order/)
    await said('We cannot reach our records at the moment.')
    await said(mayBePlaced)
    server.on(placeOrders, placed())
    await press(hands, /Place Order/)
    await waitFor(() => expect(readCart(parent.id)).toEqual([]))
    expect(keys[1]).toBe(keys[0])
  })
})
