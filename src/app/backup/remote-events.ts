import type { MovedEvent, MovedEvents } from '../../adapters/postgres/moved-events'
import { type EventStore, WrongExpectedRevision } from '#platform/event-store/event-store'
import type { LoggedEvent } from '#platform/event-store/log-line'
import { readLog } from '#platform/event-store/read-log'
import { StartError } from '#platform/start-error'

const pageEvents = 500

/**
 * Appends a log to an event store event by event, in its order. What is there already from an earlier, interrupted
 * time is passed over; anything else there is refused, before anything is appended.
 */
export const remoteEvents = async (eventStore: EventStore, moved: MovedEvents) => {
  let there = 0
  await readLog(eventStore, await eventStore.end(), pageEvents, async (events) => {
    await moved.add(
      there,
      events.map((event) => ({ ...event, at: event.metadata.at })),
    )
    there += events.length
  })
  let done = 0

  const add = async (events: readonly LoggedEvent[]): Promise<void> => {
    const known = done < there ? await moved.after(done, events.length) : []
    for (const [index, { id, stream, revision }] of known.entries()) {
      const event = events[index]!
      if (event.id !== id || event.stream !== stream || event.revision !== revision)
        throw otherEvents(
          `event ${id} of ${stream} stands where event ${event.id} of ${event.stream} belongs`,
        )
    }
    const fresh: MovedEvent[] = []
    for (const event of events.slice(known.length)) {
      const position = await appendOne(eventStore, event)
      fresh.push({ ...event, position, at: event.metadata.at })
    }
    await moved.add(done + known.length, fresh)
    done += events.length
  }

  const finish = (): void => {
    if (there > done) throw otherEvents(`it has ${there} events, and only ${done} were to be there`)
  }

  return { add, finish }
}

const appendOne = async (eventStore: EventStore, event: LoggedEvent) => {
  const { stream, revision, id, type, data, metadata } = event
  try {
    return await eventStore.append([
      { stream, expectedRevision: revision - 1, events: [{ id, type, data, metadata }] },
    ])
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error
    throw otherEvents(`stream ${stream} is not where event number ${revision} of it belongs`)
  }
}

const otherEvents = (what: string) =>
  new StartError(`The event store holds other events than this school's: ${what}.`)
