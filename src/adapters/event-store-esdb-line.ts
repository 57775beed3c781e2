import type { AllStreamRecordedEvent, AllStreamResolvedEvent, Filter } from '@eventstore/db-client'
import { placeOf, positionOf } from './event-store-esdb-events'
import { within } from './event-store-esdb-patience'
import type { Esdb } from './event-store-esdb-read'
import { beginning } from '#platform/event-store/event-store'
import type { Position } from '#platform/event-store/event-store'

/** One open subscription to $all, until it breaks. The server sends no more than is taken out, plus a buffer. */
export type Line = {
  /** At most `most` of the events that have come, oldest first. */
  take: (most: number) => AllStreamRecordedEvent[]
  /** How far the server has looked, all events up to there being taken; `beginning` when it has not said. */
  passed: () => Position
  /** Why it broke, told when all that had come has been taken. */
  broken: () => Error | null
  end: () => void
}

// Events the server looks at between two checkpoints.
const searchWindow = 500

/** Opens a line and waits until the server has confirmed it. `wake` is called when there is something to look at. */
export const openLine = async (
  { client, call, patience }: Esdb,
  opening: { after: Position; filter: Pick<Filter, 'filterOn'> & { prefixes: string[] }; buffer: number },
  wake: () => void,
): Promise<Line> => {
  let taken = 0
  let mark = { position: beginning, behind: 0 }
  let failure: Error | null = null

  const { credentials } = call
  const filter: Filter = {
    ...opening.filter,
    checkpointInterval: 1,
    maxSearchWindow: searchWindow,
    // Called as the checkpoint comes in, when events before it may still wait to be taken.
    checkpointReached: (_, place) => {
      const position = positionOf(place)
      if (position !== null) mark = { position, behind: taken + stream.readableLength }
    },
  }
  const fromPosition = placeOf(opening.after)
  const stream = client.subscribeToAll(
    { fromPosition, filter, credentials },
    { highWaterMark: opening.buffer },
  )
  const confirmed = new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      failure ??= error
      reject(failure)
      wake()
    }
    stream.on('confirmation', resolve)
    stream.on('error', fail)
    stream.on('end', () =>
      fail(Object.assign(new Error('The event store ended the subscription'), { code: 14 })),
    )
  })
  stream.on('readable', wake)

  const end = () => void stream.unsubscribe().catch(() => undefined)

  const take = (most: number) => {
    const events: AllStreamRecordedEvent[] = []
    while (events.length < most) {
      const next = stream.read() as AllStreamResolvedEvent | null
      if (next === null) break
      taken += 1
      if (next.event) events.push(next.event)
    }
    return events
  }

  try {
    await within(patience.callMs, confirmed)
  } catch (error) {
    end()
    throw error
  }
  const passed = () => (taken >= mark.behind ? mark.position : beginning)
  return { take, passed, broken: () => failure, end }
}
