import type { AllStreamRecordedEvent } from '@eventstore/db-client'
import { isOwn, positionOf, recordedEvent } from './events'
import { openLine } from './connection'
import type { Line } from './connection'
import { isPassing, withRetries } from './retry-policy'
import type { Esdb } from './read'
import { beginning } from '#platform/event-store/event-store'
import type {
  BatchHandler,
  Position,
  RecordedEvent,
  Subscription,
  SubscribeOptions,
} from '#platform/event-store/event-store'
import { pullSubscription } from '#platform/event-store/pull-subscription'
import type { Page } from '#platform/event-store/pull-subscription'
import type { Log } from '#platform/log'

/**
 * A subscription over one line after another: one that breaks is replaced, from where the last one came to, as long as
 * the store comes back within the time that calls are repeated for.
 */
export const esdbSubscription = (
  esdb: Esdb,
  { from, batchSize, types }: SubscribeOptions,
  onBatch: BatchHandler,
  log: Log,
): Subscription => {
  const closing = new AbortController()
  const filter = serverFilter(esdb, types)
  const lines = linesInTurn({
    open: (after) =>
      withRetries(esdb.retryPolicy, closing.signal, () =>
        openLine(esdb, { after, filter, buffer: batchSize }, () => running.wake()),
      ),
    isWanted: (event) => isOwn(event, esdb) && (types === undefined || types.includes(event.type)),
    recorded: (event) => recordedEvent(event, esdb.prefix),
    batchSize,
    log,
  })
  const readPage = (after: Position): Promise<Page> =>
    lines.readPage(after).catch((error: unknown) => {
      if (closing.signal.aborted) return { events: [], after, next: 'wait' }
      throw error
    })
  const running = pullSubscription({ from: from ?? beginning, readPage, onBatch, pollMs: null })
  running.done.then(lines.end, lines.end)
  const close = () => {
    closing.abort()
    return running.close()
  }
  return { close, done: running.done }
}

const linesInTurn = (needs: {
  open: (after: Position) => Promise<Line>
  isWanted: (event: AllStreamRecordedEvent) => boolean
  recorded: (event: AllStreamRecordedEvent) => RecordedEvent
  batchSize: number
  log: Log
}) => {
  let line: Line | null = null
  const end = () => line?.end()

  const readPage = async (after: Position): Promise<Page> => {
    line ??= await needs.open(after)
    const came = line.take(needs.batchSize)
    const reached = latest(after, lastOf(came), line.passed())
    if (came.length > 0) {
      const events = came.filter(needs.isWanted).map(needs.recorded)
      return { events: events.filter(({ position }) => position > after), after: reached, next: 'more' }
    }
    const why = line.broken()
    if (why === null) return { events: [], after: reached, next: 'wait' }
    if (!isPassing(why)) throw why
    needs.log.warn(
      { err: why, after: reached },
      'a subscription to the event store broke and is taken up again',
    )
    end()
    line = null
    return { events: [], after: reached, next: 'soon' }
  }

  return { readPage, end }
}

/**
 * The server filters by stream names or by event types, not by both: the few types a reactor wants are fewer events
 * than all of this application's streams hold. The other half, and types that only begin alike, are told apart here.
 */
const serverFilter = ({ streams, prefix }: Esdb, types: readonly string[] | undefined) =>
  types !== undefined && types.length > 0
    ? { filterOn: 'eventType' as const, prefixes: [...types] }
    : { filterOn: 'streamName' as const, prefixes: streams.map((name) => prefix + name) }

const lastOf = (events: AllStreamRecordedEvent[]): Position =>
  positionOf(events.at(-1)?.position) ?? beginning

const latest = (...positions: Position[]): Position => positions.reduce((a, b) => (a > b ? a : b))
