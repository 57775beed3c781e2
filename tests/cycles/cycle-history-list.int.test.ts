import { deactivateCycle, cycleHistory, cycleSorts, type CycleSort } from '#contracts/cycles'
import { planner, startCyclesOnly } from './cycles-only'

let school: Awaited<ReturnType<typeof startCyclesOnly>>

const past = async (startDate: string, cycleLength: 4 | 6) => {
  const { id } = await school.create({ startDate, cycleLength })
  await school.server.call(planner, deactivateCycle, { params: { id } })
}

// Ids 1 to 5; the first three are made at the same moment.
beforeAll(async () => {
  school = await startCyclesOnly()
  await past('2026-10-05', 4)
  await past('2027-01-11', 6)
  await past('2026-10-05', 6)
  school.clock.now = new Date(school.clock.now.getTime() + 60_000)
  await past('2026-09-21', 4)
  await past('2027-02-15', 4)
  school.totals.set(1, { orders: 8, revenue: 900, completed: 900 })
  school.totals.set(3, { orders: 8, revenue: 100, completed: 100 })
  school.totals.set(5, { orders: 2, revenue: 5000, completed: 5000 })
})
afterAll(() => school.close())

const list = (query: string) => school.server.call(planner, cycleHistory, { query })
const ids = async (query: string) => (await list(query)).data.map(({ id }) => id)

const ascending: Record<CycleSort, number[]> = {
  created: [1, 2, 3, 4, 5],
  start: [4, 1, 3, 2, 5],
  length: [1, 4, 5, 2, 3],
  orders: [2, 4, 5, 1, 3],
  revenue: [2, 4, 3, 1, 5],
}

test.each(cycleSorts)('the history is sorted by %s both ways, equal ones as they were made', async (sort) => {
  expect(await ids(`sort=${sort}&direction=asc`)).toEqual(ascending[sort])
  expect(await ids(`sort=${sort}&direction=desc`)).toEqual(ascending[sort].toReversed())
  expect(await ids(`sort=${sort}`)).toEqual(ascending[sort].toReversed())
})

test('carries the totals it is sorted by', async () => {
  const { data } = await list('sort=orders&direction=desc')
  expect(data.map(({ totalOrders, totalRevenue }) => [totalOrders, totalRevenue])).toEqual([
    [8, 1],
    [8, 9],
    [2, 50],
    [0, 0],
    [0, 0],
  ])
})

test.each([
  ['year=2027', [5, 2]],
  ['cycleLength=6', [3, 2]],
  ['year=2026&cycleLength=4&sort=revenue', [1, 4]],
  ['year=2025', []],
])('finds by %s', async (query, expected) => {
  const { data, metadata } = await list(query)
  expect(data.map(({ id }) => id)).toEqual(expected)
  expect(metadata).toMatchObject({ total: expected.length, totalPages: 1 })
})

test.each(['created', 'revenue'])('sorted by %s it is paged after that', async (sort) => {
  for (let made = 0; made < 7; made += 1) await past('2027-03-15', 4)
  const first = await list(`sort=${sort}&direction=asc`)
  const second = await list(`sort=${sort}&direction=asc&page=2`)
  expect(first.data).toHaveLength(10)
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(first.metadata.total)
})

test.each(['sort=id', 'direction=down', 'year=26', 'cycleLength=5', 'sort=start&sort=length'])(
  'a query of %s is refused',
  async (query) => {
    const { status, code } = await school.server.refused(planner, cycleHistory, { query })
    expect([status, code]).toEqual([422, 'validation_failed'])
  },
)
