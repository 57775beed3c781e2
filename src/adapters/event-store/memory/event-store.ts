import { appendsWithEvents, eventJson, recognised, refuseConflict } from '#platform/event-store/append-plan'
import {
  beginning,
  noStream,
  type EventStore,
  type Position,
  type RecordedEvent,
  type StoreEnd,
  type StreamAppend,
} from '#platform/event-store/event-store'
import { pullSubscription, type Page } from '#platform/event-store/pull-subscription'

const positionOf = (index: number) => String(index + 1).padStart(20, '0')

export const memoryEventStore = (): EventStore => {
  const events = memoryEvents()
  const subscriptions = new Set<ReturnType<typeof pullSubscription>>()
  let school: string | null = null

  return {
    append: async (appends) => {
      const position = events.append(appends)
      for (const { wake } of subscriptions) wake()
      return position
    },
    read: async (streams) =>
      new Map(streams.map((stream): [string, RecordedEvent[]] => [stream, events.ofStream(stream)])),
    subscribe: ({ from, batchSize, types }, onBatch) => {
      const readPage = async (after: Position) => events.readPage(after, batchSize, types)
      const running = pullSubscription({ from: from ?? beginning, readPage, onBatch, pollMs: null })
      const forget = () => void subscriptions.delete(running)
      subscriptions.add(running)
      running.done.then(forget, forget)
      return running
    },
    end: async () => events.end(),
    oldestAfter: async (position) => events.oldestAfter(position),
    school: async () => school,
    claim: async (schoolId) => (school ??= schoolId),
    ping: async () => true,
    close: async () => {
      await Promise.all([...subscriptions].map(({ close }) => close()))
    },
  }
}

const indexAfter = (position: Position) => (position === beginning ? 0 : Number(position))

const memoryEvents = () => {
  const log: RecordedEvent[] = []
  const streams = new Map<string, RecordedEvent[]>()
  const byId = new Map<string, RecordedEvent>()

  const lastRevision = (stream: string) => streams.get(stream)?.at(-1)?.revision ?? noStream

  const record = ({ stream, events }: StreamAppend) => {
    for (const event of events) {
      const place = { stream, revision: lastRevision(stream) + 1, position: positionOf(log.length) }
      const recorded = { ...structuredClone(event), data: JSON.parse(eventJson(event)), ...place }
      log.push(recorded)
      byId.set(recorded.id, recorded)
      streams.set(stream, [...(streams.get(stream) ?? []), recorded])
    }
  }

  const append = (appends: StreamAppend[]): Position => {
    const filled = appendsWithEvents(appends)
    for (const { events } of filled) events.forEach(eventJson)
    const { missing, passed } = recognised(filled, byId)
    if (missing.length === 0) return passed
    refuseConflict(missing, lastRevision)
    for (const { id } of missing.flatMap(({ events }) => events))
      if (byId.has(id)) throw new Error(`The event id ${id} is already used elsewhere in the store`)
    missing.forEach(record)
    return positionOf(log.length - 1)
  }

  const readPage = (after: Position, batchSize: number, types: readonly string[] | undefined): Page => {
    const page = log.slice(indexAfter(after), indexAfter(after) + batchSize)
    const wanted = page.filter(({ type }) => types === undefined || types.includes(type))
    const next = page.length === batchSize ? 'more' : 'wait'
    return { events: structuredClone(wanted), after: page.at(-1)?.position ?? after, next }
  }

  return {
    append,
    readPage,
    ofStream: (stream: string) => structuredClone(streams.get(stream) ?? []),
    oldestAfter: (position: Position) => log[indexAfter(position)]?.metadata.at ?? null,
    end: (): StoreEnd => ({ position: log.at(-1)?.position ?? beginning, events: log.length }),
  }
}
