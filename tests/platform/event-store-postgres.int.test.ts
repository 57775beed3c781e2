import type { PoolClient } from 'pg'
import type { Database } from '#platform/database'
import { noStream, WrongExpectedRevision } from '#platform/event-store/event-store'
import { eventually } from '../support/eventually'
import { type StoreProcess, testDatabase, storeProcess } from '../support/postgres'
import { counted, follow, newEvents, noted } from '../support/recorded-events'
import { benchOf, places } from './event-store/store-under-test'

let mine: StoreProcess
let other: StoreProcess
let url: string
let dropDatabase: () => Promise<void>

beforeAll(async () => {
  const test = await testDatabase()
  url = test.url
  dropDatabase = test.close
  mine = await storeProcess(url)
  other = await storeProcess(url)
})
afterAll(async () => {
  await mine.close()
  await other.close()
  await dropDatabase()
})

const { freshStream, numbers, readNumbers, here } = benchOf(() => ({
  run: 'postgres',
  store: mine.store,
  another: () => Promise.resolve(other.store),
  close: () => Promise.resolve(),
}))

/** A transaction that has its number, as it has from its first write on. */
const openTransaction = async (at: Database = other.database): Promise<PoolClient> => {
  const client = await at.pool.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return client
}

const over = async (client: PoolClient, how: 'commit' | 'rollback' = 'commit') => {
  await client.query(how)
  client.release()
}

const insertInto = (client: Pick<PoolClient, 'query'>, stream: string) => {
  const [event] = newEvents(stream, counted({ number: 1 }))
  return client.query(
    'insert into platform.events (stream, revision, id, type, data, metadata) values ($1, 0, $2, $3, $4, $5)',
    [stream, event?.id, event?.type, event?.data, event?.metadata],
  )
}

test.each([
  ['alone', () => other.database.pool.connect()],
  ['after another write', () => openTransaction()],
])(
  'an append that commits late is delivered in its place, and nothing behind it before: %s',
  async (_, begun) => {
    const from = await here()
    const [late, early] = [freshStream(), freshStream()]
    const transaction = await begun()
    await transaction.query('begin')
    await insertInto(transaction, late)
    const waiting = follow(mine.store, from)
    await mine.store.append([numbers(early, noStream, 1)])
    const later = follow(mine.store, from)
    await mine.store.append([numbers(early, 0, 2)])
    // Looks that find them held back: at least two, so nothing but the look that follows by itself can bring them.
    await looksAt(mine, 4)
    expect([...waiting.events, ...later.events]).toEqual([])
    await over(transaction)
    for (const { events, close } of [waiting, later]) {
      await eventually(() => events.length >= 3)
      await close()
      expect(places(events)).toEqual([`${late}@0`, `${early}@0`, `${early}@1`])
    }
  },
)

test('of an append that is taken back nothing is delivered, and what waited for it is', async () => {
  const follower = follow(mine.store, await here())
  const [late, early] = [freshStream(), freshStream()]
  const transaction = await openTransaction()
  await insertInto(transaction, late)
  await mine.store.append([numbers(early, noStream, 1)])
  await over(transaction, 'rollback')
  await eventually(() => follower.events.length === 1)
  await follower.close()
  expect(places(follower.events)).toEqual([`${early}@0`])
})

test('a transaction that readers have passed may not append any more', async () => {
  const transaction = await openTransaction()
  await mine.store.append([numbers(freshStream(), noStream, 1)])
  await expect(insertInto(transaction, freshStream())).rejects.toThrow(/append at its beginning/)
  await over(transaction, 'rollback')
})

test('a transaction that appends twice may do so after others have appended meanwhile', async () => {
  const follower = follow(mine.store, await here())
  const [first, second, early] = [freshStream(), freshStream(), freshStream()]
  const transaction = await openTransaction()
  await insertInto(transaction, first)
  await mine.store.append([numbers(early, noStream, 1)])
  await insertInto(transaction, second)
  await over(transaction)
  await eventually(() => follower.events.length === 3)
  await follower.close()
  expect(places(follower.events)).toEqual([`${first}@0`, `${second}@0`, `${early}@0`])
})

/** A stranger's transaction has written and stays open. */
const strangers: [string, () => Promise<{ end: () => Promise<void> }>][] = [
  [
    'in another database of the server',
    async () => {
      const neighbour = await testDatabase()
      const transaction = await openTransaction(neighbour.database)
      await transaction.query('create table neighbours (id integer)')
      return { end: () => over(transaction).then(neighbour.close) }
    },
  ],
  [
    'in this database, on another table',
    async () => {
      const transaction = await openTransaction()
      await transaction.query(`insert into platform.checkpoints values ('a stranger', '')`)
      return { end: () => over(transaction, 'rollback') }
    },
  ],
  [
    'in another database, which appends to a store of its own',
    async () => {
      const neighbour = await testDatabase()
      const transaction = await neighbour.database.pool.connect()
      await transaction.query('begin')
      await insertInto(transaction, 'neighbour-1')
      return { end: () => over(transaction).then(neighbour.close) }
    },
  ],
]

test.each(strangers)('nobody waits for the transaction of a stranger: %s', async (_, open) => {
  const stranger = await open()
  const [all, some] = [follow(mine.store, await here()), follow(mine.store, await here(), [counted.type])]
  const stream = freshStream()
  await mine.store.append([numbers(stream, noStream, 1)])
  await eventually(() => all.events.length === 1 && some.events.length === 1)
  await all.close()
  await some.close()
  await stranger.end()
})

