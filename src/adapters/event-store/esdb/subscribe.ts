import type {
  AllStreamRecordedEvent,
  AllStreamResolvedEvent,
  AllStreamSubscription,
  Filter,
} from '@eventstore/db-client'
import {
  beginning,
  type BatchHandler,
  type Position,
  type RecordedEvent,
  type Subscription,
  type SubscribeOptions,
} from '#platform/event-store/event-store'
import { pullSubscription, type Page } from '#platform/event-store/pull-subscription'
import { answered, type Esdb, withRetries } from './connection'
import { isOwn, placeOf, positionOf, recordedEvent, type NewestEvents } from './read'

/** Survives broken connections while the store returns within the retry time. Once caught up it reads the shared newest events. */
export const esdbSubscription = (
  esdb: Esdb,
  { from, batchSize, types }: SubscribeOptions,
  onBatch: BatchHandler,
  { newest, onBroken }: { newest: NewestEvents; onBroken: (error: Error) => void },
): Subscription => {
  const closing = new AbortController()
  const closed = new Promise<Page['next']>((resolve) =>
    closing.signal.addEventListener('abort', () => resolve('wait'), { once: true }),
  )
  const isWanted = ({ type }: { type: string }) => types === undefined || types.includes(type)
  const own = pagesFrom({ ...esdb, closing: closing.signal }, { types, batchSize }, onBroken, () =>
    running.wake(),
  )
  let leave: (() => void) | null = null

  const ownPage = async (after: Position): Promise<Page> => {
    const page = await own.readPage(after)
    if (!(await newest.cover(page.after, page.after > after))) return page
    own.end()
    leave = newest.join(() => running.wake())
    return { ...page, next: 'more' }
  }
  const sharedPage = async (after: Position): Promise<Page> => {
    const page = await newest.readPage(after, batchSize, isWanted)
    if (page !== null) return page
    leave?.()
    leave = null
    return ownPage(after)
  }
  const readPage = (after: Position): Promise<Page> => {
    const page = (leave === null ? ownPage(after) : sharedPage(after)).catch((error: unknown) => {
      if (closing.signal.aborted) return { events: [], after, next: 'wait' as const }
      throw error
    })
    // A shared read goes on when one subscription closes.
    return Promise.race([page, closed.then((next) => ({ events: [], after, next }))])
  }
  const running = pullSubscription({ from: from ?? beginning, readPage, onBatch, pollMs: null })
  const end = () => {
    leave?.()
    own.end()
  }
  running.done.then(end, end)
  const close = () => {
    closing.abort()
    return running.close()
  }
  return { close, done: running.done }
}

export const pagesFrom = (
  esdb: Esdb,
  { types, batchSize }: Pick<SubscribeOptions, 'types' | 'batchSize'>,
  onBroken: (error: Error) => void,
  wake: () => void,
) =>
  pagesOfConnection({
    open: (after) =>
      withRetries(esdb, (callMs) =>
        openConnection(esdb, { after, filter: serverFilter(esdb, types), buffer: batchSize, callMs }, wake),
      ),
    isWanted: (event) => isOwn(event, esdb) && (types === undefined || types.includes(event.type)),
    recorded: (event) => recordedEvent(event, esdb.prefix),
    batchSize,
    isPassing: esdb.isPassing,
    onBroken,
  })

const pagesOfConnection = (needs: {
  open: (after: Position) => Promise<Connection>
  isWanted: (event: AllStreamRecordedEvent) => boolean
  recorded: (event: AllStreamRecordedEvent) => RecordedEvent
  batchSize: number
  isPassing: Esdb['isPassing']
  onBroken: (error: Error) => void
}) => {
  let connection: Connection | null = null
  const end = () => {
    connection?.end()
    connection = null
  }

  const readPage = async (after: Position): Promise<Page> => {
    connection ??= await needs.open(after)
    const arrived = connection.take(needs.batchSize)
    const reached = latest(after, lastOf(arrived), connection.searchedTo())
    if (arrived.length > 0) {
      const events = arrived.filter(needs.isWanted).map(needs.recorded)
      return { events: events.filter(({ position }) => position > after), after: reached, next: 'more' }
    }
    const failure = connection.broken()
    if (failure === null) return { events: [], after: reached, next: 'wait' }
    if (!needs.isPassing(failure)) throw failure
    needs.onBroken(failure)
    end()
    return { events: [], after: reached, next: 'soon' }
  }

  return { readPage, end }
}

/** The server filters by stream or by type, not both: few types are fewer events than all our streams. The rest is filtered here. */
const serverFilter = ({ streams, prefix }: Esdb, types: readonly string[] | undefined) =>
  types !== undefined && types.length > 0
    ? { filterOn: 'eventType' as const, prefixes: [...types] }
    : { filterOn: 'streamName' as const, prefixes: streams.map((name) => prefix + name) }

const lastOf = (events: AllStreamRecordedEvent[]): Position =>
  positionOf(events.at(-1)?.position) ?? beginning

const latest = (...positions: Position[]): Position => positions.reduce((a, b) => (a > b ? a : b))

/** One subscription to $all until it breaks. The server sends no more than is taken, plus a buffer. */
type Connection = {
  take: (most: number) => AllStreamRecordedEvent[]
  /** The position the server has searched once all before it is taken; `beginning` if unknown. */
  searchedTo: () => Position
  broken: () => Error | null
  end: () => void
}

type ConnectionOptions = {
  after: Position
  filter: Pick<Filter, 'filterOn'> & { prefixes: string[] }
  buffer: number
  callMs: number
}

const searchWindow = 500

const openConnection = async (
  esdb: Esdb,
  options: ConnectionOptions,
  wake: () => void,
): Promise<Connection> => {
  const { confirmed, ...connection } = startConnection(esdb, options, wake)
  try {
    await answered(options.callMs, confirmed)
    return connection
  } catch (error) {
    connection.end()
    throw error
  }
}

const startConnection = (
  { client, call }: Esdb,
  { after, filter, buffer }: ConnectionOptions,
  wake: () => void,
) => {
  let searchedTo = beginning
  const fromPosition = placeOf(after)
  const withCheckpoints: Filter = {
    ...filter,
    checkpointInterval: 1,
    maxSearchWindow: searchWindow,
    // Events that wait before the checkpoint tell the progress until taken.
    checkpointReached: (_, place) => {
      if (stream.readableLength > 0) return
      searchedTo = positionOf(place) ?? searchedTo
      wake()
    },
  }
  const { credentials } = call
  const stream = client.subscribeToAll(
    { fromPosition, filter: withCheckpoints, credentials },
    { highWaterMark: buffer },
  )
  return {
    ...watched(stream, wake),
    take: (most: number) => eventsIn(stream, most),
    searchedTo: () => searchedTo,
    end: () => void stream.unsubscribe().catch(() => undefined),
  }
}

const watched = (stream: AllStreamSubscription, wake: () => void) => {
  let failure: Error | null = null
  const confirmed = new Promise<void>((resolve, reject) => {
    // Also after confirmation: an unhandled error event would end the process.
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

const eventsIn = (stream: AllStreamSubscription, most: number): AllStreamRecordedEvent[] => {
  const events: AllStreamRecordedEvent[] = []
  while (events.length < most) {
    const next = stream.read() as AllStreamResolvedEvent | null
    if (next === null) break
    if (next.event) events.push(next.event)
  }
  return events
}
