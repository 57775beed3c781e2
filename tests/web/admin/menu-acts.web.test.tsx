import { screen, waitFor, within } from '@testing-library/react'
import { parse } from 'csv-parse/sync'
import {
  type MenuItem,
  deleteMenuItem,
  setArchived,
  bulkArchive,
  duplicateItems,
  itemsHaveOrders,
  menuItemFields,
  csvColumns,
  unknownDiets,
} from '#contracts/catalogue'
import {
  bodyOf,
  emptyItem,
  valuesOf,
  nameChange,
  nameLockOf,
} from '../../../web/features/catalogue-admin/form/item-values'
import {
  offeredProteins,
  withProtein,
  withSideDish,
} from '../../../web/features/catalogue-admin/form/protein-fields'
import {
  addressWithView,
  filtersInAddress,
  isFiltered,
  noFilters,
  viewInAddress,
} from '../../../web/features/catalogue-admin/list/filter-bar'
import { isCsvFile, sizeInKb, templateCsv } from '../../../web/features/catalogue-admin/upload-card'
import { addressWith } from '../../../web/lib/list-address'
import { type FakeServer, fakeServer, FakeRefusal, refusal } from './fake-server'
import { forgetToasts, openConsole } from './open-console'
import { menuItemOf, serveMenu } from './sample-menu'

describe('menu acts', () => {
  let server: FakeServer
  let items: MenuItem[]

  beforeEach(() => {
    server = fakeServer()
    items = serveMenu(server)
  })
  afterEach(forgetToasts)

  const rowOf = async (name: string) => {
    const box = await screen.findByLabelText(`Select ${name}`)
    return within(box.closest('tr') as HTMLElement)
  }

  const dialog = () => screen.findByRole('dialog')
  const press = async (user: ReturnType<typeof openConsole>, name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }))

  const choose = async (user: ReturnType<typeof openConsole>, ...names: string[]) => {
    for (const name of names) await user.click(await screen.findByLabelText(`Select ${name}`))
  }

  describe('leaving the menu', () => {
    test('whether items have orders is asked once for all of the page', async () => {
      openConsole('/')
      await screen.findByRole('button', { name: 'Archive Beef Stew' })
      expect(server.asked(itemsHaveOrders).map(({ body }) => body)).toEqual([{ menuItemIds: [1, 2, 4] }])
    })

    test('an item without orders is deleted after a question', async () => {
      server.on(deleteMenuItem, ({ params }) => {
        items.splice(
          items.findIndex((item) => item.id === params.id),
          1,
        )
        return { message: 'Menu item deleted' }
      })
      const user = openConsole('/')
      await press(user, 'Delete Fish Cakes')
      expect((await dialog()).textContent).toContain('“Fish Cakes” is removed for good')
      await press(user, 'Delete')
      expect(await screen.findByText('Menu item deleted successfully')).toBeInTheDocument()
      await waitFor(() => expect(screen.queryByLabelText('Select Fish Cakes')).not.toBeInTheDocument())
      expect(server.asked(deleteMenuItem).map(({ params }) => params)).toEqual([{ id: 2 }])
    })

    test('nothing is deleted when the question is answered with Cancel', async () => {
      server.on(deleteMenuItem, { message: 'never' })
      const user = openConsole('/')
      await press(user, 'Delete Fish Cakes')
      await press(user, 'Cancel')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(server.asked(deleteMenuItem)).toEqual([])
    })

    test.each([
      [
        'the server says why',
        () => refusal(409, 'item_has_orders', 'This item has orders'),
        'This item has orders',
      ],
      [
        'the server says nothing',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to delete menu item',
      ],
    ])('a refused delete is told: %s', async (_name, answer, text) => {
      server.on(deleteMenuItem, answer)
      const user = openConsole('/')
      await press(user, 'Delete Fish Cakes')
      await press(user, 'Delete')
      expect(await screen.findByText(text)).toBeInTheDocument()
      expect(screen.getByText('Error')).toBeInTheDocument()
    })

    test('an item with orders is archived, not deleted', async () => {
      server.on(setArchived, ({ params, body }) => {
        const item = items.find(({ id }) => id === params.id) as MenuItem
        item.isArchived = (body as { isArchived: boolean }).isArchived
        return item
      })
      const user = openConsole('/')
      await press(user, 'Archive Beef Stew')
      expect(screen.queryByRole('button', { name: 'Delete Beef Stew' })).not.toBeInTheDocument()
      await user.click(within(await dialog()).getByRole('button', { name: 'Archive' }))
      await waitFor(() => expect(screen.queryByLabelText('Select Beef Stew')).not.toBeInTheDocument())
      expect(server.asked(setArchived)[0]).toMatchObject({ params: { id: 1 }, body: { isArchived: true } })
    })

    test('an archived item comes back without a question', async () => {
      server.on(setArchived, () => menuItemOf(3, { isArchived: false }))
      const user = openConsole('/?archived=true')
      await press(user, 'Unarchive Old Soup')
      expect(await screen.findByText('Menu item unarchived successfully')).toBeInTheDocument()
      expect(server.asked(setArchived)[0]).toMatchObject({ params: { id: 3 }, body: { isArchived: false } })
    })

    test('a refused archiving has its own words', async () => {
      server.on(setArchived, () => {
        throw new FakeRefusal(502, null)
      })
      const user = openConsole('/')
      await press(user, 'Archive Beef Stew')
      await user.click(within(await dialog()).getByRole('button', { name: 'Archive' }))
      expect(await screen.findByText('Failed to archive menu item')).toBeInTheDocument()
    })

    test('nothing is offered for deleting while it is not known what has orders', async () => {
      server.on(itemsHaveOrders, () => refusal(503, 'unavailable', 'Orders are being rebuilt'))
      openConsole('/')
      expect(await screen.findByText('Failed to check orders')).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: /^Delete/ })).not.toBeInTheDocument()
      expect((await rowOf('Fish Cakes')).getByRole('button', { name: 'Checking for orders' })).toHaveProperty(
        'disabled',
        true,
      )
    })
  })

  describe('several items together', () => {
    test('are duplicated', async () => {
      server.on(duplicateItems, () => [menuItemOf(8), menuItemOf(9)])
      const user = openConsole('/')
      await choose(user, 'Beef Stew', 'Pancakes')
      expect(screen.getByText('2 selected')).toBeInTheDocument()
      await press(user, 'Duplicate')
      expect(await screen.findByText('Selected menu items duplicated successfully')).toBeInTheDocument()
      expect(server.asked(duplicateItems)[0]?.body).toEqual({ itemIds: [1, 4] })
      expect(screen.getByText('Select all')).toBeInTheDocument()
    })

    test('are archived after a question', async () => {
      server.on(bulkArchive, [])
      const user = openConsole('/')
      await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
      await press(user, 'Archive')
      expect((await dialog()).textContent).toContain('Archive 3 menu items?')
      await user.click(within(await dialog()).getByRole('button', { name: 'Archive' }))
      expect(await screen.findByText('Selected menu items archived successfully')).toBeInTheDocument()
      expect(server.asked(bulkArchive)[0]?.body).toEqual({ itemIds: [1, 2, 4], isArchived: true })
    })

    test('are unarchived', async () => {
      server.on(bulkArchive, [])
      const user = openConsole('/?archived=true')
      await choose(user, 'Old Soup')
      await press(user, 'Unarchive')
      expect(await screen.findByText('Selected menu items unarchived successfully')).toBeInTheDocument()
      expect(server.asked(bulkArchive)[0]?.body).toEqual({ itemIds: [3], isArchived: false })
    })

    test('what is no longer shown is not acted on', async () => {
      server.on(duplicateItems, () => {
        items.splice(
          items.findIndex(({ name }) => name === 'Pancakes'),
          1,
        )
        return refusal(404, 'item_not_found', 'Item not found')
      })
      const user = openConsole('/')
      await choose(user, 'Beef Stew', 'Pancakes')
      await press(user, 'Duplicate')
      expect(await screen.findByText('1 selected')).toBeInTheDocument()
      await press(user, 'Duplicate')
      await waitFor(() => expect(server.asked(duplicateItems)[1]?.body).toEqual({ itemIds: [1] }))
    })

    test('stay chosen when the server refuses', async () => {
      server.on(duplicateItems, () => refusal(404, 'item_not_found', 'Item not found'))
      const user = openConsole('/')
      await choose(user, 'Beef Stew')
      await press(user, 'Duplicate')
      expect(await screen.findByText('Item not found')).toBeInTheDocument()
      expect(screen.getByText('1 selected')).toBeInTheDocument()
    })
  })
})

