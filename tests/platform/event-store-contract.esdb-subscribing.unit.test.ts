import { type EventStore, type RecordedEvent, beginning, noStream } from '#platform/event-store/event-store'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { foreignRecord } from '../support/esdb-server/node-state'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { counted, follow, newEvents, noted } from '../support/recorded-events'
import { benchOf, places } from './event-store/store-under-test'

const settings = { streams: ['meal-'], retryPolicy: { callMs: 1_000, totalMs: 10_000 } }

let node: EsdbNode
let store: EventStore
let log: ReturnType<typeof heardLog>
const breaks = () =>
  log.lines.filter(({ message }) => message === 'subscriptions to the event store broke and are opened again')

beforeEach(async () => {
  node = await startNode()
  log = heardLog()
  store = await openEventStore(node.url(), log, settings)
})
afterEach(async () => {
  await store.close()
  node.stop()
})

const { freshStream, numbers, here } = benchOf(() => ({
  run: 'meal',
  store,
  another: () => Promise.resolve(store),
  close: () => Promise.resolve(),
}))

const foreign = (stream: string, type: string, count: number) =>
  node.log.append(
    stream,
    'any',
    Array.from({ length: count }, (_, number) => foreignRecord(type, number)),
  )

const slowly = () => {
  let finish!: () => void
  const handled = new Promise<void>((resolve) => (finish = resolve))
  return { handled, finish }
}

test('subscriptions that are dropped again and again lose nothing and double nothing', async () => {
  const stream = freshStream()
  const follower = follow(store, null, undefined, 3)
  for (let round = 0; round < 6; round += 1) {
    const first = round * 10
    const ten = Array.from({ length: 10 }, (_, number) => first + number)
    await store.append([numbers(stream, first - 1, ...ten)])
    await eventually(() => follower.events.length > first)
    node.dropSubscriptions()
  }
  await eventually(() => follower.events.length >= 60)
  await follower.close()
  expect(places(follower.events)).toEqual(
    Array.from({ length: 60 }, (_, revision) => `${stream}@${revision}`),
  )
  expect(node.calls.subscribedFrom.length).toBeGreaterThan(3)
  await eventually(() => breaks().length > 0)
  expect(breaks()[0]).toMatchObject({ level: 'warn' })
})

test('a subscription outlives a restart of the server on the same port', async () => {
  const stream = freshStream()
  const follower = follow(store, null)
  await store.append([numbers(stream, noStream, 1)])
  await eventually(() => follower.events.length === 1)
  node.stop()
  await node.start()
  await store.append([numbers(stream, 0, 2)])
  await eventually(() => follower.events.length === 2)
  await follower.close()
  expect(places(follower.events)).toEqual([`${stream}@0`, `${stream}@1`])
})

test('it ends with an error when the store stays away', async () => {
  const hasty = await openEventStore(node.url(), log, {
    ...settings,
    retryPolicy: { callMs: 200, totalMs: 300 },
  })
  const follower = follow(hasty, null)
  await eventually(() => node.calls.subscribedFrom.length === 2)
  node.stop()
  await expect(follower.done).rejects.toThrow()
  await follower.close()
  await hasty.close()
})

test('closing while the store is away is no error', async () => {
  const follower = follow(store, null)
  await eventually(() => node.calls.subscribedFrom.length === 2)
  node.stop()
  await eventually(() => log.lines.length > 0)
  await follower.close()
  await follower.done
})

test('an event is handed over once, also when the subscription breaks while it is handled', async () => {
  const stream = freshStream()
  const seen: RecordedEvent[] = []
  const { handled, finish } = slowly()
  const subscription = store.subscribe({ from: null, batchSize: 1 }, async (events) => {
    seen.push(...events)
    await handled
  })
  await store.append([numbers(stream, noStream, 1, 2)])
  await eventually(() => seen.length === 1)
  node.dropSubscriptions()
  finish()
  await store.append([numbers(stream, 1, 3)])
  await eventually(() => seen.length >= 3)
  await subscription.close()
  expect(places(seen)).toEqual([`${stream}@0`, `${stream}@1`, `${stream}@2`])
})

test('a slow handler holds the server back', async () => {
  const stream = freshStream()
  const text = 'k'.repeat(10_000)
  const large = (start: number) =>
    newEvents(`${stream}/${start}`, ...Array.from({ length: 50 }, () => noted({ text })))
  for (let start = 0; start < 500; start += 50)
    await store.append([{ stream, expectedRevision: start - 1, events: large(start) }])
  const batches: number[] = []
  const { handled, finish } = slowly()
  const subscription = store.subscribe({ from: null, batchSize: 10 }, async (events) => {
    batches.push(events.length)
    await handled
  })
  await eventually(() => batches.length === 1)
  // Another read goes the whole way meanwhile, so what the server could send it has sent.
  await store.read([stream])
  expect(node.calls.eventsSent).toBeLessThan(200)
  finish()
  await eventually(() => batches.reduce((sum, size) => sum + size, 0) === 500)
  await subscription.close()
  expect(Math.max(...batches)).toBeLessThanOrEqual(10)
})

