import type {
  AllStreamRecordedEvent,
  AllStreamResolvedEvent,
  AllStreamSubscription,
  Filter,
} from '@eventstore/db-client'
import { placeOf, positionOf } from './events'
import { within } from './retry-policy'
import type { Esdb } from './read'
import { beginning } from '#platform/event-store/event-store'
import type { Position } from '#platform/event-store/event-store'

/** One open subscription to $all, until it breaks. The server sends no more than is taken out, plus a buffer. */
export type Line = {
  /** At most `most` of the events that have come, oldest first. */
  take: (most: number) => AllStreamRecordedEvent[]
  /** How far the server has looked, everything up to there being taken; `beginning` when it has not said. */
  passed: () => Position
  /** Why it broke, told when all that had come has been taken. */
  broken: () => Error | null
  end: () => void
}

export type Opening = {
  after: Position
  filter: Pick<Filter, 'filterOn'> & { prefixes: string[] }
  /** Events that may wait here to be taken. */
  buffer: number
}

// Events the server looks at between two checkpoints.
const searchWindow = 500

/** Opens a line and waits until the server has confirmed it. `wake` is called when there is something to look at. */
export const openLine = async (esdb: Esdb, opening: Opening, wake: () => void): Promise<Line> => {
  const { confirmed, ...line } = startLine(esdb, opening, wake)
  try {
    await within(esdb.retryPolicy.callMs, confirmed)
    return line
  } catch (error) {
    line.end()
    throw error
  }
}

const startLine = ({ client, call }: Esdb, { after, filter, buffer }: Opening, wake: () => void) => {
  let passed = beginning
  const fromPosition = placeOf(after)
  const moving: Filter = {
    ...filter,
    checkpointInterval: 1,
    maxSearchWindow: searchWindow,
    // Called as the checkpoint comes in. Where events before it still wait to be taken, those say how far it is.
    checkpointReached: (_, place) => {
      if (stream.readableLength === 0) passed = positionOf(place) ?? passed
    },
  }
  const { credentials } = call
  const stream = client.subscribeToAll(
    { fromPosition, filter: moving, credentials },
    { highWaterMark: buffer },
  )
  return {
    ...watched(stream, wake),
    take: (most: number) => takenFrom(stream, most),
    passed: () => passed,
    end: () => void stream.unsubscribe().catch(() => undefined),
  }
}

const watched = (stream: AllStreamSubscription, wake: () => void) => {
  let failure: Error | null = null
  const confirmed = new Promise<void>((resolve, reject) => {
    // Heard also after the confirmation: an unheard error would end the process.
    const fail = (error: Error) => {
      failure ??= error
      reject(failure)
      wake()
    }
    stream.on('confirmation', resolve)
    stream.on('error', fail)
    stream.on('end', () => fail(endedByServer()))
  })
  stream.on('readable', wake)
  return { confirmed, broken: () => failure }
}

const endedByServer = () =>
  Object.assign(new Error('The event store ended the subscription'), { code: 14 /* unavailable */ })

const takenFrom = (stream: AllStreamSubscription, most: number): AllStreamRecordedEvent[] => {
  const events: AllStreamRecordedEvent[] = []
  while (events.length < most) {
    const next = stream.read() as AllStreamResolvedEvent | null
    if (next === null) break
    if (next.event) events.push(next.event)
  }
  return events
}
