import { randomUUID } from 'node:crypto'
import { maxEventBytes } from '#platform/event-store/append-plan'
import {
  type Position,
  type EventStore,
  type StreamAppend,
  beginning,
  noStream,
  WrongExpectedRevision,
} from '#platform/event-store/event-store'
import { newEvents, noted } from '../support/recorded-events'
import { type Bench, type StoreUnderTest, benchOf } from './event-store/store-under-test'
import { subscriptionContract } from './event-store/subscribing'

const appendingContract = ({ store, freshStream, numbers, readNumbers }: Bench): void => {
  test('an absent stream is read as an empty list', async () => {
    const stream = freshStream()
    expect(await store().read([stream])).toEqual(new Map([[stream, []]]))
    expect(await store().read([])).toEqual(new Map())
  })

  test('events are read as they were appended, in order, revisions from 0', async () => {
    const stream = freshStream()
    const first = numbers(stream, noStream, 1, 2)
    const position = await store().append([first])
    await store().append([numbers(stream, 1, 3)])
    const events = (await store().read([stream])).get(stream) ?? []
    expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2])
    // When it was taken in, a store may say or not.
    expect(events.slice(0, 2).map(({ recordedAt: _when, ...event }) => event)).toEqual(
      first.events.map((event, revision) => ({ ...event, stream, revision, position: expect.any(String) })),
    )
    expect(events[1]?.position).toBe(position)
  })

  test('a stream that is not where it was expected is a conflict that names it', async () => {
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 1, 2)])
    for (const expected of [noStream, 0, 2, 7]) {
      const refused = store().append([numbers(stream, expected, 99)])
      await expect(refused).rejects.toThrow(WrongExpectedRevision)
      await expect(refused).rejects.toMatchObject({ stream, expectedRevision: expected })
    }
    expect(await readNumbers(stream)).toEqual([1, 2])
  })

  test('a revision is not expected of a stream that has no events', async () => {
    await expect(store().append([numbers(freshStream(), 0, 1)])).rejects.toThrow(WrongExpectedRevision)
  })

  test('one append goes to several streams, and many are read in one call', async () => {
    const [a, b, c] = [freshStream(), freshStream(), freshStream()]
    const position = await store().append([numbers(b, noStream, 1), numbers(a, noStream, 2, 3)])
    const streams = await store().read([a, b, c])
    expect([...streams].map(([stream, events]) => [stream, events.length])).toEqual([
      [a, 2],
      [b, 1],
      [c, 0],
    ])
    expect(streams.get(a)?.at(-1)?.position).toBe(position)
  })

  test('the same stream may stand twice in one append', async () => {
    const [a, b] = [freshStream(), freshStream()]
    await store().append([numbers(a, noStream, 1), numbers(b, noStream, 5), numbers(a, 0, 2)])
    expect(await readNumbers(a)).toEqual([1, 2])
    expect(await readNumbers(b)).toEqual([5])
  })

  test('the second time it expects what the first leaves behind', async () => {
    const stream = freshStream()
    const append = [numbers(stream, noStream, 1), numbers(stream, noStream, 2)]
    await expect(store().append(append)).rejects.toThrow(WrongExpectedRevision)
    expect(await readNumbers(stream)).toEqual([])
  })

  test('nothing to append is no error and comes before every event', async () => {
    expect(await store().append([])).toBe(beginning)
    expect(await store().append([{ stream: freshStream(), expectedRevision: 4, events: [] }])).toBe(beginning)
  })

  test('a later position is greater as text', async () => {
    const stream = freshStream()
    const positions: Position[] = []
    for (let revision = noStream; revision < 20; revision += 1)
      positions.push(await store().append([numbers(stream, revision, revision)]))
    expect(positions.toSorted()).toEqual(positions)
    expect(positions[0]! > beginning).toBe(true)
  })

  test('the end of the store is the last append', async () => {
    const before = await store().end()
    const position = await store().append([numbers(freshStream(), noStream, 1, 2, 3)])
    const end = await store().end()
    expect(end.position).toBe(position)
    expect([null, (before.events ?? 0) + 3]).toContain(end.events)
    expect(await store().ping()).toBe(true)
  })
}

/** Whose events a store holds: said once, by whoever is first. `makeStore` makes one that nobody has claimed. */
export const claimingContract = (
  name: string,
  makeStore: () => Promise<{ store: EventStore; close: () => Promise<void> }>,
): void => {
  test(`${name}: the first school to claim it has it, and claiming is no event`, async () => {
    const { store, close } = await makeStore()
    expect(await store.school()).toBeNull()
    const [one, two] = [randomUUID(), randomUUID()]
    const [first, second] = await Promise.all([store.claim(one), store.claim(two)])
    expect(first).toBe(second)
    expect([one, two]).toContain(first)
    expect(await store.claim(randomUUID())).toBe(first)
    expect(await store.school()).toBe(first)
    expect((await store.end()).position).toBe(beginning)
    await close()
  })
}

