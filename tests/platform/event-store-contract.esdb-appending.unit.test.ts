import {
  type EventStore,
  type StreamAppend,
  noStream,
  WrongExpectedRevision,
} from '#platform/event-store/event-store'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { benchOf } from './event-store/store-under-test'

const settings = { streams: ['meal-', 'first-', 'last-'], retryPolicy: { callMs: 1_000, totalMs: 10_000 } }

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

const { freshStream, numbers, readNumbers } = benchOf(() => ({
  run: 'meal',
  store,
  another: () => Promise.resolve(store),
  close: () => Promise.resolve(),
}))

const lastPositionOf = async (stream: string) => (await store.read([stream])).get(stream)?.at(-1)?.position

test.each(['answer lost', 'timed out', 'silence'] as const)(
  'stored, but %s: it is found again, answered with its position, and not sent a second time',
  async (fate) => {
    const stream = freshStream()
    node.next(fate)
    const position = await store.append([numbers(stream, noStream, 1, 2)])
    expect(position).toBe(await lastPositionOf(stream))
    expect(await readNumbers(stream)).toEqual([1, 2])
    expect(node.calls.appends).toBe(1)
  },
)

test('an append that arrives after it was given up for lost and sent again is stored once', async () => {
  const stream = freshStream()
  node.next('late')
  await store.append([numbers(stream, noStream, 1, 2)])
  expect(node.calls.appends).toBe(2)
  node.releaseLate()
  expect(await readNumbers(stream)).toEqual([1, 2])
})

test('an event says when the store took it in', async () => {
  const stream = freshStream()
  await store.append([numbers(stream, noStream, 1)])
  const [event] = (await store.read([stream])).get(stream)!
  expect(event?.recordedAt).toBe('2026-09-21T14:13:20.000Z')
})

test('an answer without a position: the stream tells it', async () => {
  const stream = freshStream()
  node.next('no position')
  expect(await store.append([numbers(stream, noStream, 1)])).toBe(await lastPositionOf(stream))
  expect(node.calls.appends).toBe(1)
})

test('a server that is too busy or between two leaders is asked again', async () => {
  const stream = freshStream()
  node.next('too busy', 'not leader', 'too busy')
  await store.append([numbers(stream, noStream, 1)])
  expect(await readNumbers(stream)).toEqual([1])
  expect(node.calls.appends).toBe(4)
})

test('a conflict behind a lost answer is still a conflict', async () => {
  const stream = freshStream()
  await store.append([numbers(stream, noStream, 1)])
  node.next('answer lost')
  await expect(store.append([numbers(stream, noStream, 2)])).rejects.toThrow(WrongExpectedRevision)
  expect(await readNumbers(stream)).toEqual([1])
})

test('streams of one kind are appended at once, kind after kind; beside a conflict the others are there, and the rest can be completed', async () => {
  const [a, b, c] = [freshStream(), freshStream(), freshStream()]
  const [before, behind] = [`first-${a}`, `last-${a}`]
  await store.append([numbers(b, noStream, 9)])
  const mixed = (ofB: StreamAppend) => [
    numbers(before, noStream, 0),
    numbers(a, noStream, 1),
    ofB,
    numbers(c, noStream, 3),
    numbers(behind, noStream, 4),
  ]
  await expect(store.append(mixed(numbers(b, noStream, 2)))).rejects.toMatchObject({ stream: b })
  expect(await Promise.all([before, a, b, c, behind].map(readNumbers))).toEqual([[0], [1], [9], [3], []])
  expect(node.calls.appendsAtOnce).toBe(3)
  await store.append(mixed(numbers(b, 0, 2)))
  expect(await Promise.all([before, a, b, c, behind].map(readNumbers))).toEqual([[0], [1], [9, 2], [3], [4]])
})

test('a stream that stands there twice is appended one after the other', async () => {
  const stream = freshStream()
  await store.append([numbers(stream, noStream, 1), numbers(stream, 0, 2)])
  expect(await readNumbers(stream)).toEqual([1, 2])
  expect(node.calls.appendsAtOnce).toBe(1)
})

