import {
  createMenuItem,
  deleteMenuItem,
  getMenuItem,
  itemHasOrders,
  listMenu,
  setArchived,
  updateMenuItem,
  validateItems,
  itemsHaveOrders,
  setAvailability,
  bulkArchive,
  duplicateItems,
  unknownDiets,
} from '#contracts/catalogue'
import type { ChangeRow } from '#platform/changes'
import { administrator, parent, teacher } from '../support/module-server'
import { cook, soup, startCatalogueOnly, header, pieRow, stewRow } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

const stored = { ...soup, id: 1, price: '30.00', isArchived: false, version: expect.any(String) }
const notFound = { status: 404, code: 'item_not_found', message: 'Item not found' }
const archive = (id: number) =>
  school.server.call(cook, setArchived, { params: { id }, body: { isArchived: true } })

describe('a new item', () => {
  test('is answered as it is stored, its price with two decimals', async () => {
    expect(await school.create()).toEqual(stored)
    expect(await school.menu()).toEqual([stored])
  })

  test('needs only what the form requires', async () => {
    const { name, price, type, categories, weekNumbers, daysOfWeek } = soup
    const body = { name, price, type, categories, weekNumbers, daysOfWeek }
    expect(await school.server.call(cook, createMenuItem, { body })).toEqual({
      ...stored,
      description: null,
      proteinDescriptions: {},
      allergens: null,
      diets: unknownDiets,
      sideDishes: [],
    })
  })

  test('has its custom proteins and texts cleaned', async () => {
    const item = await school.create({
      name: ' Vegetable\u0007 soup\n',
      categories: [' Kapenta ', 'kapenta', 'beef'],
      proteinDescriptions: { Kapenta: 'From\u0007the lake' },
      sideDishes: ['Bread', 'bread'],
      imageUrl: '',
    })
    expect(item).toMatchObject({
      name: 'Vegetable soup',
      categories: ['kapenta', 'beef'],
      proteinDescriptions: { kapenta: 'From the lake' },
      sideDishes: ['Bread'],
      imageUrl: null,
    })
  })

  test.each([
    ['name', { name: '  ' }, 'Name is required'],
    ['name', { name: '\u0001' }, 'Name is required'],
    ['price', { price: '-1' }, 'Price must be a valid positive number with up to 2 decimal places'],
    ['price', { price: '1.234' }, 'Price must be a valid positive number with up to 2 decimal places'],
    ['imageUrl', { imageUrl: 'not a url' }, 'Invalid URL'],
    ['imageUrl', { imageUrl: 'javascript:alert(1)' }, 'Invalid URL'],
    ['type', { type: 'tertiary' }, 'Type must be primary or secondary'],
    ['categories', { categories: [] }, 'Select at least one category'],
    ['weekNumbers', { weekNumbers: [] }, 'Select at least one week'],
    ['weekNumbers.0', { weekNumbers: [7] }, 'Weeks are numbers from 1 to 6'],
    ['daysOfWeek', { daysOfWeek: [] }, 'Select at least one day'],
    ['daysOfWeek.0', { daysOfWeek: [6] }, 'Days are numbers from 1 to 5'],
  ])('is refused at %s for %j', async (field, wrong, message) => {
    const body = { ...soup, ...wrong }
    expect(await school.server.refused(cook, createMenuItem, { body })).toMatchObject({
      status: 422,
      fields: { [field]: message },
    })
    expect(await school.menu()).toEqual([])
  })
})

