import { lapseUnpaidMeals, type LapsingOrder } from '#modules/transfers/unpaid/lapse-unpaid-meals.job'
import { lapsingFrom } from '#modules/payments/alternative/alternative.routes'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { standIn } from '../support/stand-in'

let school: TestDatabase
beforeEach(async () => {
  school = await testDatabase()
})
afterEach(() => school.close())

const since = new Date('2026-09-01T06:00:00Z')
const cutoff = new Date('2026-09-15T06:00:00Z')
const meal = (id: string, userId: number, item: string): LapsingOrder => ({
  id,
  attemptId: '018f0000-0000-7000-8000-000000000001',
  userId,
  date: '2026-09-15',
  student: 'Chanda',
  item,
  toPay: 4550,
  credit: 0,
  placedAt: new Date('2026-09-10T06:00:00Z'),
  lapsesAt: cutoff,
  state: 'unpaid',
})

const within =
  (from: Date, until: Date) =>
  ({ lapsesAt, state }: LapsingOrder) =>
    state === 'unpaid' && lapsesAt >= from && lapsesAt <= until

/** Ordering with these meals, and families to whom every mail fails whose turn is named. */
const familiesWith = (meals: LapsingOrder[], failing: number[] = []) => {
  const asked: { id: string; text: string }[] = []
  const ordering = {
    ordersToLapse: (from: Date, until: Date) => Promise.resolve(meals.filter(within(from, until))),
    lapseOrders: (ids: readonly string[]) => {
      for (const order of meals) if (ids.includes(order.id)) order.state = 'lapsed'
      return Promise.resolve()
    },
    portionsToLapse: async () => [],
    lapsePortions: async () => undefined,
    lapsedOrders: (since: Date) =>
      Promise.resolve(meals.filter(({ state, lapsesAt }) => state === 'lapsed' && lapsesAt >= since)),
    lapsingOrders: (ids: readonly string[]) => Promise.resolve(meals.filter(({ id }) => ids.includes(id))),
  }
  const messageUser = (_userId: number, message: { text: string }, id: string) => {
    asked.push({ id, text: message.text })
    return failing.includes(asked.length) ? Promise.reject(new Error('killed')) : Promise.resolve(true)
  }
  const run = (at: Date) =>
    lapseUnpaidMeals(
      standIn({
        database: school.database,
        now: () => at,
        zone: 'Africa/Lusaka',
        payments: {
          mealsLapse: async () => ({ since, from: lapsingFrom(since, at, 'Africa/Lusaka') }),
          alternativeReferences: async () => new Map(),
        },
        ordering: { ...ordering, payableOrders: async () => [] },
        messaging: { messageUser },
        identity: { peopleOf: async () => new Map(), families: async () => [] },
      }),
    ).run()
  return { asked, run }
}

test('a mail that a crash cut off is written again as the same one, and names nothing else', async () => {
  const meals = [meal('a', 7, 'Stew'), meal('b', 7, 'Fish')]
  const { asked, run } = familiesWith(meals, [1])
  await expect(run(cutoff)).rejects.toThrow('could not be told')
  meals.push({ ...meal('c', 7, 'Porridge'), state: 'lapsed' })
  await run(cutoff)
  await run(cutoff)
  const [first, ...again] = asked
  expect(again.filter(({ id }) => id === first!.id)).toEqual([first])
  // What lapsed later is told of in a mail of its own.
  const others = again.filter(({ id }) => id !== first!.id)
  expect(others).toHaveLength(1)
  expect(others[0]!.text).toContain('Porridge')
  expect(others[0]!.text).not.toContain('Stew')
})

test('a family that cannot be written to does not keep the others waiting', async () => {
  const { asked, run } = familiesWith([meal('a', 7, 'Stew'), meal('b', 8, 'Fish')], [1])
  await expect(run(cutoff)).rejects.toThrow('1 families could not be told')
  expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
})

test('a warning that is written late says nothing of what was paid for meanwhile', async () => {
  const meals = [meal('a', 7, 'Stew'), meal('b', 7, 'Fish')]
  const { asked, run } = familiesWith(meals, [1])
  const dayBefore = new Date('2026-09-14T06:00:00Z')
  await run(new Date(dayBefore.getTime() - 1))
  expect(asked).toEqual([])
  await expect(run(dayBefore)).rejects.toThrow()
  meals[0]!.state = 'over'
  await run(dayBefore)
  expect(asked).toHaveLength(2)
  expect(asked[1]!.id).toBe(asked[0]!.id)
  expect(asked[1]!.text).toContain('Fish for Chanda')
  expect(asked[1]!.text).not.toContain('Stew')
})
