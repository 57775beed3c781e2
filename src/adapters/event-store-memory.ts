import { appendsWithEvents, recognised } from '#platform/event-store/append-plan'
import { eventJson } from '#platform/event-store/event-json'
import { beginning, noStream, WrongExpectedRevision } from '#platform/event-store/event-store'
import type { EventStore, RecordedEvent, StreamAppend } from '#platform/event-store/event-store'
import { pullSubscription } from '#platform/event-store/pull-subscription'

const positionOf = (index: number) => String(index + 1).padStart(20, '0')

/** The event store port in this process's memory: for tests and trials, gone when the process ends. */
export const memoryEventStore = (): EventStore => {
  const log: RecordedEvent[] = []
  const streams = new Map<string, RecordedEvent[]>()
  const byId = new Map<string, RecordedEvent>()
  const subscriptions = new Set<ReturnType<typeof pullSubscription>>()

  const lastRevision = (stream: string) => streams.get(stream)?.at(-1)?.revision ?? noStream

  const check = (appends: StreamAppend[]) => {
    const expected = new Map<string, number>()
    for (const { stream, expectedRevision } of appends)
      if (!expected.has(stream)) expected.set(stream, expectedRevision)
    for (const [stream, revision] of expected)
      if (lastRevision(stream) !== revision) throw new WrongExpectedRevision(stream, revision)
    for (const { events } of appends)
      for (const { id } of events)
        if (byId.has(id)) throw new Error(`Event id ${id} is already used elsewhere`)
  }

  const record = ({ stream, events }: StreamAppend) => {
    for (const event of events) {
      const recorded: RecordedEvent = {
        ...structuredClone(event),
        data: JSON.parse(eventJson(event)),
        stream,
        revision: lastRevision(stream) + 1,
        position: positionOf(log.length),
      }
      log.push(recorded)
      byId.set(recorded.id, recorded)
      streams.set(stream, [...(streams.get(stream) ?? []), recorded])
    }
  }

  const look = (types: readonly string[] | undefined, batchSize: number) => (after: string) => {
    const start = after === beginning ? 0 : Number(after)
    const page = log.slice(start, start + batchSize)
    const wanted = page.filter(({ type }) => types === undefined || types.includes(type))
    return Promise.resolve({
      events: structuredClone(wanted),
      after: page.at(-1)?.position ?? after,
      next: page.length === batchSize ? ('more' as const) : ('wait' as const),
    })
  }

  return {
    append: async (appends) => {
      const filled = appendsWithEvents(appends)
      for (const { events } of filled) events.forEach(eventJson)
      const { missing, passed } = recognised(filled, byId)
      check(missing)
      if (missing.length === 0) return passed
      missing.forEach(record)
      for (const { wake } of subscriptions) wake()
      return positionOf(log.length - 1)
    },
    read: async (names) =>
      new Map(
        names.map((name): [string, RecordedEvent[]] => [name, structuredClone(streams.get(name) ?? [])]),
      ),
    subscribe: ({ from, batchSize, types }, onBatch) => {
      const subscription = pullSubscription({
        from: from ?? beginning,
        look: look(types, batchSize),
        onBatch,
        lookAgainMs: null,
      })
      subscriptions.add(subscription)
      const close = async () => {
        subscriptions.delete(subscription)
        await subscription.close()
      }
      return { done: subscription.done, close }
    },
    end: async () => ({ position: log.at(-1)?.position ?? beginning, events: log.length }),
    ping: async () => true,
    close: async () => {
      await Promise.all([...subscriptions].map(({ close }) => close()))
    },
  }
}