describe('the menu', () => {
  test('shows administrators archived items too, others none', async () => {
    await school.create()
    await school.create({ name: 'Pie', isAvailable: false })
    await archive(1)
    const names = async (who: typeof parent) =>
      (await school.server.call(who, listMenu)).map(({ name }) => name)
    expect(await names(administrator(13))).toEqual(['Vegetable soup', 'Pie'])
    expect(await names(parent)).toEqual(['Pie'])
    expect(await names(teacher)).toEqual(['Pie'])
  })

  test('shows a single item by the same rule', async () => {
    await school.create()
    const params = { id: 1 }
    expect(await school.server.call(parent, getMenuItem, { params })).toEqual(stored)
    await archive(1)
    expect(await school.server.refused(parent, getMenuItem, { params })).toMatchObject(notFound)
    expect(await school.server.call(cook, getMenuItem, { params })).toEqual({ ...stored, isArchived: true })
    expect(await school.server.refused(cook, getMenuItem, { params: { id: 2 } })).toMatchObject(notFound)
  })

  test('tells who has a discount code what they pay, and nobody else', async () => {
    await school.create({ price: '45.55' })
    school.discounts.set(parent.userId, 10)
    school.discounts.set(teacher.userId, 0)
    const discountedItem = { ...stored, price: '45.55', discountPrice: '41.00', discountPercentage: 10 }
    expect(await school.server.call(parent, listMenu)).toEqual([discountedItem])
    expect(await school.server.call(parent, getMenuItem, { params: { id: 1 } })).toEqual(discountedItem)
    for (const who of [teacher, cook])
      expect(await school.server.call(who, listMenu)).toEqual([{ ...stored, price: '45.55' }])
  })

  test('costs nothing with a full discount', async () => {
    await school.create()
    school.discounts.set(parent.userId, 100)
    expect((await school.server.call(parent, listMenu))[0]?.discountPrice).toBe('0.00')
  })
})

const change = (body: object) => ({ params: { id: 1 }, body })

describe('a changed item', () => {
  const changed = { ...soup, price: '31.5', type: 'secondary' as const, weekNumbers: [6], isAvailable: false }

  test('is what the form says now, still archived if it was', async () => {
    await school.create()
    await archive(1)
    const body = { ...changed, name: 'Soup' }
    expect(await school.server.call(cook, updateMenuItem, change(body))).toEqual({
      ...stored,
      ...body,
      price: '31.50',
      isArchived: true,
    })
  })

  test('keeps its name once it has orders; everything else may change', async () => {
    await school.create()
    school.ordered.add(1)
    expect(
      await school.server.refused(cook, updateMenuItem, change({ ...changed, name: 'Soup' })),
    ).toMatchObject({
      status: 409,
      code: 'name_locked',
      message:
        'This item has orders, so its name cannot be changed. Keep the current name or duplicate the item.',
    })
    expect(await school.menu()).toEqual([stored])
    const sameName = { ...changed, name: ` ${soup.name} ` }
    expect(await school.server.call(cook, updateMenuItem, change(sameName))).toMatchObject({
      name: soup.name,
      price: '31.50',
    })
  })

  test('must be there', async () => {
    expect(await school.server.refused(cook, updateMenuItem, change(soup))).toMatchObject(notFound)
  })
})

describe('whether items have orders', () => {
  test('is told of one item', async () => {
    await school.create()
    const ask = () => school.server.call(cook, itemHasOrders, { params: { id: 1 } })
    expect(await ask()).toEqual({ hasOrders: false })
    school.ordered.add(1)
    expect(await ask()).toEqual({ hasOrders: true })
    expect(await school.server.refused(cook, itemHasOrders, { params: { id: 2 } })).toMatchObject(notFound)
  })

  test('is told of many at once, of unknown ones too', async () => {
    await school.create()
    await school.create({ name: 'Pie' })
    school.ordered.add(2)
    const menuItemIds = [1, 2, 404, 9_007_199_254_740_991]
    expect(await school.server.call(cook, itemsHaveOrders, { body: { menuItemIds } })).toEqual({
      1: false,
      2: true,
      404: false,
      9007199254740991: false,
    })
    expect(await school.server.call(cook, itemsHaveOrders, { body: { menuItemIds: [] } })).toEqual({})
  })
})

