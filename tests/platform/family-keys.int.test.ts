import { destroyFamilyKey, familyKeysIn, type FamilyKeys } from '#platform/event-store/sealed-events'
import { testDatabase, type TestDatabase } from '../support/postgres'

let database: TestDatabase
let asked = 0
let keys: FamilyKeys

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

beforeEach(() => {
  asked = 0
  const { pool } = database.database
  keys = familyKeysIn({
    query: ((...query: Parameters<typeof pool.query>) => {
      asked += 1
      return pool.query(...query)
    }) as typeof pool.query,
  })
})

test('who never had a key has none, and gets the same from everybody', async () => {
  expect(await keys.of([1])).toEqual(new Map())
  const made = await keys.madeFor([1])
  expect(made.get(1)).toHaveLength(32)
  expect(await familyKeysIn(database.database.pool).madeFor([1])).toEqual(made)
})

test('a key that was used lately is not asked for again', async () => {
  const made = await keys.madeFor([2])
  asked = 0
  expect(await keys.madeFor([2])).toEqual(made)
  expect(await keys.of([2])).toEqual(made)
  expect(asked).toBe(0)
})

test('a destroyed key is gone once it is forgotten, for good', async () => {
  await keys.madeFor([3])
  await database.database.knex.transaction((transaction) => destroyFamilyKey(transaction, 3))
  keys.forget(3)
  expect(await keys.of([3])).toEqual(new Map([[3, null]]))
  expect(await keys.madeFor([3])).toEqual(new Map([[3, null]]))
})
