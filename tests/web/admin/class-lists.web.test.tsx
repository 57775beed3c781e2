import { fireEvent, screen, within } from '@testing-library/react'
import { classList } from '#contracts/class-list'
import type { ClassListEntry } from '#contracts/class-list'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { kitchenToday } from '#contracts/ordering'
import { fakeServer, refusal } from './fake-server'
import type { FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
const lunch = (more: Partial<ClassListEntry>): ClassListEntry => ({
  id: '7.11.1.2.1',
  grade: '2',
  student: 'Chipo Banda',
  menuItem: 'Nshima Plate',
  category: 'beef',
  sideDish: 'Rape',
  comments: 'No onions',
  status: 'pending',
  paymentStatus: 'confirmed',
  ...more,
})
const date = '2026-09-15'
const total = {
  weekNumber: 1,
  dayOfWeek: 2,
  mealDate: date,
  menuItemId: 1,
  menuItem: 'Nshima Plate',
  type: 'primary' as const,
  total: 2,
  unpaid: 0,
  completed: 0,
  cancelledLate: 0,
  proteins: [],
  sides: [],
  pendingOrderIds: [],
}

beforeEach(() => {
  server = fakeServer()
  server.on(getCycleLength, { cycleLength: 4 })
  server.on(listCycles, [])
  server.on(kitchenToday, { data: [], metadata: onePage, totals: [total] })
  server.on(classList, {
    date,
    data: [
      lunch({}),
      lunch({ id: '7.12.1.2.1', student: 'Luse Phiri', paymentStatus: 'pending', comments: '' }),
      lunch({ id: '7.13.1.2.1', student: 'Wezi Zulu', grade: '9' }),
    ],
    grades: ['2', '9'],
  })
})
afterEach(forgetToasts)

const open = (address = `/?list=${date}`) => openConsole(address, adminWith('kitchen'))
test('are opened from a day of the kitchen, and lead back to it', async () => {
  const user = open('/')
  await user.click(await screen.findByRole('button', { name: 'Class lists of Tuesday' }))
  expect(await screen.findByRole('heading', { name: 'Tuesday, 15 September 2026' })).toBeTruthy()
  expect(shownAddress()).toBe('/?list=2026-09-15')
  expect(server.asked(classList).map(({ query }) => query)).toEqual([{ date }])
  await user.click(screen.getByRole('button', { name: 'Back to portions' }))
  expect(await screen.findByText('Primary Portions')).toBeTruthy()
})

test('name who gets what, class by class', async () => {
  open()
  const heading = await screen.findByRole('heading', { name: 'Grade 2' })
  const card = within(heading.closest('div.card') as HTMLElement)
  expect(card.getByText('2 lunches')).toBeTruthy()
  expect(
    card
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['Chipo BandaNshima PlatebeefRapeNo onions', 'Luse PhiriNshima Plate · unpaidbeefRape'])
  expect(screen.getByRole('heading', { name: 'Grade 9' })).toBeTruthy()
})

test('can be narrowed to one class', async () => {
  const user = open()
  await screen.findByRole('heading', { name: 'Grade 2' })
  await user.selectOptions(screen.getByLabelText('Class'), 'Grade 9')
  expect(screen.queryByRole('heading', { name: 'Grade 2' })).toBeNull()
  expect(screen.getAllByRole('table')).toHaveLength(1)
})

test('tell on paper when they were printed, by the school’s clock', async () => {
  const print = jest
    .spyOn(window, 'print')
    .mockImplementation(() => fireEvent(window, new Event('beforeprint')) as never)
  const user = open()
  await screen.findByRole('heading', { name: 'Grade 2' })
  await user.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledTimes(1)
  expect(screen.getByText(/^Printed \d+ \w+ \d{4} at \d\d:\d\d$/)).toBeTruthy()
})

test('without orders say so', async () => {
  server.on(classList, { date, data: [], grades: [] })
  open()
  expect(await screen.findByText('No orders found')).toBeTruthy()
})

test('that could not be read say so', async () => {
  server.on(classList, () => refusal(503, 'unavailable', 'The database is away'))
  open()
  expect(await screen.findByText('Failed to fetch orders')).toBeTruthy()
})