describe('deleting', () => {
  const params = { id: 1 }

  test('takes an item without orders off the menu', async () => {
    await school.create()
    expect(await school.server.call(cook, deleteMenuItem, { params })).toEqual({
      message: 'Menu item deleted successfully',
    })
    expect(await school.menu()).toEqual([])
    expect(await school.server.refused(cook, deleteMenuItem, { params })).toMatchObject(notFound)
  })

  test('is refused once the item has orders', async () => {
    await school.create()
    school.ordered.add(1)
    expect(await school.server.refused(cook, deleteMenuItem, { params })).toMatchObject({
      status: 409,
      code: 'item_has_orders',
      message: 'This item has orders, so it cannot be deleted. Archive it instead.',
    })
    expect(await school.menu()).toHaveLength(1)
  })
})

describe('validating a cart', () => {
  test('names what cannot be ordered, by reason', async () => {
    await school.create()
    await school.create({ name: 'Pie', isAvailable: false })
    await school.create({ name: 'Fish' })
    await archive(3)
    const validate = (menuItemIds: number[]) =>
      school.server.call(parent, validateItems, { body: { menuItemIds } })
    expect(await validate([1])).toEqual({ valid: true, unavailable: [], archived: [], missing: [] })
    expect(await validate([1, 2, 3, 404, 4_000_000_000])).toEqual({
      valid: false,
      unavailable: ['Pie'],
      archived: ['Fish'],
      missing: ['404', '4000000000'],
    })
  })
})

test('siblings are given items as they are, archived ones too', async () => {
  await school.create()
  await archive(1)
  const item = { ...soup, id: 1, price: 3000, isArchived: true, soldOutDates: [] }
  expect(await school.catalogue.itemsByIds([1, 2])).toEqual(new Map([[1, item]]))
})

describe('allergens of an item', () => {
  test('are those of the list, in whatever words they were sent', async () => {
    await school.addAllergen('Mustard')
    const item = await school.create({ allergens: ['Milk and eggs', 'groundnuts', 'Contains: mustard'] })
    expect(item.allergens).toEqual(['Milk', 'Eggs', 'Peanuts', 'Mustard'])
    const none = { params: { id: item.id }, body: { ...soup, allergens: ['none'] } }
    expect((await school.server.call(cook, updateMenuItem, none)).allergens).toEqual([])
  })

  test('that the list does not have are refused until the office adds them', async () => {
    const message = `"Lupin" is not on the school's list of allergens; the nearest is`
    const refused = { status: 422, fields: { allergens: expect.stringContaining(message) } }
    const sent = { body: { ...soup, allergens: ['Milk', 'Lupin'] } }
    expect(await school.server.refused(cook, createMenuItem, sent)).toMatchObject(refused)
    const item = await school.create()
    const lupin = { params: { id: item.id }, body: { ...soup, allergens: ['Lupin'] } }
    expect(await school.server.refused(cook, updateMenuItem, lupin)).toMatchObject(refused)
    expect((await school.menu())[0]!.allergens).toEqual(['Wheat'])
    await school.addAllergen('Lupin')
    expect((await school.server.call(cook, updateMenuItem, lupin)).allergens).toEqual(['Lupin'])
  })

  test('that stand there in other words since before are shown by the names of the list', async () => {
    await school.create()
    await school.database.knex('catalogue.menu_items').update({ allergens: ['Milk;Groundnuts'] })
    expect((await school.menu())[0]!.allergens).toEqual(['Milk', 'Peanuts'])
  })

  test('stay where a change does not speak of them', async () => {
    const item = await school.create()
    const { allergens: _left, ...rest } = soup
    const changed = await school.server.call(cook, updateMenuItem, {
      params: { id: item.id },
      body: { ...rest, price: '31' },
    })
    expect(changed).toMatchObject({ price: '31.00', allergens: ['Wheat'] })
  })
})

