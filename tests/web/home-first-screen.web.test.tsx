import { screen, within } from '@testing-library/react'
import { type DayState, listCycles } from '#contracts/cycles'
import { listStudents } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import type { FakeServer } from './admin/fake-server'
import { dayCard, freshPortal, openPortal, press } from './open-portal'
import { chanda, cycle, order, parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const howToOrder = { name: 'How to Order Meals' }
const howTo = () => screen.queryByRole('heading', howToOrder)
const mondayCard = () => screen.getByRole('heading', { name: /Monday 14/ }).parentElement!
const inSeptember = (day: number) => `2026-09-${String(day).padStart(2, '0')}`

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
  days: states.map((state, at) => ({ day: at + 1, date: inSeptember(monday + at), state })),
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