const conflictContract = ({ store, freshStream, numbers, readNumbers }: Bench): void => {
  test('the same append again is recognised by its event ids and answers as the first time', async () => {
    const [a, b] = [freshStream(), freshStream()]
    const append = [numbers(a, noStream, 1, 2), numbers(b, noStream, 3)]
    const position = await store().append(append)
    expect(await store().append(append)).toBe(position)
    expect(await readNumbers(a)).toEqual([1, 2])
    expect(await readNumbers(b)).toEqual([3])
  })

  test('it is recognised after others have appended', async () => {
    const stream = freshStream()
    const append = numbers(stream, noStream, 1)
    const position = await store().append([append])
    await store().append([numbers(stream, 0, 2)])
    expect(await store().append([append])).toBe(position)
    expect(await readNumbers(stream)).toEqual([1, 2])
  })

  test('of an append that is there in part the rest is appended', async () => {
    const [a, b] = [freshStream(), freshStream()]
    await store().append([numbers(a, noStream, 1)])
    await store().append([numbers(a, noStream, 1), numbers(b, noStream, 2), numbers(a, 0, 3)])
    expect(await readNumbers(a)).toEqual([1, 3])
    expect(await readNumbers(b)).toEqual([2])
  })

  test('other events at the same place are a conflict, not a repeat', async () => {
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 1)])
    await expect(store().append([numbers(stream, noStream, 2)])).rejects.toThrow(WrongExpectedRevision)
  })

  test('of 20 writers on one stream one wins and 19 are told of the conflict', async () => {
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 0)])
    const race = Array.from({ length: 20 }, (_, writer) => store().append([numbers(stream, 0, writer + 1)]))
    const outcomes = await Promise.allSettled(race)
    const losers = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(losers).toHaveLength(19)
    for (const { reason } of losers) expect(reason).toBeInstanceOf(WrongExpectedRevision)
    expect(await readNumbers(stream)).toHaveLength(2)
  })

  test('the same append sent 10 times at once is stored once and accepted 10 times', async () => {
    const stream = freshStream()
    const append = numbers(stream, noStream, 1, 2)
    const positions = await Promise.all(Array.from({ length: 10 }, () => store().append([append])))
    expect(new Set(positions).size).toBe(1)
    expect(await readNumbers(stream)).toEqual([1, 2])
  })
}

const note = (stream: string, bytes: number): StreamAppend => {
  const text = 'k'.repeat(bytes - JSON.stringify({ text: '' }).length)
  return { stream, expectedRevision: noStream, events: newEvents(stream, noted({ text })) }
}

const sizeContract = ({ store, freshStream, numbers, readNumbers }: Bench): void => {
  test('an event of 1 MiB is stored and read back', async () => {
    const stream = freshStream()
    const append = note(stream, maxEventBytes)
    await store().append([append])
    expect((await store().read([stream])).get(stream)?.[0]?.data).toEqual(append.events[0]?.data)
  })

  test('a larger one is refused in clear words and leaves nothing', async () => {
    const [large, small] = [freshStream(), freshStream()]
    const append = [numbers(small, noStream, 1), note(large, maxEventBytes + 1)]
    await expect(store().append(append)).rejects.toThrow('test.noted.v1 of 1048577 bytes is too large')
    expect(await readNumbers(small)).toEqual([])
    expect(await readNumbers(large)).toEqual([])
  })

  test('there may be thousands of streams', async () => {
    const streams = Array.from({ length: 3_000 }, freshStream)
    for (let start = 0; start < streams.length; start += 500)
      await store().append(streams.slice(start, start + 500).map((stream) => numbers(stream, noStream, 1)))
    const found = await store().read(streams)
    expect([...found.values()].every((events) => events.length === 1)).toBe(true)
    expect(found.size).toBe(3_000)
  })
}

/** What every event store promises (DESIGN section 3). Answers the tools to write a store's own specs with. */
export const eventStoreContract = (name: string, makeStore: () => Promise<StoreUnderTest>): void => {
  describe(`event store contract: ${name}`, () => {
    let under: StoreUnderTest
    beforeAll(async () => {
      under = await makeStore()
    })
    afterAll(() => under.close())

    const bench = benchOf(() => under)
    appendingContract(bench)
    conflictContract(bench)
    sizeContract(bench)
    subscriptionContract(bench)
  })
}