test('a store that stays away is given up, and what was asked of it may be asked again', async () => {
  const hasty = await openEventStore(node.url(), heardLog(), {
    ...settings,
    retryPolicy: { callMs: 200, totalMs: 300 },
  })
  const append = [numbers(freshStream(), noStream, 1)]
  node.stop()
  await expect(hasty.append(append)).rejects.toThrow(/did not confirm an append to meal-\d+ for 300 ms/)
  await expect(hasty.read([append[0]!.stream])).rejects.toThrow()
  expect(await hasty.ping()).toBe(false)
  await node.start()
  await store.append(append)
  expect(await store.append(append)).toBe(await lastPositionOf(append[0]!.stream))
  expect(await store.ping()).toBe(true)
  await hasty.close()
})

test('after the server was started again on the same port, appends and reads go on', async () => {
  const stream = freshStream()
  await store.append([numbers(stream, noStream, 1)])
  node.stop()
  const waiting = store.append([numbers(stream, 0, 2)])
  await node.start()
  await waiting
  expect(await readNumbers(stream)).toEqual([1, 2])
})

test('many reads wait for a server that is started again', async () => {
  const streams = Array.from({ length: 40 }, freshStream)
  await store.append(streams.map((stream) => numbers(stream, noStream, 1)))
  node.stop()
  const reading = store.read(streams)
  await node.start()
  expect([...(await reading).values()].map((events) => events.length)).toEqual(streams.map(() => 1))
})

test('when another node leads, appends and reads move there', async () => {
  const other = await startNode({ log: node.log })
  const stream = freshStream()
  await store.append([numbers(stream, noStream, 1)])
  node.follow(other.port())
  await store.append([numbers(stream, 0, 2)])
  expect(await readNumbers(stream)).toEqual([1, 2])
  expect(other.calls.appends).toBe(1)
  other.stop()
})

test('stored, but the leader fell before it could say so: the next one is asked, and nothing is sent twice', async () => {
  const other = await startNode({ log: node.log })
  const stream = freshStream()
  node.leaveTo(other.port())
  node.next('deposed')
  const position = await store.append([numbers(stream, noStream, 1, 2)])
  expect(position).toBe(await lastPositionOf(stream))
  expect(await readNumbers(stream)).toEqual([1, 2])
  expect([node.calls.appends, other.calls.appends]).toEqual([1, 0])
  other.stop()
})

test('lost with the leader: the next one gets it, and the streams behind it, once', async () => {
  const other = await startNode({ log: node.log })
  const [a, b, c] = [freshStream(), freshStream(), freshStream()]
  node.leaveTo(other.port())
  node.next('answer lost', 'deposed before')
  await store.append([numbers(a, noStream, 1), numbers(b, noStream, 2), numbers(c, noStream, 3)])
  expect(await Promise.all([a, b, c].map(readNumbers))).toEqual([[1], [2], [3]])
  expect([node.calls.appends, other.calls.appends]).toEqual([3, 2])
  other.stop()
})

test('of several nodes the leader is found, and the next one when that is gone', async () => {
  const other = await startNode({ log: node.log })
  other.follow(node.port())
  const cluster = `esdb://127.0.0.1:${other.port()},127.0.0.1:${node.port()}?tls=false`
  const clustered = await openEventStore(cluster, heardLog(), settings)
  const stream = freshStream()
  await clustered.append([numbers(stream, noStream, 1)])
  expect([node.calls.appends, other.calls.appends]).toEqual([1, 0])
  other.follow(null)
  node.stop()
  await clustered.append([numbers(stream, 0, 2)])
  expect(other.calls.appends).toBe(1)
  await clustered.close()
  other.stop()
})

test('a server that takes less at once is named with its setting', async () => {
  const small = await startNode({ maxAppendBytes: 1_000 })
  const narrow = await openEventStore(small.url(), heardLog(), settings)
  const append = numbers(freshStream(), noStream, 1, 2, 3, 4, 5, 6, 7, 8)
  await expect(narrow.append([append])).rejects.toThrow(
    /takes 1000 bytes at once, .* set its EVENTSTORE_MAX_APPEND_SIZE higher/,
  )
  expect((await narrow.read([append.stream])).get(append.stream)).toEqual([])
  await narrow.close()
  small.stop()
})

test('a stream that no subscription would deliver is refused before anything is appended', async () => {
  const stream = freshStream()
  const stray = numbers('invoice-1', noStream, 1)
  await expect(store.append([numbers(stream, noStream, 1), stray])).rejects.toThrow(
    'Stream invoice-1 would never be delivered',
  )
  expect(await readNumbers(stream)).toEqual([])
})
