import { screen, within, act, waitFor } from '@testing-library/react'
import { type DayState, listCycles } from '#contracts/cycles'
import { listStudents, logout, contact, getCommunication } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press, shownAddress } from './open-portal'
import { chanda, cycle, order, parent, teacher } from './sample-family'

let server: FakeServer

describe('home first screen', () => {
  beforeEach(() => {
    server = freshPortal()
  })

  const howToOrder = { name: 'How to Order Meals' }
  const howTo = () => screen.queryByRole('heading', howToOrder)
  const mondayCard = () => screen.getByRole('heading', { name: /Monday 14/ }).parentElement!
  const inSeptember = (day: number) => `2026-09-${String(day).padStart(2, '0')}`

  test('the first Tab stop leads past header and menu', async () => {
    const hands = openPortal('/', parent)
    await dayCard('Monday 14')
    await hands.tab()
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
    await hands.keyboard('{Enter}')
    expect(screen.getByRole('main')).toHaveFocus()
    expect(shownAddress()).toBe('/')
  })

  describe('how to order', () => {
    test('shows until the first order was placed', async () => {
      openPortal('/', parent)
      await dayCard('Monday 14')
      expect(await screen.findByRole('heading', howToOrder)).toBeInTheDocument()
    })

    test('is not shown to whoever has ordered, be it long ago or cancelled', async () => {
      server.on(listOrders, [order({ status: 'cancelled', weekNumber: 1 })])
      openPortal('/', parent)
      await dayCard('Monday 14')
      expect(howTo()).not.toBeInTheDocument()
    })

    test('is closed for good, by this account on this device', async () => {
      const hands = openPortal('/', parent)
      await dayCard('Monday 14')
      await press(hands, 'Got it')
      expect(howTo()).not.toBeInTheDocument()
      expect(document.activeElement).not.toBe(document.body)
      await hands.click(screen.getByRole('tab', { name: /Students/ }))
      await hands.click(screen.getByRole('tab', { name: /Menu Calendar/ }))
      await dayCard('Monday 14')
      expect(howTo()).not.toBeInTheDocument()
      expect(localStorage.getItem(`tuckshop-how-to-order-${parent.id}`)).toBe('yes')
    })

    test('shows while there is no child yet', async () => {
      server.on(listStudents, [])
      openPortal('/', parent)
      await screen.findByRole('button', { name: 'Add your first child' })
      expect(await screen.findByRole('heading', howToOrder)).toBeInTheDocument()
    })
  })

  /** Monday to Friday of a week that begins on this day of September 2026, each with this state. */
  const weekFrom = (week: number, monday: number, states: readonly DayState[], completed = false) => ({
    week,
    startDate: inSeptember(monday),
    endDate: inSeptember(monday + 4),
    completed,
    days: states.map((state, at) => {
      const date = inSeptember(monday + at)
      return { day: at + 1, date, state, cutoffAt: `${date}T06:00:00.000Z` }
    }),
  })
  const all = (state: DayState): DayState[] => [state, state, state, state, state]

  describe('what is done is folded', () => {
    test('a week that is fully ordered is one line, and unfolds', async () => {
      const full = [1, 2, 3].map((dayOfWeek) => order({ dayOfWeek, mealDate: `2026-09-${20 + dayOfWeek}` }))
      server.on(listCycles, [
        {
          ...cycle,
          today: '2026-09-14',
          weeks: [
            weekFrom(2, 14, all('open')),
            weekFrom(1, 21, ['open', 'open', 'open', 'blocked', 'blocked']),
          ],
        },
      ])
      server.on(listOrders, full)
      const hands = openPortal('/', parent)
      const week = within(await screen.findByRole('region', { name: /21 – 25 September/ }))
      expect(week.getByText('3 ordered')).toBeInTheDocument()
      expect(week.queryByText('Order Pending')).not.toBeInTheDocument()
      await hands.click(week.getByRole('button', { name: 'Show days' }))
      expect(week.getAllByText('Order Pending')).toHaveLength(3)
    })

    test('a week with a day whose meal is not known yet is not fully ordered', async () => {
      server.on(listCycles, [
        { ...cycle, weeks: [weekFrom(2, 14, ['open', 'blocked', 'blocked', 'blocked', 'open'])] },
      ])
      server.on(listOrders, [order()])
      openPortal('/', parent)
      expect((await dayCard('Friday 18')).getByText('No meal available')).toBeInTheDocument()
    })

    test('several weeks that are over are one line together; the way to one of them shows its days', async () => {
      server.on(listCycles, [
        {
          ...cycle,
          weeks: [
            weekFrom(1, 1, all('past'), true),
            weekFrom(2, 7, all('past'), true),
            weekFrom(3, 14, all('open')),
          ],
        },
      ])
      const hands = openPortal('/', parent)
      const line = await screen.findByRole('button', { name: /Weeks 1 – 2.*Completed/ })
      expect(screen.queryByRole('region', { name: /^Week 1/ })).not.toBeInTheDocument()
      expect(screen.getByRole('region', { name: /^Week 3/ })).toBeInTheDocument()
      await hands.click(line)
      expect(screen.getByRole('region', { name: /^Week 1/ })).toBeInTheDocument()
      await hands.click(line)
      Element.prototype.scrollIntoView = jest.fn()
      const weeks = within(screen.getByRole('navigation', { name: 'Weeks' }))
      await hands.click(weeks.getByRole('button', { name: 'Week 2' }))
      const second = within(screen.getByRole('region', { name: /^Week 2/ }))
      expect(second.getAllByText('School Closed')).toHaveLength(5)
    })

    test('the days before the first that can be ordered are one line where days stand one under another', async () => {
      server.on(listOrders, [order()])
      const hands = openPortal('/', parent)
      const line = await screen.findByRole('button', { name: 'Monday: Order Pending.' })
      expect(line).toHaveAttribute('aria-expanded', 'false')
      expect(mondayCard()).toHaveClass('max-lg:hidden')
      await hands.click(line)
      expect(mondayCard()).not.toHaveClass('max-lg:hidden')
    })

    test("today's meal is not among them: the child may be ill", async () => {
      server.on(listCycles, [{ ...cycle, today: '2026-09-14' }])
      server.on(listOrders, [order()])
      openPortal('/', parent)
      await waitFor(() => expect(mondayCard()).not.toHaveClass('max-lg:hidden'))
      expect(screen.queryByRole('button', { name: 'Monday: Order Pending.' })).not.toBeInTheDocument()
    })
  })

  test('a week that is done for the chosen child is ordered as long as another child has an open day in it', async () => {
    server.on(listStudents, [chanda, { ...chanda, id: 99, name: 'Natasha' }])
    server.on(listCycles, [
      { ...cycle, weeks: [weekFrom(2, 14, ['open', 'blocked', 'blocked', 'blocked', 'blocked'])] },
    ])
    server.on(listOrders, [order()])
    openPortal('/', parent)
    const week = within(await screen.findByRole('region', { name: /14 – 18 September/ }))
    expect(week.getByText('1 ordered')).toBeInTheDocument()
    expect(week.queryByText('1 open')).not.toBeInTheDocument()
    expect(week.getByRole('button', { name: 'Order this week' })).toBeInTheDocument()
  })
})

