import { screen, waitFor, within, act, fireEvent } from '@testing-library/react'
import {
  type MenuItem,
  getMenuItem,
  itemHasOrders,
  setAvailability,
  listMenuItems,
  bulkArchive,
} from '#contracts/catalogue'
import { listConflicts } from '#contracts/order-reports'
import { type FakeServer, fakeServer, refusal } from './fake-server'
import { forgetToasts, openConsole, shownAddress } from './open-console'
import { pageOfMenu, serveMenu, menuItemOf } from './sample-menu'

let server: FakeServer
afterEach(forgetToasts)

describe('menu list', () => {
  let items: MenuItem[]

  beforeEach(() => {
    server = fakeServer()
    items = serveMenu(server)
  })

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

    test('adding and uploading as two buttons, closed', async () => {
      openConsole('/')
      await screen.findByRole('table')
      for (const name of ['Add New Menu Item', 'Bulk Upload'])
        expect(screen.getByRole('button', { name })).toHaveAttribute('aria-expanded', 'false')
      expect(screen.queryByRole('heading', { name: 'Bulk Upload' })).not.toBeInTheDocument()
      expect(screen.queryByLabelText('CSV file')).not.toBeInTheDocument()
    })

    test('what is stated of a diet is a mark beside the dish, what is not stated is none', async () => {
      const diets = { halal: 'yes', vegetarian: 'no', noPork: 'unknown', noBeef: 'no' } as const
      server.on(listMenuItems, pageOfMenu([menuItemOf(1, { diets })]))
      openConsole('/')
      const row = (await screen.findByRole('table', { name: 'Menu items' })).querySelector('tbody tr')!
      const marks = [...row.querySelectorAll('.leading-4')].map(({ textContent }) => textContent)
      expect(marks).toEqual(['Halal', 'Not veg', 'Beef'])
    })

    test('meals with an allergen of the child are one line with their number, each on a press', async () => {
      const nuts = { menuItem: 'Nut Stew', allergens: ['Peanuts'], diets: [] }
      const meal = { student: 'Chipo', date: '2026-09-16', ...nuts }
      server.on(listConflicts, { data: [1, 2, 3, 4, 5].map((at) => ({ ...meal, orderId: `11.${at}` })) })
      const user = openConsole('/')
      const line = await screen.findByText(/^5 meals with something the child is allergic to/)
      const box = line.closest('details')!
      expect(box.open).toBe(false)
      await user.click(line)
      expect(box.open).toBe(true)
      expect(within(box).getAllByText(/Nut Stew for Chipo/)).toHaveLength(5)
    })

    test('dishes with the number of children, where no more may be seen', async () => {
      const dish = { menuItem: 'Nut Stew', date: '2026-09-16' }
      server.on(listConflicts, { data: [{ ...dish, conflicts: 2 }] })
      openConsole('/')
      expect(await screen.findByText(/2 meals with something/)).toBeInTheDocument()
      expect(screen.getByText('2 children')).toBeInTheDocument()
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
      expect(options('Week')).toEqual([
        'All Weeks',
        'Week 1',
        'Week 2',
        'Week 3',
        'Week 4',
        'Week 5',
        'Week 6',
      ])
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
})

describe('menu paging', () => {
  const five = [1, 2, 3, 4, 5].map((id) => menuItemOf(id))

  beforeEach(() => {
    server = fakeServer()
    serveMenu(server)
    // Three a page, which is enough to turn pages.
    server.on(listMenuItems, ({ query }) => pageOfMenu(five, query, 3))
  })

  type Hands = ReturnType<typeof openConsole>
  const press = async (user: Hands, name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }))
  const lastAsked = () => server.asked(listMenuItems).at(-1)?.query
  const head = (name: string) => screen.findByRole('columnheader', { name })
  const sortBy = async (user: Hands, name: string) =>
    user.click(within(await head(name)).getByRole('button', { name }))
  const order = async (name: string) => (await head(name)).getAttribute('aria-sort')

  describe('the order', () => {
    test('is asked of the server by the heads, each way, and stands in the address', async () => {
      const user = openConsole('/?section=menu')
      expect(await order('Price')).toBe('none')
      await sortBy(user, 'Price')
      expect(shownAddress()).toBe('/?section=menu&sort=price')
      expect(await order('Price')).toBe('ascending')
      await waitFor(() => expect(lastAsked()).toMatchObject({ sort: 'price', direction: 'asc' }))
      await sortBy(user, 'Price')
      expect(shownAddress()).toBe('/?section=menu&sort=price&direction=desc')
      expect(await order('Price')).toBe('descending')
      await waitFor(() => expect(lastAsked()).toMatchObject({ sort: 'price', direction: 'desc' }))
      expect(within(await head('Price')).getByRole('button')).toHaveFocus()
      await sortBy(user, 'Item')
      expect(shownAddress()).toBe('/?section=menu&sort=name')
      expect([await order('Item'), await order('Price')]).toEqual(['ascending', 'none'])
    })

    test('of the cards is chosen by its words', async () => {
      const user = openConsole('/?view=grid')
      await user.selectOptions(await screen.findByLabelText('Sort by'), 'Highest price first')
      expect(shownAddress()).toBe('/?view=grid&sort=price&direction=desc')
      await waitFor(() => expect(lastAsked()).toMatchObject({ sort: 'price', direction: 'desc' }))
      await user.selectOptions(screen.getByLabelText('Sort by'), 'Oldest first')
      expect(shownAddress()).toBe('/?view=grid')
    })
  })

  describe('the pages', () => {
    test('follow one another, the page in the address; how many there are in all is said', async () => {
      const user = openConsole('/?sort=name')
      expect(await screen.findByText('Page 1 of 2')).toBeInTheDocument()
      expect(screen.getByText('5 items')).toBeInTheDocument()
      await press(user, 'Next')
      expect(await screen.findByLabelText('Select Item 4')).toBeInTheDocument()
      expect(screen.queryByLabelText('Select Item 1')).not.toBeInTheDocument()
      expect(shownAddress()).toBe('/?sort=name&page=2')
    })

    test('begin anew with another filter, another search and another order', async () => {
      const user = openConsole('/?page=2')
      await user.selectOptions(await screen.findByLabelText('Week'), 'Week 2')
      expect(shownAddress()).toBe('/?week=2')
      await press(user, 'Next')
      await screen.findByLabelText('Select Item 4')
      await sortBy(user, 'Type')
      expect(shownAddress()).toBe('/?week=2&sort=type')
    })

    test('that a shared address names and that are no more lead to the last there is', async () => {
      const user = openConsole('/?page=9')
      expect(await screen.findByText('This page is empty')).toBeInTheDocument()
      await press(user, 'Go to page 2')
      expect(await screen.findByLabelText('Select Item 5')).toBeInTheDocument()
      expect(shownAddress()).toBe('/?page=2')
    })

    test('stay where they are when cards are chosen instead of the table', async () => {
      const user = openConsole('/?page=2')
      await screen.findByLabelText('Select Item 4')
      await user.click(screen.getByRole('radio', { name: 'Grid' }))
      expect(shownAddress()).toBe('/?page=2&view=grid')
      expect(screen.getByLabelText('Select Item 4')).toBeInTheDocument()
    })
  })

  describe('the search', () => {
    afterEach(() => jest.useRealTimers())

    test('begins 300 ms after the last letter and returns to the first page', async () => {
      openConsole('/?page=2')
      const field = await screen.findByLabelText('Search menu items')
      await screen.findByLabelText('Select Item 4')
      jest.useFakeTimers()
      fireEvent.change(field, { target: { value: 'st' } })
      act(() => jest.advanceTimersByTime(299))
      fireEvent.change(field, { target: { value: 'stew ' } })
      act(() => jest.advanceTimersByTime(299))
      expect(shownAddress()).toBe('/?page=2')
      act(() => jest.advanceTimersByTime(1))
      jest.useRealTimers()
      await waitFor(() => expect(shownAddress()).toBe('/?search=stew'))
      await waitFor(() => expect(lastAsked()).toMatchObject({ search: 'stew', page: 1 }))
      expect(field).toHaveProperty('value', 'stew ')
    })

    test('of a shared address is in its field, and goes with Clear Filters', async () => {
      const user = openConsole('/?search=stew&sort=name')
      expect(await screen.findByLabelText('Search menu items')).toHaveProperty('value', 'stew')
      expect(lastAsked()).toMatchObject({ search: 'stew', sort: 'name' })
      await press(user, 'Clear Filters')
      expect(shownAddress()).toBe('/?sort=name')
      expect(screen.getByLabelText('Search menu items')).toHaveProperty('value', '')
    })
  })

  describe('the selection', () => {
    test('is of the page that is shown, and says of how many', async () => {
      server.on(bulkArchive, [])
      const user = openConsole('/')
      const all = await screen.findByRole('checkbox', { name: 'Select all' })
      expect(screen.getByText('Select all 3 on this page')).toBeInTheDocument()
      await user.click(all)
      expect(screen.getByText('3 of 3 on this page selected')).toBeInTheDocument()
      await press(user, 'Archive')
      expect((await screen.findByRole('dialog')).textContent).toContain('Archive 3 menu items?')
      await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Archive' }))
      await waitFor(() => expect(server.asked(bulkArchive)).toHaveLength(1))
      expect(server.asked(bulkArchive)[0]?.body).toEqual({
        itemIds: [1, 2, 3],
        isArchived: true,
      })
    })

    test.each([
      ['another page', async (user: Hands) => press(user, 'Next')],
      ['another order', async (user: Hands) => sortBy(user, 'Price')],
      ['a filter', async (user: Hands) => user.selectOptions(screen.getByLabelText('Day'), 'Friday')],
    ])('is forgotten by %s', async (_name, change) => {
      const user = openConsole('/')
      await user.click(await screen.findByLabelText('Select Item 2'))
      expect(screen.getByText('1 of 3 on this page selected')).toBeInTheDocument()
      await change(user)
      expect(await screen.findByText(/^Select all \d+ on this page$/)).toBeInTheDocument()
      expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
    })

    test('stays when cards are shown instead of the table', async () => {
      const user = openConsole('/')
      await user.click(await screen.findByLabelText('Select Item 2'))
      await user.click(screen.getByRole('radio', { name: 'Grid' }))
      expect(screen.getByText('1 of 3 on this page selected')).toBeInTheDocument()
    })
  })

  test('a menu with everything in the archive says where its items are', async () => {
    server.on(listMenuItems, ({ query }) => pageOfMenu([menuItemOf(1, { isArchived: true })], query))
    openConsole('/')
    expect(await screen.findByText(/Every item is in the archive/)).toBeInTheDocument()
  })
})
