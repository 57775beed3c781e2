import { maxEventBytes } from '#platform/event-store/append-plan'
import { noStream, type StreamAppend } from '#platform/event-store/event-store'
import { newEvents, noted } from '../../support/recorded-events'
import type { Bench } from './store-under-test'

const note = (stream: string, bytes: number): StreamAppend => {
  const text = 'k'.repeat(bytes - JSON.stringify({ text: '' }).length)
  return { stream, expectedRevision: noStream, events: newEvents(stream, noted({ text })) }
}

export const sizeContract = ({ store, freshStream, numbers, readNumbers }: Bench): void => {
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
