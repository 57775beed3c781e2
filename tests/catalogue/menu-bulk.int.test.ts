import {
  createMenuItem,
  deleteMenuItem,
  getMenuItem,
  itemHasOrders,
  listMenu,
  setArchived,
  setAvailability,
  updateMenuItem,
  validateItems,
  bulkUpload,
  bulkArchive,
  duplicateItems,
  itemsHaveOrders,
} from '#contracts/catalogue'
import type { Principal } from '#platform/http/route'
import { administrator, parent, teacher } from '../support/module-server'
import { cook, startCatalogueOnly } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

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
    expect(copies[0]).toEqual({ ...pie, id: 3, name: 'Pie (Copy)' })
    expect(await school.menu()).toHaveLength(4)
  })

  test('makes none when one of the items is not there', async () => {
    await school.create()
    expect(await school.server.refused(cook, duplicateItems, { body: { itemIds: [1, 404] } })).toMatchObject(
      notFound,
    )
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
