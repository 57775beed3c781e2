import { screen, waitFor, within } from '@testing-library/react'
import { classList, type ClassListEntry } from '#contracts/kitchen'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { paperLunch } from '../../support/paper-lunches'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'

const date = '2026-09-15'
const entries: ClassListEntry[] = [
  paperLunch({ id: '1', student: 'Abel', grade: '9', menuItem: 'Stew' }),
  paperLunch({ id: '2', student: 'Bupe', grade: '2', class: '2B', menuItem: 'Soup', sideDish: 'Rice' }),
  paperLunch({ id: '3', student: 'Chipo', grade: '2', class: '2A', menuItem: 'Stew', allergies: ['Milk'] }),
  paperLunch({ id: '4', student: 'Dalitso', grade: '2', class: '2A', menuItem: 'Soup', sideDish: 'Bread' }),
]

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(getCycleLength, { cycleLength: 4 })
  server.on(listCycles, [])
  server.on(classList, ({ query }) => ({
    date,
    data: entries.filter(({ grade }) => query.grade === undefined || grade === query.grade),
    grades: ['2', '9'] as ClassListEntry['grade'][],
  }))
})
afterEach(forgetToasts)

const open = (more = '&labels=24') => openConsole(`/?list=${date}${more}`, adminWith('kitchen'))
const names = () =>
  screen.getAllByRole('listitem').flatMap((label) => label.querySelector('.label-name')?.textContent ?? [])

test('are opened from the class lists, and lead back to them as they were', async () => {
  const user = open('&grade=2&apart=yes')
  await user.click(await screen.findByRole('button', { name: 'Labels' }))
  expect(await screen.findByText('3 labels on 1 sheet.', { exact: false })).toBeInTheDocument()
  expect(shownAddress()).toBe(`/?list=${date}&grade=2&apart=yes&labels=24`)
  await user.selectOptions(screen.getByLabelText('Start at label'), '7')
  await user.click(screen.getByRole('button', { name: 'Back to class lists' }))
  expect(shownAddress()).toBe(`/?list=${date}&grade=2&apart=yes`)
})

test('say whose lunch it is and what it is, allergies in bold', async () => {
  open()
  const chipo = (await screen.findByText('Chipo')).closest('li') as HTMLElement
  const lines = [...chipo.querySelectorAll('p')].map((line) => line.textContent)
  expect(lines).toEqual([
    'Chipo',
    '2A · Tue 15 Sept',
    'Stew',
    'Chicken · Rape',
    'No onions, table 1',
    'Allergies: Milk',
  ])
  expect(within(chipo).getByText('Allergies: Milk')).toHaveProperty('tagName', 'STRONG')
})

test('of a child that is ill, has declared no allergies, or has a medical note say so', async () => {
  server.on(classList, {
    date,
    data: [paperLunch({ student: 'Abel', absent: true, allergies: [], medicalNote: 'Pen with the nurse' })],
    grades: ['2'],
  })
  open()
  expect(await screen.findByText('Abel · ill')).toBeInTheDocument()
  expect(screen.getByText('No allergies')).toBeInTheDocument()
  expect(screen.getByText('Pen with the nurse')).toBeInTheDocument()
})

test('are sorted by class and name, or by meal, which stands in the address', async () => {
  const user = open()
  await screen.findByText('Chipo')
  expect(names()).toEqual(['Chipo', 'Dalitso', 'Bupe', 'Abel'])
  await user.selectOptions(screen.getByLabelText('Sort by'), 'Meal')
  expect(names()).toEqual(['Dalitso', 'Bupe', 'Chipo', 'Abel'])
  expect(shownAddress()).toBe(`/?list=${date}&labels=24&by=meal`)
})

test('begin at a place of a begun sheet; another kind of sheet is a new one', async () => {
  const user = open('&labels=24&start=23')
  await screen.findByText('4 labels on 2 sheets.', { exact: false })
  const [first] = screen.getAllByRole('list', { name: 'Sheet 1 of 2' })
  expect(first?.firstElementChild).toHaveStyle({ 'grid-column-start': '2', 'grid-row-start': '8' })
  expect(screen.getByLabelText('Start at label')).toHaveProperty('value', '23')
  await user.selectOptions(screen.getByLabelText('Labels on'), 'Sheet of 65, 38.1 × 21.2 mm (L7651)')
  expect(shownAddress()).toBe(`/?list=${date}&labels=65`)
  expect(within(screen.getByLabelText('Start at label')).getAllByRole('option')).toHaveLength(65)
  await user.selectOptions(screen.getByLabelText('Labels on'), 'Roll, 62 × 29 mm')
  expect(screen.queryByLabelText('Start at label')).not.toBeInTheDocument()
  expect(screen.getByText('4 labels.', { exact: false })).toBeInTheDocument()
  expect(shownAddress()).toBe(`/?list=${date}&labels=roll`)
})

test('of an address with choices that are none are those of the usual sheet from its first label on', async () => {
  open('&labels=23&start=99&by=age')
  expect(await screen.findByText('4 labels on 1 sheet.', { exact: false })).toBeInTheDocument()
  expect(screen.getByLabelText('Start at label')).toHaveProperty('value', '')
  expect(names()).toEqual(['Chipo', 'Dalitso', 'Bupe', 'Abel'])
})

test('are narrowed to one class', async () => {
  const user = open()
  await screen.findByText('Abel')
  await user.selectOptions(screen.getByLabelText('Class'), 'Grade 9')
  await waitFor(() => expect(names()).toEqual(['Abel']))
  expect(shownAddress()).toBe(`/?list=${date}&labels=24&grade=9`)
})

test('are printed by the button', async () => {
  const print = jest.spyOn(window, 'print').mockImplementation(() => undefined)
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Print labels' }))
  expect(print).toHaveBeenCalledTimes(1)
})

test('of a day without orders say so', async () => {
  server.on(classList, { date, data: [], grades: [] })
  open()
  expect(await screen.findByText('No labels')).toBeInTheDocument()
  expect(screen.getByText('Nobody has ordered for this day.')).toBeInTheDocument()
})

test('that could not be read say so', async () => {
  server.on(classList, () => refusal(503, 'unavailable', 'The database is away'))
  open()
  expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
})
