import {
  setArchived,
  createMenuItem,
  deleteMenuItem,
  getMenuItem,
  itemHasOrders,
  listMenu,
  setAvailability,
  updateMenuItem,
  validateItems,
  listPortions,
  setSoldOut,
} from '#contracts/catalogue'
import {
  type ItemSort,
  itemSorts,
  listMenuItems,
  bulkArchive,
  duplicateItems,
  itemsHaveOrders,
} from '#contracts/menu-list'
import { bulkUpload } from '#contracts/menu-upload'
import type { Principal } from '#platform/http/route'
import { administrator, parent, teacher } from '../support/module-server'
import { cook, startCatalogueOnly, header, soup, soupRow } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
afterAll(() => school.close())

describe('menu list', () => {
  beforeAll(async () => {
    await school.create({ name: 'beef stew', price: '60', categories: ['beef'], description: 'Slow-cooked' })
    await school.create({
      name: 'Porridge',
      price: '20',
      type: 'secondary',
      weekNumbers: [3],
      daysOfWeek: [2],
    })
    await school.create({ name: 'Apple pie', price: '60', isAvailable: false, weekNumbers: [1, 2, 3] })
    await school.create({ name: 'Porridge', price: '20', weekNumbers: [1, 2], daysOfWeek: [3] })
    await school.create({ name: 'Old soup', price: '35', type: 'secondary', weekNumbers: [1, 2] })
    await school.server.call(cook, setArchived, { params: { id: 5 }, body: { isArchived: true } })
  })

  const list = (query = '') => school.server.call(cook, listMenuItems, { query })
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id)

  describe('the list', () => {
    test('has the oldest first, 50 a page, and says how many there are', async () => {
      const { data, metadata, menuSize } = await list()
      expect(data.map(({ name }) => name)).toEqual([
        'beef stew',
        'Porridge',
        'Apple pie',
        'Porridge',
        'Old soup',
      ])
      expect(metadata).toEqual({
        total: 5,
        page: 1,
        pageSize: 50,
        totalPages: 1,
        hasNextPage: false,
        hasPreviousPage: false,
      })
      expect(menuSize).toBe(5)
    })

    const ascending: Record<ItemSort, number[]> = {
      added: [1, 2, 3, 4, 5],
      name: [3, 1, 5, 2, 4],
      type: [1, 3, 4, 2, 5],
      price: [2, 4, 5, 1, 3],
      offered: [1, 5, 4, 3, 2],
      available: [3, 1, 2, 4, 5],
    }

    test.each(itemSorts)('is sorted by %s both ways, equal ones as they came', async (sort) => {
      expect(await ids(`sort=${sort}`)).toEqual(ascending[sort])
      expect(await ids(`sort=${sort}&direction=asc`)).toEqual(ascending[sort])
      expect(await ids(`sort=${sort}&direction=desc`)).toEqual(ascending[sort].toReversed())
    })

    test('is paged after it is sorted; equal ones stand on one page only', async () => {
      const pages = []
      for (const page of [1, 2, 3]) pages.push(await list(`sort=price&pageSize=2&page=${page}`))
      expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([[2, 4], [5, 1], [3]])
      expect(pages[1]?.metadata).toMatchObject({ page: 2, totalPages: 3, hasNextPage: true })
      expect((await list('pageSize=1000')).metadata.pageSize).toBe(100)
      expect((await list('page=9')).data).toEqual([])
    })

    test.each([
      ['search=PORR', [2, 4]],
      ['search=slow-', [1]],
      ['search=beef', [1]],
      ['search=%25', []],
      ['search=', [1, 2, 3, 4, 5]],
      ['archived=true', [5]],
      ['archived=false', [1, 2, 3, 4]],
      ['available=true', [1, 2, 4, 5]],
      ['available=false', [3]],
      ['type=secondary', [2, 5]],
      ['week=3', [2, 3]],
      ['day=2', [2]],
      ['week=1&day=5&archived=false&available=true&type=primary&search=stew', [1]],
    ])('finds by %s', async (query, expected) => {
      const { data, metadata, menuSize } = await list(query)
      expect(data.map(({ id }) => id)).toEqual(expected)
      expect(metadata.total).toBe(expected.length)
      expect(menuSize).toBe(5)
    })

    test('shows prices as they are on the menu, whatever discount the asker has', async () => {
      school.discounts.set(cook.userId, 50)
      expect((await list()).data[0]).toMatchObject({ price: '60.00' })
      expect((await list()).data[0]).not.toHaveProperty('discountPrice')
    })
  })

  test.each([
    'sort=price_ngwee',
    'sort=',
    'direction=up',
    'archived=yes',
    'available=1',
    'type=other',
    'week=7',
    'week=0',
    'day=6',
    'page=-1',
    'pageSize=all',
    `search=${'a'.repeat(101)}`,
  ])('a query of %s is refused', async (query) => {
    const { status, code } = await school.server.refused(cook, listMenuItems, { query })
    expect([status, code]).toEqual([422, 'validation_failed'])
  })

  test('only Menu Management reads it', async () => {
    for (const who of [parent, teacher, administrator(14, 'kitchen')])
      expect((await school.server.refused(who, listMenuItems)).status).toBe(403)
    expect((await school.server.refused(null, listMenuItems)).status).toBe(401)
  })
})