test('who wants few events passes over thousands of others in a few looks, and misses none', async () => {
  const from = await here()
  const stream = freshStream()
  const others = Array.from({ length: 2_500 }, (_, number) => counted({ number }))
  const all = [noted({ text: 'first' }), ...others, noted({ text: 'second' }), noted({ text: 'third' })]
  await mine.store.append([{ stream, expectedRevision: noStream, events: newEvents(stream, ...all) }])
  const asked = jest.spyOn(mine.database.reads, 'query')
  const follower = follow(mine.store, from, [noted.type], 2)
  await eventually(() => follower.events.length === 3)
  await follower.close()
  expect(places(follower.events)).toEqual([`${stream}@0`, `${stream}@2501`, `${stream}@2502`])
  expect(follower.batches).toEqual([1, 2])
  // Beginning to listen wakes it once more, and so does the time on a busy machine; a look for each page would be many more.
  expect(looksIn(asked.mock.calls)).toBeLessThanOrEqual(10)
  asked.mockRestore()
})

const looksIn = (calls: readonly unknown[][]) =>
  calls.filter(([query]) => (query as { name?: string }).name?.startsWith('events-page')).length

/** Waits until a subscription of that process has looked `times` more. */
const looksAt = async ({ database }: StoreProcess, times: number) => {
  const spy = jest.spyOn(database.reads, 'query')
  await eventually(() => looksIn(spy.mock.calls) >= times)
  spy.mockRestore()
}

test('subscriptions that stand at the same place are woken together and share each look', async () => {
  const from = await here()
  const followers = Array.from({ length: 5 }, () => follow(mine.store, from))
  const spy = jest.spyOn(mine.database.reads, 'query')
  await mine.store.append([numbers(freshStream(), noStream, 1)])
  await eventually(() => followers.every(({ events }) => events.length === 1))
  const looks = looksIn(spy.mock.calls)
  spy.mockRestore()
  await Promise.all(followers.map(({ close }) => close()))
  expect(looks).toBeLessThan(followers.length)
})

test('of appends that meet on several streams in different orders one wins and the others leave nothing', async () => {
  for (let round = 0; round < 20; round += 1) {
    const [a, b, c] = [freshStream(), freshStream(), freshStream()]
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, c, a],
      [c, a, b],
    ]
    const race = orders.map((order, writer) =>
      mine.store.append(order.map((stream) => numbers(stream, noStream, writer))),
    )
    const outcomes = await Promise.allSettled(race)
    const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(lost.map(({ reason }) => reason.name)).toEqual(Array(3).fill(WrongExpectedRevision.name))
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
    for (const stream of [a, b, c]) expect(await readNumbers(stream)).toEqual([winner])
  }
})

test('appends that wait for each other on several streams never deadlock', async () => {
  const [a, b, x] = [`a-${freshStream()}`, `b-${freshStream()}`, `x-${freshStream()}`]
  const inTheWay = await openTransaction()
  await inTheWay.query(
    `insert into platform.events (stream, revision, id, type, data, metadata)
     values ($1, 0, gen_random_uuid(), 'test.counted.v1', '{}', '{}')`,
    [x],
  )
  const race = [
    [a, x, b],
    [b, x, a],
  ].map((order, writer) => mine.store.append(order.map((stream) => numbers(stream, noStream, writer))))
  const waiting = `select pg_blocking_pids(pid) as "for" from pg_locks
    where not granted and locktype = 'transactionid'`
  const blockers = await eventually(async () => {
    const { rows } = await mine.database.pool.query<{ for: number[] }>(waiting)
    return rows.length === 2 && rows.map((row) => row.for.join())
  })
  // Both take the streams in one order: the second waits for the first, and not for the same one, each holding a stream.
  expect(new Set(blockers).size).toBe(2)
  await over(inTheWay, 'rollback')
  const outcomes = await Promise.allSettled(race)
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a refused append leaves nothing in any of its streams', async () => {
  const [a, b] = [freshStream(), freshStream()]
  await mine.store.append([numbers(b, noStream, 1)])
  await expect(mine.store.append([numbers(a, noStream, 1), numbers(b, 5, 2)])).rejects.toMatchObject({
    stream: b,
  })
  expect(await readNumbers(a)).toEqual([])
})

test('an event id that stands elsewhere in the store is a fault, not a conflict', async () => {
  const [a, b] = [freshStream(), freshStream()]
  const append = numbers(a, noStream, 1)
  await mine.store.append([append])
  await expect(mine.store.append([{ ...append, stream: b }])).rejects.toThrow(/events_id_once/)
})

test('a broken connection for notifications is opened again, and what was missed meanwhile is delivered', async () => {
  const follower = follow(mine.store, await here())
  const stream = freshStream()
  await other.store.append([numbers(stream, noStream, 1)])
  await eventually(() => follower.events.length === 1)
  const end =
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tuckshop notifications'"
  await other.database.pool.query(`${end} and datname = current_database()`)
  await other.store.append([numbers(stream, 0, 2)])
  await eventually(() => follower.events.length === 2)
  await other.store.append([numbers(stream, 1, 3)])
  await eventually(() => follower.events.length === 3)
  await follower.close()
})

test('without any notice the subscription looks by itself', async () => {
  const alone = await storeProcess(url, 20)
  const follower = follow(alone.store, await here())
  const stream = freshStream()
  await mine.database.pool.query(
    'insert into platform.events (stream, revision, id, type, data, metadata) values ($1, 0, gen_random_uuid(), $2, $3, $4)',
    [stream, counted.type, { number: 1 }, {}],
  )
  await eventually(() => follower.events.length === 1)
  await follower.close()
  await alone.close()
})
