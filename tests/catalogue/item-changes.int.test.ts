import {
  deleteMenuItem,
  setAvailability,
  updateMenuItem,
  bulkArchive,
  duplicateItems,
} from '#contracts/catalogue'
import type { ChangeRow } from '#platform/changes'
import { cook, header, pieRow, soup, startCatalogueOnly, stewRow } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

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