describe('menu bulk', () => {
  beforeEach(() => school.reset())

  const notFound = { status: 404, code: 'item_not_found' }

  describe('duplicating', () => {
    test('makes a copy of each item, in the order asked for, not archived', async () => {
      await school.create()
      const pie = await school.create({ name: 'Pie', isAvailable: false })
      await school.server.call(cook, setArchived, { params: { id: 2 }, body: { isArchived: true } })
      const copies = await school.server.call(cook, duplicateItems, { body: { itemIds: [2, 1, 2] } })
      expect(copies.map(({ id, name }) => [id, name])).toEqual([
        [3, 'Pie (Copy)'],
        [4, 'Vegetable soup (Copy)'],
      ])
      const version = expect.any(String)
      expect(copies[0]).toEqual({ ...pie, id: 3, name: 'Pie (Copy)', version })
      expect(await school.menu()).toHaveLength(4)
    })

    test('makes none when one of the items is not there', async () => {
      await school.create()
      expect(
        await school.server.refused(cook, duplicateItems, { body: { itemIds: [1, 404] } }),
      ).toMatchObject(notFound)
      expect(await school.menu()).toHaveLength(1)
    })
  })

  const flags = (items: { id: number; isArchived: boolean }[]) =>
    items.map((item) => [item.id, item.isArchived])

  describe('availability and archive', () => {
    test('an item is switched off and on', async () => {
      await school.create()
      for (const isAvailable of [false, true])
        expect(
          await school.server.call(cook, setAvailability, { params: { id: 1 }, body: { isAvailable } }),
        ).toMatchObject({ id: 1, isAvailable, isArchived: false })
    })

    test('an item is archived and taken back, with orders too', async () => {
      await school.create()
      school.ordered.add(1)
      for (const isArchived of [true, false])
        expect(
          await school.server.call(cook, setArchived, { params: { id: 1 }, body: { isArchived } }),
        ).toMatchObject({ id: 1, isAvailable: true, isArchived })
    })

    test('an unknown item is refused', async () => {
      const params = { id: 404 }
      expect(
        await school.server.refused(cook, setAvailability, { params, body: { isAvailable: true } }),
      ).toMatchObject(notFound)
      expect(
        await school.server.refused(cook, setArchived, { params, body: { isArchived: true } }),
      ).toMatchObject(notFound)
    })

    test('many are archived and taken back at once', async () => {
      for (const name of ['Soup', 'Pie', 'Fish']) await school.create({ name })
      const setAll = (isArchived: boolean) =>
        school.server.call(cook, bulkArchive, { body: { itemIds: [3, 1, 3], isArchived } })
      expect(flags(await setAll(true))).toEqual([
        [3, true],
        [1, true],
      ])
      expect(flags(await school.menu())).toEqual([
        [1, true],
        [2, false],
        [3, true],
      ])
      expect(flags(await setAll(false))).toEqual([
        [3, false],
        [1, false],
      ])
    })

    test('none is archived when one of them is not there', async () => {
      await school.create()
      const body = { itemIds: [1, 404], isArchived: true }
      expect(await school.server.refused(cook, bulkArchive, { body })).toMatchObject(notFound)
      expect((await school.menu())[0]?.isArchived).toBe(false)
    })
  })

  const statusFor = async (who: Principal | null, { method, path }: { method: string; path: string }) => {
    const body = method === 'GET' ? undefined : {}
    return (await school.server.ask(who, path.replace(':id', '404'), { method, body })).status
  }

  const described = ({ method, path }: { method: string; path: string }) =>
    [`${method} ${path}`, { method, path }] as const

  const forMenu = [
    createMenuItem,
    updateMenuItem,
    itemHasOrders,
    itemsHaveOrders,
    duplicateItems,
    setAvailability,
    setArchived,
    bulkArchive,
    deleteMenuItem,
    bulkUpload,
  ].map(described)

  test.each(forMenu)('%s takes the feature menu', async (_what, endpoint) => {
    expect(await statusFor(null, endpoint)).toBe(401)
    for (const who of [parent, teacher, administrator(14, 'kitchen', 'cycles')])
      expect(await statusFor(who, endpoint)).toBe(403)
    expect([400, 404, 422]).toContain(await statusFor(cook, endpoint))
  })

  test.each([listMenu, getMenuItem, validateItems].map(described))(
    '%s takes any signed-in user',
    async (_what, endpoint) => {
      expect(await statusFor(null, endpoint)).toBe(401)
      for (const who of [parent, teacher, administrator(14)])
        expect([200, 404, 422]).toContain(await statusFor(who, endpoint))
    },
  )
})

