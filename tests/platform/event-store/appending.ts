import { beginning, noStream, WrongExpectedRevision, type Position } from '#platform/event-store/event-store'
import type { Bench } from './store-under-test'

export const appendingContract = ({ store, freshStream, numbers, readNumbers }: Bench): void => {
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