const item = (id: number, more: Partial<MenuItem> = {}): MenuItem => ({
  id,
  name: `Item ${id}`,
  description: null,
  price: '45.00',
  imageUrl: null,
  type: 'primary',
  categories: ['beef'],
  proteinDescriptions: {},
  weekNumbers: [1, 2],
  daysOfWeek: [1, 3],
  allergens: [],
  diets: unknownDiets,
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
  isArchived: false,
  version: 'filled',
  ...more,
})

const address = (text: string) => new URLSearchParams(text)

describe('filters of the menu', () => {
  test.each([
    ['active items are asked for unless asked otherwise', '', {}],
    ['archived items alone', 'archived=true', { archived: true }],
    ['words', 'search=+fish+', { search: 'fish' }],
    ['a week', 'week=3', { week: 3 }],
    ['a day', 'day=5', { day: 5 }],
    ['available only', 'availability=available', { available: true }],
    ['unavailable only', 'availability=unavailable', { available: false }],
    ['a type', 'type=secondary', { type: 'secondary' }],
    ['filters together', 'week=1&day=1&availability=available', { week: 1, day: 1, available: true }],
    ['values that are no filter are ignored', 'week=9&day=x&availability=maybe&type=all&search=+', {}],
  ])('%s', (_name, search, asked) => {
    expect(filtersInAddress(address(search))).toEqual({ archived: false, ...asked })
  })

  test('the other view of the list stays on its page', () => {
    const grid = addressWithView(address('page=2'), 'grid')
    expect(grid.toString()).toBe('page=2&view=grid')
    expect(viewInAddress(grid)).toBe('grid')
    expect(addressWithView(grid, 'table').toString()).toBe('page=2')
  })

  test('clearing keeps the section, the order and the view, and returns to the first page', () => {
    const filters =
      'archived=true&week=6&day=5&availability=unavailable&type=primary&search=a%26b&section=menu&view=grid&sort=price&page=2'
    const cleared = addressWith(address(filters), noFilters)
    expect(cleared.toString()).toBe('section=menu&view=grid&sort=price')
    expect(isFiltered(filtersInAddress(cleared))).toBe(false)
  })

  test.each(['search=a', 'archived=true', 'week=1', 'day=1', 'availability=available', 'type=primary'])(
    'with %s the list is filtered, by its view it is not',
    (text) => {
      expect(isFiltered(filtersInAddress(address(text)))).toBe(true)
      expect(isFiltered(filtersInAddress(address('view=grid')))).toBe(false)
    },
  )
})

