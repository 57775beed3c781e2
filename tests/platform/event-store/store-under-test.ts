import type { EventStore, Position, StreamAppend } from '#platform/event-store/event-store'
import { counted, newEvents } from '../../support/recorded-events'

/** A store under test. Its data may outlive a run, so every stream's name begins with `run`. */
export type StoreUnderTest = {
  run: string
  store: EventStore
  /** The same data as another process has it. */
  another: () => Promise<EventStore>
  /** Ends everything that was opened. */
  close: () => Promise<void>
}

export type Bench = ReturnType<typeof benchOf>

/** What the specs of a store are written with. */
export const benchOf = (under: () => StoreUnderTest) => {
  let made = 0
  const store = () => under().store
  return {
    store,
    another: () => under().another(),
    freshStream: () => `${under().run}-${(made += 1)}`,
    /** An append of numbered events; the same stream, revision and numbers are the same event ids. */
    numbers: (stream: string, expectedRevision: number, ...values: number[]): StreamAppend => ({
      stream,
      expectedRevision,
      events: newEvents(
        `${stream}/${expectedRevision}/${values.join()}`,
        ...values.map((number) => counted({ number })),
      ),
    }),
    readNumbers: async (stream: string): Promise<number[]> => {
      const events = (await store().read([stream])).get(stream) ?? []
      return events.map(({ data }) => (data as { number: number }).number)
    },
    here: async (): Promise<Position> => (await store().end()).position,
  }
}

export const places = (events: { stream: string; revision: number }[]): string[] =>
  events.map(({ stream, revision }) => `${stream}@${revision}`)
