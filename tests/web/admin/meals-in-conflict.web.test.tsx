import { screen } from '@testing-library/react'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { kitchenToday } from '#contracts/kitchen'
import { listConflicts } from '#contracts/order-reports'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(getCycleLength, { cycleLength: 4 })
  server.on(listCycles, [])
  server.on(kitchenToday, { date: '2026-09-15', data: [], metadata: onePage, totals: [], allergies: null })
})
afterEach(forgetToasts)

const open = () => openConsole('/', adminWith('kitchen'))

test('the kitchen reads which meals a child is allergic to, in words', async () => {
  const meal = { orderId: '11.2026-09-16.1', student: 'Chipo', date: '2026-09-16', menuItem: 'Nut Stew' }
  server.on(listConflicts, { data: [{ ...meal, allergens: ['Peanuts', 'Milk'] }] })
  open()
  expect(await screen.findByText('1 meal with something the child is allergic to')).toBeInTheDocument()
  expect(screen.getByText(/Nut Stew for Chipo/)).toHaveTextContent(
    'Wednesday, 16 September 2026: Nut Stew for Chipo contains Peanuts, Milk',
  )
})

test('where that cannot be read it says so', async () => {
  server.on(listConflicts, () => refusal(500, 'fault', 'Something went wrong'))
  open()
  expect(await screen.findByText('Failed to load meals that need a look')).toBeInTheDocument()
})