describe('diets of an item', () => {
  test('are unknown until they are stated, and stay where a change does not speak of them', async () => {
    const { diets: _unsaid, ...silent } = soup
    const item = await school.server.call(cook, createMenuItem, { body: silent })
    expect(item.diets).toEqual(unknownDiets)
    const params = { id: item.id }
    const stated = { ...unknownDiets, halal: 'yes', noBeef: 'no' }
    const body = { ...soup, diets: { halal: 'yes', noBeef: 'no' } }
    expect(await school.server.call(cook, updateMenuItem, { params, body })).toMatchObject({ diets: stated })
    expect(await school.menu()).toMatchObject([{ diets: stated }])
    expect(await school.server.call(cook, updateMenuItem, { params, body: silent })).toMatchObject({
      diets: stated,
    })
    const [copy] = await school.server.call(cook, duplicateItems, { body: { itemIds: [item.id] } })
    expect(copy).toMatchObject({ diets: stated })
    expect(await school.catalogue.contentsOfItems()).toEqual(
      new Map([item.id, copy!.id].map((id) => [id, { allergens: ['Wheat'], diets: stated }])),
    )
  })

  test.each([{ halal: 'maybe' }, { hallal: 'yes' }])('%j is refused', async (diets) => {
    const body = { ...soup, diets } as never
    expect(await school.server.refused(cook, createMenuItem, { body })).toMatchObject({ status: 422 })
  })
})

/** What was written down since the last look, in order. */
const changes = async () => {
  const rows: ChangeRow[] = await school.database.knex('platform.changes').orderBy('seq')
  await school.database.knex('platform.changes').delete()
  for (const { actor, change } of rows)
    expect([actor, change.kind]).toEqual([`user:${cook.userId}`, 'catalogue'])
  return rows.map(({ change: { what, old, new: now } }) => [what, old, now])
}

test('every change of an item is written down with the values that differ', async () => {
  const { call } = school.server
  const params = { id: 1 }
  await school.create()
  expect(await changes()).toEqual([
    [
      'Menu item "Vegetable soup" made',
      null,
      { ...soup, price: '30.00', isArchived: false, soldOutDates: [] },
    ],
  ])
  await call(cook, updateMenuItem, { params, body: { ...soup, price: '35' } })
  await call(cook, updateMenuItem, { params, body: { ...soup, price: '35' } })
  await call(cook, setAvailability, { params, body: { isAvailable: false } })
  await call(cook, duplicateItems, { body: { itemIds: [1] } })
  await call(cook, bulkArchive, { body: { itemIds: [1], isArchived: true } })
  await call(cook, deleteMenuItem, { params: { id: 2 } })
  expect(await changes()).toEqual([
    ['Menu item "Vegetable soup" changed', { price: '30.00' }, { price: '35.00' }],
    ['Menu item "Vegetable soup" changed', { isAvailable: true }, { isAvailable: false }],
    ['Menu item "Vegetable soup (Copy)" made', null, expect.objectContaining({ price: '35.00' })],
    ['Menu item "Vegetable soup" changed', { isArchived: false }, { isArchived: true }],
    ['Menu item "Vegetable soup (Copy)" deleted', expect.objectContaining({ price: '35.00' }), null],
  ])
})

test('an upload is one entry, and one for each item that it made or changed', async () => {
  await school.upload(header, stewRow('Stew'), pieRow)
  await changes()
  await school.upload(header, stewRow('Stew', '25'), stewRow('Roast'), pieRow)
  expect(await changes()).toEqual([
    ['Menu uploaded from a file: 1 items made, 2 found there', null, null],
    ['Menu item "Roast" made by upload', null, expect.objectContaining({ price: '20.00' })],
    ['Menu item "Stew" changed by upload', { price: '20.00' }, { price: '25.00' }],
  ])
})

test('what is refused is not written down', async () => {
  await school.server.refused(cook, bulkArchive, { body: { itemIds: [1], isArchived: true } })
  await school.server.refused(cook, deleteMenuItem, { params: { id: 1 } })
  await school.upload(header)
  expect(await changes()).toEqual([])
})