describe('portions', () => {
  beforeEach(() => school.reset())

  // A Monday and the Friday of that week; soup is offered on these two days.
  const week = 'from=2026-09-14&to=2026-09-18'
  const portions = async (query = week) => (await school.server.call(parent, listPortions, { query })).data
  const soldOut = (date: string, isSoldOut: boolean, id = 1) =>
    school.server.call(cook, setSoldOut, { params: { id }, body: { date, soldOut: isSoldOut } })

  test('a limited item tells what is left on each day on which it is offered, never less than none', async () => {
    await school.create({ portionLimit: 3 })
    await school.create({ name: 'Free for all' })
    school.taken.set(1, 5)
    expect(await portions()).toEqual([
      { menuItemId: 1, date: '2026-09-14', limit: 3, left: 0 },
      { menuItemId: 1, date: '2026-09-18', limit: 3, left: 3 },
    ])
    await school.server.call(cook, bulkArchive, { body: { itemIds: [1], isArchived: true } })
    expect(await portions()).toEqual([])
  })

  test('a limit is a whole number from 1, is written down, and stays when an update or a file does not say it', async () => {
    await school.create({ portionLimit: 3 })
    for (const portionLimit of [0, -1, 1.5, 100_001])
      expect(
        await school.server.refused(cook, updateMenuItem, {
          params: { id: 1 },
          body: { ...soup, portionLimit },
        }),
      ).toMatchObject({ status: 422, fields: { portionLimit: expect.any(String) } })
    const changed = await school.server.call(cook, updateMenuItem, {
      params: { id: 1 },
      body: { ...soup, portionLimit: 8 },
    })
    expect(changed).toMatchObject({ portionLimit: 8 })
    const { change } = await school.database.knex('platform.changes').orderBy('seq', 'desc').first()
    expect([change.old, change.new]).toEqual([{ portionLimit: 3 }, { portionLimit: 8 }])
    const { portionLimit: _unsaid, ...unlimited } = soup
    const kept = await school.server.call(cook, updateMenuItem, { params: { id: 1 }, body: unlimited })
    expect(kept).toMatchObject({ portionLimit: 8 })
    await school.upload(header, soupRow.replace('Soup', 'Vegetable soup'))
    expect(await school.menu()).toMatchObject([{ portionLimit: 8, sideDishes: ['Bread', 'Salad'] }])
    const cleared = { ...unlimited, portionLimit: null }
    await school.server.call(cook, updateMenuItem, { params: { id: 1 }, body: cleared })
    expect(await school.menu()).toMatchObject([{ portionLimit: null }])
  })

  test('an item is sold out on a date by hand, with or without a limit, until it is allowed again', async () => {
    await school.create()
    school.taken.set(1, 4)
    expect(await soldOut('2026-09-15', true)).toEqual({ orders: 4 })
    await soldOut('2026-09-15', true)
    expect(await portions()).toEqual([{ menuItemId: 1, date: '2026-09-15', limit: null, left: 0 }])
    const rows = await school.database.knex('platform.changes').orderBy('seq')
    expect(rows.slice(1).map(({ change }) => [change.what, change.new])).toEqual([
      ['Menu item "Vegetable soup" changed', { soldOutDates: ['2026-09-15'] }],
    ])
    await school.server.call(cook, updateMenuItem, { params: { id: 1 }, body: { ...soup, price: '31' } })
    expect(await portions()).toHaveLength(1)
    await soldOut('2026-09-15', false)
    expect(await portions()).toEqual([])
  })

  test('what is sold out already and set once more is no change', async () => {
    await school.create()
    for (const date of ['2026-09-22', '2026-09-23', '2026-09-22']) await soldOut(date, true)
    const rows = await school.database.knex('platform.changes').orderBy('seq')
    expect(rows.slice(1).map(({ change }) => change.new)).toEqual([
      { soldOutDates: ['2026-09-22'] },
      { soldOutDates: ['2026-09-22', '2026-09-23'] },
    ])
  })

  test('who has the menu reads also what is taken and which dates were sold out by hand', async () => {
    await school.create({ portionLimit: 3 })
    await school.create({ name: 'Free for all' })
    school.taken.set(1, 2)
    await soldOut('2026-09-14', true, 2)
    await soldOut('2026-09-18', true)
    const { data } = await school.server.call(cook, listPortions, { query: week })
    expect(data).toEqual([
      { menuItemId: 1, date: '2026-09-14', limit: 3, left: 1, taken: 2, soldOut: false },
      { menuItemId: 1, date: '2026-09-18', limit: 3, left: 0, taken: 0, soldOut: true },
      { menuItemId: 2, date: '2026-09-14', limit: null, left: 0, taken: 0, soldOut: true },
    ])
  })

  test('what cannot be asked is refused', async () => {
    const { refused } = school.server
    const body = { date: '2026-09-15', soldOut: true }
    expect(await refused(cook, setSoldOut, { params: { id: 7 }, body })).toMatchObject({ status: 404 })
    const query = 'from=2026-09-14&to=2026-11-15'
    expect(await refused(parent, listPortions, { query })).toMatchObject({ status: 422 })
    const clerk = administrator(11, 'history')
    expect(await refused(clerk, listPortions, { query: week })).toMatchObject({ status: 403 })
  })
})
