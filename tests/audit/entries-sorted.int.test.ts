import { auditEntries, type AuditEntry } from '#contracts/audit'
import type { QueryOf } from '#contracts/endpoint'
import { refused } from '../ordering/canteen'
import { openFinance, type Finance } from './finance'

let school: Finance
let oldestFirst: AuditEntry[]
beforeAll(async () => {
  school = await openFinance()
  await school.settled()
  oldestFirst = await read({ sort: 'time', direction: 'asc' })
})
afterAll(() => school.close())

const read = async (query: QueryOf<typeof auditEntries>) =>
  (await school.bursar.call(auditEntries, { query: { limit: 100, ...query } })).data
const ids = (entries: readonly AuditEntry[]) => entries.map(({ id }) => id)

test('without an order the newest are first, and the other way round on request', async () => {
  expect(oldestFirst.map(({ number }) => number)).toEqual(oldestFirst.map((_, index) => index + 1))
  expect(ids(await read({}))).toEqual(ids(oldestFirst.toReversed()))
})

test('entries are sorted by kind both ways, those of one kind by time', async () => {
  const expected = oldestFirst.toSorted((one, other) =>
    one.kind < other.kind ? -1 : +(one.kind > other.kind),
  )
  expect(new Set(expected.map(({ kind }) => kind)).size).toBeGreaterThan(2)
  expect(ids(await read({ sort: 'kind', direction: 'asc' }))).toEqual(ids(expected))
  expect(ids(await read({ sort: 'kind', direction: 'desc' }))).toEqual(ids(expected.toReversed()))
})

test('entries are sorted by amount both ways, those of the order too; what has none comes last', async () => {
  const sums = oldestFirst
    .filter(({ amount }) => amount !== null)
    .toSorted((one, other) => one.amount! - other.amount!)
  const none = oldestFirst.filter(({ amount }) => amount === null)
  expect(sums.length).toBeGreaterThan(3)
  expect(none.length).toBeGreaterThan(1)
  expect(ids(await read({ sort: 'amount', direction: 'asc' }))).toEqual(ids([...sums, ...none]))
  expect(ids(await read({ sort: 'amount', direction: 'desc' }))).toEqual(
    ids([...sums.toReversed(), ...none.toReversed()]),
  )
})

test('a page goes on where the one before ended, filtered too', async () => {
  const query = { sort: 'amount', direction: 'desc', minAmount: '45.50', limit: 2 } as const
  const all = await read({ ...query, limit: 100 })
  expect(all.every(({ amount }) => amount! >= 45.5)).toBe(true)
  expect(ids(await read({ ...query, page: 2 }))).toEqual(ids(all.slice(2, 4)))
})

test.each([{ sort: 'who' }, { direction: 'up' }, { limit: 101 }])(
  'a query of %j is refused',
  async (query) => {
    expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
  },
)
