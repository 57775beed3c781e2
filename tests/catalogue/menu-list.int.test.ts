import { setArchived, itemSorts, listMenuItems, type ItemSort } from '#contracts/catalogue'
import { administrator, parent, teacher } from '../support/module-server'
import { cook, startCatalogueOnly } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
  await school.create({ name: 'beef stew', price: '60', categories: ['beef'], description: 'Slow-cooked' })
  await school.create({ name: 'Porridge', price: '20', type: 'secondary', weekNumbers: [3], daysOfWeek: [2] })
  await school.create({ name: 'Apple pie', price: '60', isAvailable: false, weekNumbers: [1, 2, 3] })
  await school.create({ name: 'Porridge', price: '20', weekNumbers: [1, 2], daysOfWeek: [3] })
  await school.create({ name: 'Old soup', price: '35', type: 'secondary', weekNumbers: [1, 2] })
  await school.server.call(cook, setArchived, { params: { id: 5 }, body: { isArchived: true } })
})
afterAll(() => school.close())

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