describe('addresses', () => {
  beforeEach(() => {
    server = freshPortal()
  })
  afterEach(() => jest.useRealTimers())

  const title = () => document.title
  const missing = '404 Page Not Found'

  test.each(['/settings', '/menu/edit/1', '/debug-login', '/anything'])(
    '%s is no page of a parent',
    async (path) => {
      openPortal(path, parent)
      expect(await screen.findByRole('heading', { name: missing })).toBeInTheDocument()
    },
  )

  test('no page of a teacher, and home from there', async () => {
    server.on(listStudents, [])
    server.on(listOrders, { data: [] })
    const hands = openPortal('/settings', teacher)
    await screen.findByRole('heading', { name: missing })
    await hands.click(screen.getByRole('link', { name: 'Return to Home' }))
    expect(await screen.findByText('banda')).toBeInTheDocument()
  })

  test('the tab stands in the address and in the title', async () => {
    const hands = openPortal('/', parent)
    await waitFor(() => expect(title()).toBe('Menu Calendar · Parent & Teacher Portal'))
    await hands.click(screen.getByRole('tab', { name: 'Students' }))
    expect(shownAddress()).toBe('/?tab=students')
    await waitFor(() => expect(title()).toContain('Students'))
  })

  test('tabs turn with the arrow keys', async () => {
    const hands = openPortal('/', parent)
    await screen.findByText('mwila')
    act(() => screen.getByRole('tab', { name: 'Menu Calendar' }).focus())
    await hands.keyboard('{ArrowLeft}')
    expect(screen.getByRole('tab', { name: 'Order History' })).toHaveFocus()
    expect(shownAddress()).toBe('/?tab=orders')
    await hands.keyboard('{Home}')
    expect(shownAddress()).toBe('/?tab=menu')
  })

  describe('logging out', () => {
    test('shows the way in', async () => {
      server.on(logout, { message: 'ok' })
      const hands = openPortal('/', parent)
      await press(hands, 'Logout')
      expect(await screen.findByText('Logged out successfully')).toBeInTheDocument()
      expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
    })

    test('or fails and stays', async () => {
      server.on(logout, () => {
        throw new FakeRefusal(502, null)
      })
      const hands = openPortal('/', parent)
      await press(hands, 'Logout')
      expect(await screen.findByText('Failed to logout')).toBeInTheDocument()
      expect(screen.getByText('mwila')).toBeInTheDocument()
    })
  })

  test('a session that has ended shows the way in', async () => {
    server.on(listStudents, () => refusal(401, 'not_signed_in', 'Not signed in'))
    openPortal('/', parent)
    expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  })

  const afterWaiting = async (query: string) => {
    jest.useFakeTimers()
    openPortal(`/payment/cancel${query}`, parent)
    await act(() => jest.advanceTimersByTimeAsync(500))
    await act(() => jest.advanceTimersByTimeAsync(1499))
    expect(screen.getByRole('heading', { name: 'Payment Cancelled' })).toBeInTheDocument()
    await act(() => jest.advanceTimersByTimeAsync(1))
    return shownAddress()
  }

  describe('a cancelled payment', () => {
    test('goes on to its return address after 1.5 s', async () => {
      expect(await afterWaiting('?returnUrl=%2F%3Ftab%3Dcart')).toBe('/?tab=cart')
    })
    test.each(['', '?returnUrl=https%3A%2F%2Fevil.example', '?returnUrl=%2F%2Fevil.example'])(
      'stays with %s',
      async (query) => {
        expect(await afterWaiting(query)).toBe(`/payment/cancel${query}`)
      },
    )
    test('returns home by hand', async () => {
      const hands = openPortal('/payment/cancel', parent)
      await press(hands, 'Return to Home')
      expect(await screen.findByText('mwila')).toBeInTheDocument()
    })
  })
})

