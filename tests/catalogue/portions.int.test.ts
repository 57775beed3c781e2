import { updateMenuItem, bulkArchive, listPortions, setSoldOut } from '#contracts/catalogue'
import { administrator, parent } from '../support/module-server'
import { cook, header, soup, soupRow, startCatalogueOnly } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

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
