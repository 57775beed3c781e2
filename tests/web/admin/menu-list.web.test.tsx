import { screen, waitFor, within } from '@testing-library/react'
import {
  type MenuItem,
  getMenuItem,
  itemHasOrders,
  setAvailability,
  listMenuItems,
} from '#contracts/catalogue'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { forgetToasts, openConsole, shownAddress } from './open-console'
import { pageOfMenu, serveMenu } from './sample-menu'

let server: FakeServer
let items: MenuItem[]

beforeEach(() => {
  server = fakeServer()
  items = serveMenu(server)
})
afterEach(forgetToasts)

const shownNames = () =>
  screen
    .queryAllByRole('checkbox', { name: /^Select (?!all)/ })
    .map((box) => box.getAttribute('aria-label') ?? '')

const dialog = () => screen.findByRole('dialog')
const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

const switchOf = () => screen.findByRole('switch', { name: 'Beef Stew available' })
const isOn = async () => (await switchOf()).getAttribute('aria-checked')

const options = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole('option')
    .map((option) => option.textContent)

describe('what is shown', () => {
  test('the active items as a table, those of the archive apart', async () => {
    openConsole('/')
    expect(await screen.findByRole('table')).toBeInTheDocument()
    expect(screen.getByLabelText('Select Beef Stew')).toBeInTheDocument()
    expect(screen.queryByLabelText('Select Old Soup')).not.toBeInTheDocument()
    expect(screen.getByText('3 items')).toBeInTheDocument()
  })

  test('the archive by its switch, kept in the address', async () => {
    const user = openConsole('/')
    await user.click(await screen.findByRole('radio', { name: 'Show Archived Items' }))
    expect(await screen.findByLabelText('Select Old Soup')).toBeInTheDocument()
    expect(shownNames()).toHaveLength(1)
    expect(shownAddress()).toBe('/?archived=true')
    await user.click(screen.getByRole('radio', { name: 'Show Active Items' }))
    expect(shownAddress()).toBe('/')
  })

  test('cards instead of the table, kept in the address', async () => {
    const user = openConsole('/?section=menu')
    await user.click(await screen.findByRole('radio', { name: 'Grid' }))
    expect(shownAddress()).toBe('/?section=menu&view=grid')
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Pancakes' })).toBeInTheDocument()
    expect(screen.getByText('Unavailable')).toBeInTheDocument()
  })

  test('what the filters of a shared address leave, and all again after Clear Filters', async () => {
    const user = openConsole('/?week=2&day=3&availability=available')
    await screen.findByLabelText('Select Fish Cakes')
    expect(screen.queryByLabelText('Select Pancakes')).not.toBeInTheDocument()
    await press(user, 'Clear Filters')
    expect(await screen.findByLabelText('Select Pancakes')).toBeInTheDocument()
    expect(shownAddress()).toBe('/')
  })

  test('the choices of the filters are those of the spec', async () => {
    const user = openConsole('/')
    await screen.findByLabelText('Select Beef Stew')
    expect(options('Week')).toEqual(['All Weeks', 'Week 1', 'Week 2', 'Week 3', 'Week 4', 'Week 5', 'Week 6'])
    expect(options('Day')).toEqual(['All Days', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
    expect(options('Availability')).toEqual(['All Items', 'Available Only', 'Unavailable Only'])
    expect(options('Item type')).toEqual(['All Types', 'Primary', 'Secondary'])
    await user.selectOptions(screen.getByLabelText('Availability'), 'Unavailable Only')
    expect(shownAddress()).toBe('/?availability=unavailable')
    await waitFor(() => expect(screen.queryByLabelText('Select Beef Stew')).not.toBeInTheDocument())
  })

  test('that nothing matches', async () => {
    openConsole('/?archived=true&availability=unavailable')
    expect(await screen.findByText('No results found')).toBeInTheDocument()
  })

  test('that the menu is empty, and the way to the first dish', async () => {
    server.on(listMenuItems, pageOfMenu([]))
    const user = openConsole('/')
    expect(await screen.findByText('No menu items yet')).toBeInTheDocument()
    await user.click(screen.getAllByRole('button', { name: 'Add New Menu Item' })[1] as HTMLElement)
    expect(await screen.findByLabelText('Name')).toBeInTheDocument()
  })

  test('that the menu could not be read, and the menu after another try', async () => {
    server.on(listMenuItems, () => refusal(503, 'unavailable', 'The database is away'))
    const user = openConsole('/')
    expect(await screen.findByText('Failed to fetch menu items')).toBeInTheDocument()
    expect(screen.getByText('The database is away')).toBeInTheDocument()
    serveMenu(server)
    await press(user, 'Try again')
    expect(await screen.findByLabelText('Select Beef Stew')).toBeInTheDocument()
  })
})

describe('availability', () => {
  test('is switched at once, before the server has answered', async () => {
    let answer: ((item: MenuItem) => void) | undefined
    server.on(setAvailability, () => new Promise<MenuItem>((resolve) => (answer = resolve)))
    const user = openConsole('/')
    await user.click(await switchOf())
    await waitFor(async () => expect(await isOn()).toBe('false'))
    expect(server.asked(setAvailability)[0]).toMatchObject({
      params: { id: 1 },
      body: { isAvailable: false },
    })
    items[0] = { ...(items[0] as MenuItem), isAvailable: false }
    answer?.(items[0])
    expect(await screen.findByText('Menu item availability updated')).toBeInTheDocument()
    expect(await isOn()).toBe('false')
  })

  test('goes back when the server refuses', async () => {
    server.on(setAvailability, () => refusal(403, 'feature_missing', 'You do not hold this feature'))
    const user = openConsole('/')
    await switchOf()
    server.on(listMenuItems, () => refusal(503, 'unavailable', 'The menu cannot be read again either'))
    await user.click(await switchOf())
    expect(await screen.findByText('You do not hold this feature')).toBeInTheDocument()
    await waitFor(async () => expect(await isOn()).toBe('true'))
  })
})

test('the preview tells everything and leads to the form', async () => {
  server.on(getMenuItem, () => items[0] as MenuItem)
  server.on(itemHasOrders, { hasOrders: true })
  const user = openConsole('/')
  await press(user, 'Preview Beef Stew')
  const words = (await dialog()).textContent
  for (const fact of ['K60.50', 'Beef – Tender chunks', 'Nshima', 'Weeks 1–6, Mon–Fri', 'Milk'])
    expect(words).toContain(fact)
  await press(user, 'Edit Item')
  await waitFor(() => expect(shownAddress()).toBe('/menu/edit/1'))
  expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Beef Stew')
})