describe('support ways', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(getCommunication, { supportEmail: 'help@school.example', whatsappNumber: '' })
  })

  const open = async (button: string) => {
    const hands = openPortal('/', parent)
    await press(hands, button)
    await screen.findByRole('dialog')
    return hands
  }
  const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

  test('what was written stays while the chat is looked at', async () => {
    const hands = await open('Contact')
    await hands.type(await screen.findByLabelText('Message'), 'Is there fish?')
    await hands.click(screen.getByRole('tab', { name: 'Chat' }))
    await said('WhatsApp support contact information will be available soon.')
    expect(screen.queryByRole('button', { name: 'Send Message' })).not.toBeInTheDocument()
    await hands.click(screen.getByRole('tab', { name: 'By email' }))
    expect(screen.getByLabelText('Message')).toHaveProperty('value', 'Is there fish?')
  })

  test('a message without an answer says to look at the connection, and stays', async () => {
    server.on(contact, () => {
      throw new TypeError('Failed to fetch')
    })
    const hands = await open('Contact')
    await hands.type(await screen.findByLabelText('Message'), 'Is there fish?')
    await press(hands, 'Send Message')
    await said('Error sending message')
    await said('Failed to send email. Please check your connection and try again.')
    expect(screen.getByDisplayValue('Is there fish?')).toBeInTheDocument()
  })

  test('a chat whose number cannot be read can be tried again', async () => {
    server.on(getCommunication, () => refusal(500, 'fault', 'It broke'))
    const hands = await open('Contact')
    await hands.click(screen.getByRole('tab', { name: 'Chat' }))
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument()
    expect(screen.getAllByText('Failed to fetch communication settings')).not.toHaveLength(0)
    server.on(getCommunication, { supportEmail: '', whatsappNumber: '+260 971' })
    await press(hands, 'Try again')
    expect(await screen.findByRole('link', { name: 'Chat on WhatsApp' })).toHaveAttribute('target', '_blank')
  })

  test('the terms have every fact of the school', async () => {
    await open('Terms & Conditions')
    const terms = within(screen.getByRole('dialog', { name: 'Terms & Conditions' }))
    for (const fact of [
      /Orders must be placed before the cutoff\./,
      /Payment is by cash, mobile money or online\./,
      /Meals must be collected within lunch hours\./,
    ])
      expect(terms.getByText(fact)).toBeInTheDocument()
  })

  test('so has the refund policy, with what to do', async () => {
    const hands = await open('Terms & Conditions')
    await press(hands, 'Refund Policy')
    const policy = within(await screen.findByRole('dialog', { name: 'Refund Policy' }))
    expect(policy.getAllByRole('listitem').map((rule) => rule.textContent)).toEqual([
      'A cash refund is available within 1 hour at the canteen.',
      'Mobile money refunds take 3-5 business days.',
      'Requests are processed within 48 hours.',
      'Cancellations before preparation',
      'Absence with notice',
      'Duplicate payment',
      'Wrong orders',
      'Requests made more than 24 hours after the order date',
      'A consumed meal',
      'Requests with missing proof',
    ])
    expect(policy.getByText(/write to us under Contact/)).toBeInTheDocument()
  })
})
