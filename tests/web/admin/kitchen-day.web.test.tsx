import { screen, waitFor } from '@testing-library/react'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { kitchenToday, kitchenWeek } from '#contracts/kitchen'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { fakeServer, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
const cook = adminWith('kitchen')
const nothing = { data: [], metadata: onePage, totals: [], allergies: null, date: '2026-09-14' }

beforeEach(() => {
  server = fakeServer()
  server.on(getCycleLength, { cycleLength: 4 })
  server.on(listCycles, [])
  server.on(kitchenToday, nothing)
  server.on(kitchenWeek, nothing)
})
afterEach(forgetToasts)

test('one day of a week is asked of the server and kept in the address', async () => {
  const user = openConsole('/?week=2', cook)
  await user.selectOptions(await screen.findByLabelText('Day'), 'Friday')
  expect(shownAddress()).toBe('/?week=2&day=5')
  await waitFor(() =>
    expect(server.asked(kitchenWeek).at(-1)).toMatchObject({ params: { week: 2 }, query: { day: 5 } }),
  )
  await user.selectOptions(screen.getByLabelText('Day'), 'All Days')
  expect(shownAddress()).toBe('/?week=2')
})

test('today has no choice of days, and takes the day out of the address', async () => {
  const user = openConsole('/?week=2&day=5', cook)
  expect(await screen.findByLabelText('Day')).toHaveProperty('value', '5')
  await user.selectOptions(screen.getByLabelText('View'), "Today's Orders")
  expect(shownAddress()).toBe('/')
  expect(screen.queryByLabelText('Day')).not.toBeInTheDocument()
})

test('a shared address shows its day, and that nothing is ordered for it', async () => {
  openConsole('/?week=3&day=4', cook)
  expect(await screen.findByText('No orders for week 3')).toBeInTheDocument()
  expect(screen.getByText(/Nothing is ordered for Thursday/)).toBeInTheDocument()
  expect(server.asked(kitchenWeek).map(({ query }) => query)).toEqual([{ page: 1, pageSize: 100, day: 4 }])
})

test('the start of the cycle and the time of the last update are by the school’s clock', async () => {
  setSchoolNow('2031-05-06T05:05:00.000Z')
  server.on(listCycles, [
    {
      id: 7,
      isActive: true,
      startDate: '2031-05-05',
      endDate: '2031-05-30',
      cycleLength: 4,
      createdAt: '2031-05-01T08:00:00.000Z',
      blockedDays: [],
    },
  ])
  openConsole('/', cook)
  expect(await screen.findByText('Current cycle start: 5 May 2031')).toBeInTheDocument()
  expect(await screen.findByText(/^Last updated: 07:0\d$/)).toBeInTheDocument()
  setSchoolNow(new Date().toISOString())
})

test('on a day without school the next one is shown, and the screen says which', async () => {
  server.on(kitchenToday, { ...nothing, date: '2031-05-05' })
  openConsole('/', cook)
  expect(
    await screen.findByText('No school today. These are the orders of Monday, 5 May 2031.'),
  ).toBeInTheDocument()
  expect(await screen.findByText('No orders for Monday, 5 May 2031')).toBeInTheDocument()
})

test('an empty week says which', async () => {
  openConsole('/?week=3', cook)
  expect(await screen.findByText('No orders for week 3')).toBeInTheDocument()
})