describe('the CSV', () => {
  test('the template has the columns of the upload and two sample rows', async () => {
    const text = await templateCsv()
    for (const line of text.replace('\uFEFF', '').trimEnd().split('\r\n')) expect(line).toMatch(/^".*"$/)
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    expect(rows).toHaveLength(2)
    expect(Object.keys(rows[0] ?? {})).toEqual([...csvColumns])
    expect(rows[0]).toMatchObject({ categories: 'chicken,vegetarian', daysOfWeek: '1,3,5' })
    expect(rows[1]).toMatchObject({ type: 'secondary', allergens: 'none', isAvailable: 'true' })
  })

  test.each([
    ['menu.csv', '', true],
    ['MENU.CSV', 'application/vnd.ms-excel', true],
    ['menu', 'text/csv', true],
    ['menu.xlsx', 'application/vnd.ms-excel', false],
  ])('%s of type "%s" is a CSV: %s', (name, type, expected) => {
    expect(isCsvFile({ name, type })).toBe(expected)
  })

  test('sizes are in KB', () => expect(sizeInKb(1536)).toBe('1.5 KB'))
})

describe('the menu item form', () => {
  test('a custom protein is trimmed, in lower case, not empty and there once', () => {
    expect(withProtein(['beef'], '  Goat ')).toEqual(['beef', 'goat'])
    expect(withProtein(['beef'], ' BEEF ')).toBeNull()
    expect(withProtein(['beef'], '   ')).toBeNull()
    expect(offeredProteins(['goat', 'beef'])).toEqual(['beef', 'chicken', 'vegetarian', 'fish', 'goat'])
  })

  test('an empty or repeated side dish changes nothing', () => {
    expect(withSideDish(['Coleslaw'], '  ')).toEqual(['Coleslaw'])
    expect(withSideDish(['Coleslaw'], 'coleslaw')).toEqual(['Coleslaw'])
    expect(withSideDish(['Coleslaw'], ' Chips ')).toEqual(['Coleslaw', 'Chips'])
  })

  test('the body has lists in order, no image as null and descriptions of chosen proteins only', () => {
    const body = bodyOf({
      ...emptyItem,
      name: ' Stew ',
      price: '60',
      categories: ['beef', 'fish'],
      proteinDescriptions: { beef: ' Tender ', fish: '  ', chicken: 'Not chosen' },
      weekNumbers: [3, 1],
      daysOfWeek: [5, 2],
    })
    expect(body).toMatchObject({
      name: 'Stew',
      imageUrl: null,
      proteinDescriptions: { beef: 'Tender' },
      weekNumbers: [1, 3],
      daysOfWeek: [2, 5],
    })
    expect(menuItemFields.safeParse(body).success).toBe(true)
  })

  test('a saved item goes through the form unchanged', () => {
    const saved = item(7, { description: 'Warm', imageUrl: 'https://example.org/a.jpg' })
    const { id: _id, isArchived: _archived, ...fields } = saved
    expect(bodyOf(valuesOf(saved))).toEqual(fields)
  })
})

describe('the name lock', () => {
  test.each([
    ['a new item', null, undefined, 'open'],
    ['an item without orders', { id: 1 }, false, 'open'],
    ['an item with orders', { id: 1 }, true, 'locked'],
    ['before the server has said', { id: 1 }, undefined, 'unknown'],
  ] as const)('%s', (_name, saved, hasOrders, lock) => {
    expect(nameLockOf(saved, hasOrders)).toBe(lock)
  })

  test('only a change of a locked name asks', () => {
    expect(nameChange('locked', 'Stew', 'Stews')).toBe('ask')
    expect(nameChange('locked', 'Stew', 'Stew')).toBe('take')
    expect(nameChange('open', 'Stew', 'Stews')).toBe('take')
    expect(nameChange('unknown', 'Stew', 'Stews')).toBe('take')
  })
})