test('events of other applications and of the store itself are neither delivered nor its end', async () => {
  const stream = freshStream()
  foreign('shop-1', counted.type, 3)
  const position = await store.append([numbers(stream, noStream, 1)])
  foreign('shop-1', counted.type, 3)
  foreign('$$meal-1', '$metadata', 1)
  foreign(stream, '$streamDeleted', 1)
  const [all, some] = [follow(store, null), follow(store, null, [counted.type])]
  await store.append([numbers(freshStream(), noStream, 2)])
  for (const { events, close } of [all, some]) {
    await eventually(() => events.length >= 2)
    await close()
    expect(events.map(({ data }) => data)).toEqual([{ number: 1 }, { number: 2 }])
  }
  const elsewhere = await openEventStore(node.url(), log, settings)
  foreign('shop-1', counted.type, 3)
  expect((await elsewhere.end()).position).toBe(await here())
  expect(await here()).not.toBe(position)
  await elsewhere.close()
})

test('schools with a streamPrefix of their own share a store and hear nothing of one another', async () => {
  const open = (school: string) => openEventStore(`${node.url()}&streamPrefix=${school}`, log, settings)
  const [north, south] = [await open('north'), await open('south')]
  const stream = freshStream()
  const followers = [follow(north, null), follow(south, null, [counted.type]), follow(store, null)]
  await north.append([numbers(stream, noStream, 1)])
  await south.append([numbers(stream, noStream, 2)])
  await north.append([numbers(stream, 0, 3)])
  await eventually(() => followers[0]!.events.length === 2 && followers[1]!.events.length === 1)
  expect(places(followers[0]!.events)).toEqual([`${stream}@0`, `${stream}@1`])
  expect(followers[1]!.events.map(({ data, stream: name }) => [data, name])).toEqual([
    [{ number: 2 }, stream],
  ])
  expect((await south.read([stream])).get(stream)).toHaveLength(1)
  expect((await south.end()).position < (await north.end()).position).toBe(true)
  expect(followers[2]!.events).toEqual([])
  expect(node.log.stream(`north:${stream}`)).toHaveLength(2)
  for (const { close } of followers) await close()
  await north.close()
  await south.close()
})

test('a school that begins beside the many events of another hears its own without reading all of those', async () => {
  const stream = freshStream()
  foreign('shop-1', 'shop.sold.v1', 5_000)
  const followers = [follow(store, null), follow(store, null, [counted.type])]
  await eventually(() => node.calls.eventsReadBackwards >= 1_000)
  // They share one connection before the first event of their own.
  await eventually(() => node.openSubscriptions() === 1)
  await store.append([numbers(stream, noStream, 1, 2)])
  await eventually(() => followers.every(({ events }) => events.length === 2))
  for (const { close } of followers) await close()
  for (const { events } of followers) expect(places(events)).toEqual([`${stream}@0`, `${stream}@1`])
  expect(node.calls.eventsReadBackwards).toBeLessThan(2_500)
})

test('of a store with nothing of ours the end is the beginning', async () => {
  foreign('shop-1', counted.type, 3)
  expect(await store.end()).toEqual({ position: beginning, events: null })
})

test('types that begin alike are told apart, and no types are no events', async () => {
  const stream = freshStream()
  const alike = { type: `${counted.type}0`, data: {} }
  const [one, none] = [follow(store, null, [counted.type]), follow(store, null, [])]
  await store.append([
    { stream, expectedRevision: noStream, events: newEvents(stream, alike, counted({ number: 1 })) },
  ])
  await eventually(() => one.events.length === 1)
  await one.close()
  await none.close()
  expect(places(one.events)).toEqual([`${stream}@1`])
  expect(none.events).toEqual([])
})

test('a subscription that wants nothing of what comes still moves on', async () => {
  const follower = follow(store, null)
  await eventually(() => node.calls.subscribedFrom.length === 2)
  foreign('shop-1', counted.type, 1_200)
  // Events in between are sent after the checkpoints before them.
  await store.append([numbers(freshStream(), noStream, 1)])
  await eventually(() => follower.events.length === 1)
  foreign('shop-1', counted.type, 1_200)
  await eventually(() => {
    node.dropSubscriptions()
    return node.calls.subscribedFrom.at(-1)! > BigInt(follower.events[0]!.position)
  })
  await store.append([numbers(freshStream(), noStream, 2)])
  await eventually(() => follower.events.length === 2)
  await follower.close()
})

test('a checkpoint that names no position is not taken for one', async () => {
  const follower = follow(store, null)
  await eventually(() => node.calls.subscribedFrom.length === 2)
  node.dropSubscriptions()
  await eventually(() => node.calls.subscribedFrom.length === 3)
  expect(node.calls.subscribedFrom).toEqual([-1n, -1n, -1n])
  await store.append([numbers(freshStream(), noStream, 1)])
  await eventually(() => follower.events.length === 1)
  await follower.close()
})

test('a position where no event stands ends it at once', async () => {
  const follower = follow(store, '00000000000000000129')
  await expect(follower.done).rejects.toThrow('invalid position')
  expect(node.calls.subscribedFrom).toEqual([129n])
})

test('a position of the Postgres store is named as what it is', async () => {
  const follower = follow(store, '00000000000000000741-00000000000000000012')
  await expect(follower.done).rejects.toThrow(/no position of EventStoreDB: .*npm run rebuild/)
})
