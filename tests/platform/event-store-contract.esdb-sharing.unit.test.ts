import { type EventStore, type RecordedEvent, noStream } from '#platform/event-store/event-store'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { counted, follow, newEvents, noted } from '../support/recorded-events'
import { benchOf, places } from './event-store/store-under-test'

const settings = { streams: ['meal-'], retryPolicy: { callMs: 1_000, totalMs: 10_000 } }

let node: EsdbNode
let store: EventStore
beforeEach(async () => {
  node = await startNode()
  store = await openEventStore(node.url(), heardLog(), settings)
})
afterEach(async () => {
  await store.close()
  node.stop()
})

const { freshStream, numbers } = benchOf(() => ({
  run: 'meal',
  store,
  another: () => Promise.resolve(store),
  close: () => Promise.resolve(),
}))

const slowly = () => {
  let finish!: () => void
  const handled = new Promise<void>((resolve) => (finish = resolve))
  return { handled, finish }
}

test('subscriptions that have caught up share one connection, and each has what it wants', async () => {
  const stream = freshStream()
  const alike = noted({ text: 'no number' })
  await store.append([numbers(stream, noStream, 1)])
  const [one, other] = [follow(store, null), follow(store, null)]
  const numbersOnly = follow(store, null, [counted.type])
  const followers = [one, other, numbersOnly]
  await eventually(() => followers.every(({ events }) => events.length === 1))
  await eventually(() => node.openSubscriptions() === 1)
  await store.append([
    { stream, expectedRevision: 0, events: newEvents(stream, alike, counted({ number: 2 })) },
  ])
  await eventually(() => one.events.length === 3 && other.events.length === 3)
  await eventually(() => numbersOnly.events.length === 2)
  expect(node.openSubscriptions()).toBe(1)
  for (const { close } of followers) await close()
  expect(places(one.events)).toEqual(places(other.events))
  expect(places(numbersOnly.events)).toEqual([`${stream}@0`, `${stream}@2`])
})

test('one that falls far behind the others reads by itself until it has caught up, and misses nothing', async () => {
  const stream = freshStream()
  const seen: RecordedEvent[] = []
  const { handled, finish } = slowly()
  const slow = store.subscribe({ from: null, batchSize: 10 }, async (events) => {
    seen.push(...events)
    await handled
  })
  const quick = follow(store, null)
  await store.append([numbers(stream, noStream, 0)])
  await eventually(() => seen.length === 1 && node.openSubscriptions() === 1)
  const most = 2_500
  for (let first = 1; first < most; first += 250) {
    const some = Array.from({ length: Math.min(250, most - first) }, (_, number) => first + number)
    await store.append([numbers(stream, first - 1, ...some)])
  }
  await eventually(() => quick.events.length === most)
  finish()
  await eventually(() => seen.length >= most)
  await eventually(() => node.openSubscriptions() === 1)
  await slow.close()
  await quick.close()
  expect(places(seen)).toEqual(Array.from({ length: most }, (_, revision) => `${stream}@${revision}`))
})
