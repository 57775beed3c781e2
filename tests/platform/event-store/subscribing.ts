import { once } from 'node:events'
import { noStream } from '#platform/event-store/event-store'
import { eventually } from '../../support/eventually'
import { counted, follow, newEvents, noted } from '../../support/recorded-events'
import { places, type Bench } from './store-under-test'

export const subscriptionContract = ({ store, another, freshStream, numbers, here }: Bench): void => {
  test('a subscription delivers what is there and what comes, once and in order', async () => {
    const from = await here()
    const [a, b] = [freshStream(), freshStream()]
    await store().append([numbers(b, noStream, 1), numbers(a, noStream, 2)])
    const follower = follow(store(), from)
    await eventually(() => follower.events.length === 2)
    await store().append([numbers(a, 0, 3, 4)])
    await store().append([numbers(b, 0, 5)])
    await eventually(() => follower.events.length >= 5)
    await follower.close()
    expect(places(follower.events)).toEqual([`${b}@0`, `${a}@0`, `${a}@1`, `${a}@2`, `${b}@1`])
    const stored = await store().read([a, b])
    expect(follower.events.filter(({ stream }) => stream === a)).toEqual(stored.get(a))
  })

  test('appends at the same time are each delivered once, every stream in its order', async () => {
    const from = await here()
    const follower = follow(store(), from)
    const streams = Array.from({ length: 8 }, freshStream)
    const writer = async (stream: string) => {
      for (let revision = noStream; revision < 9; revision += 1)
        await store().append([numbers(stream, revision, revision)])
    }
    await Promise.all(streams.map(writer))
    await eventually(() => follower.events.length >= 80)
    await follower.close()
    const expected = streams.flatMap((stream) => Array.from({ length: 10 }, (_, at) => `${stream}@${at}`))
    expect(places(follower.events).toSorted()).toEqual(expected.toSorted())
    for (const stream of streams)
      expect(places(follower.events.filter((event) => event.stream === stream))).toEqual(
        expected.filter((place) => place.startsWith(`${stream}@`)),
      )
    const positions = follower.events.map(({ position }) => position)
    expect(positions).toEqual([...new Set(positions)].toSorted())
  })

  test('it tells when the oldest event after a position was made', async () => {
    const from = await here()
    expect(await store().oldestAfter(from)).toBeNull()
    const [stream, later] = [freshStream(), freshStream()]
    const [event] = newEvents(stream, counted({ number: 1 }))
    const old = { ...event!, metadata: { ...event!.metadata, at: '2026-09-14T05:00:00.000Z' } }
    const first = await store().append([{ stream, expectedRevision: noStream, events: [old] }])
    const second = await store().append([numbers(later, noStream, 1)])
    expect(await store().oldestAfter(from)).toBe('2026-09-14T05:00:00.000Z')
    expect(await (await another()).oldestAfter(first)).toBe('2026-09-16T07:00:00.000Z')
    expect(await store().oldestAfter(second)).toBeNull()
  })

  test('a batch is no larger than asked for, and none is empty', async () => {
    const from = await here()
    await store().append([numbers(freshStream(), noStream, 1, 2, 3, 4, 5, 6, 7)])
    const follower = follow(store(), from, undefined, 3)
    await eventually(() => follower.events.length === 7)
    await follower.close()
    expect(Math.max(...follower.batches)).toBeLessThanOrEqual(3)
    expect(Math.min(...follower.batches)).toBeGreaterThan(0)
  })

  test('after a restart it goes on behind the position it is given', async () => {
    const from = await here()
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 1, 2, 3)])
    const first = follow(store(), from)
    await eventually(() => first.events.length === 3)
    await first.close()
    await store().append([numbers(stream, 2, 4, 5)])
    const second = follow(await another(), first.events[1]!.position)
    await eventually(() => second.events.length >= 3)
    await second.close()
    expect(places(first.events)).toEqual([`${stream}@0`, `${stream}@1`, `${stream}@2`])
    expect(places(second.events)).toEqual([`${stream}@2`, `${stream}@3`, `${stream}@4`])
  })

  test('it delivers only the event types asked for', async () => {
    const from = await here()
    const stream = freshStream()
    const mixed = newEvents(stream, counted({ number: 1 }), noted({ text: 'a' }), counted({ number: 2 }))
    const follower = follow(store(), from, [noted.type], 2)
    await store().append([{ stream, expectedRevision: noStream, events: mixed }])
    await store().append([numbers(freshStream(), noStream, 1, 2, 3)])
    const last = { stream, expectedRevision: 2, events: newEvents(`${stream}/2`, noted({ text: 'b' })) }
    await store().append([last])
    await eventually(() => follower.events.length >= 2)
    await follower.close()
    expect(places(follower.events)).toEqual([`${stream}@1`, `${stream}@3`])
  })

  test('an append in another process wakes it', async () => {
    const other = await another()
    const follower = follow(store(), await here())
    const stream = freshStream()
    await other.append([numbers(stream, noStream, 1)])
    await eventually(() => follower.events.length === 1)
    await follower.close()
    expect(places(follower.events)).toEqual([`${stream}@0`])
  })

  test('a handler that fails ends it, and a new one from the same position is given the batch again', async () => {
    const from = await here()
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 1)])
    const failing = store().subscribe({ from, batchSize: 10 }, () => Promise.reject(new Error('full')))
    await expect(failing.done).rejects.toThrow('full')
    await failing.close()
    const again = follow(store(), from)
    await eventually(() => again.events.length === 1)
    await again.close()
    expect(places(again.events)).toEqual([`${stream}@0`])
  })

  test('closing waits for the running handler, and nothing is delivered after it', async () => {
    const from = await here()
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 1)])
    const told: string[] = []
    const handling = new AbortController()
    const subscription = store().subscribe({ from, batchSize: 10 }, async () => {
      told.push('started')
      await once(handling.signal, 'abort')
      told.push('finished')
    })
    await eventually(() => told.length === 1)
    await store().append([numbers(stream, 0, 2)])
    const closed = subscription.close().then(() => told.push('closed'))
    handling.abort()
    await closed
    await subscription.done
    expect(told).toEqual(['started', 'finished', 'closed'])
  })
}
