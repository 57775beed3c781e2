import type { EventMetadata } from '#kernel/event'

/** Opaque, but compares as text: a later position is greater. */
export type Position = string

/** Before the first event of every store; compares less than any position. */
export const beginning: Position = ''

/** `id` is a UUID, unique in the store, that makes the append safe to repeat. `data` is JSON of at most 1 MiB. */
export type NewEvent = { id: string; type: string; data: unknown; metadata: EventMetadata }

/** `revision` counts from 0 within the stream. */
export type RecordedEvent = NewEvent & {
  stream: string
  revision: number
  position: Position
  /** When the store took it in, an ISO instant; only where it says so without being asked. */
  recordedAt?: string
}

/** `expectedRevision` is that of the stream's last event; `noStream` where the stream must be empty. */
export type StreamAppend = {
  stream: string
  expectedRevision: number
  events: NewEvent[]
  /** What the caller has read of the stream: its first events name the family of the new ones. */
  earlier?: readonly { data: unknown }[] | undefined
  /** Its group is itself: what comes after it is stored only once it is. */
  alone?: boolean | undefined
}

export const noStream = -1

/** Another append came first. Load, decide and append again. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  readonly stream: string
  readonly expectedRevision: number

  constructor(stream: string, expectedRevision: number) {
    super(`Stream ${stream} is not at revision ${expectedRevision}`)
    this.stream = stream
    this.expectedRevision = expectedRevision
  }
}

/** The store is away or has no leader. The call may still have taken effect; repeating it later is safe. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable'
}

/** Gets committed events in order, at most `batchSize` at once; the next batch waits for the promise. */
export type BatchHandler = (events: RecordedEvent[]) => Promise<void>

export type SubscribeOptions = {
  /** Deliver events after this position; null, like `beginning`, delivers all. */
  from: Position | null
  batchSize: number
  /** Only these event types; all when absent. */
  types?: readonly string[]
}

/** `close` resolves once no handler runs. `done` resolves when closed, and rejects when the handler or the store fails for good. */
export type Subscription = { close: () => Promise<void>; done: Promise<void> }

/** `position` is that of the last event, `beginning` when empty. */
export type StoreEnd = {
  position: Position
  /** Null where the store cannot tell cheaply. */
  events: number | null
}

/** The one port to orders' and payments' history (DESIGN section 3). Three adapters pass one contract suite. */
export type EventStore = {
  /**
   * Appends in the order given: in one transaction where the store has them, else group after group (`appendGroups`), so nothing may depend
   * on atomicity. A stream may come twice, the second time expecting what the first leaves. Repeating the same event ids is safe: it stores
   * what is missing and answers as before. Throws WrongExpectedRevision, and Error for an event over 1 MiB. Answers the last position, or
   * `beginning` for nothing to append.
   */
  append: (appends: StreamAppend[]) => Promise<Position>

  /** Oldest event first; an absent stream is an empty list. */
  read: (streams: string[]) => Promise<Map<string, RecordedEvent[]>>

  /** Delivers every committed event after `from` exactly once and in order, also when appends commit out of order. */
  subscribe: (options: SubscribeOptions, onBatch: BatchHandler) => Subscription

  end: () => Promise<StoreEnd>

  /** ISO instant; null when there is none. */
  oldestAfter: (position: Position) => Promise<string | null>

  /** Null while no school has claimed the store. */
  school: () => Promise<string | null>

  /** Claims an unclaimed store; answers the school that owns it. */
  claim: (schoolId: string) => Promise<string>

  ping: () => Promise<boolean>

  close: () => Promise<void>
}

/** Hands over every event up to `end` once, in order, and resolves when all are handled. Events appended meanwhile may be included. */
export const readLog = async (
  eventStore: Pick<EventStore, 'subscribe'>,
  end: Pick<StoreEnd, 'position'>,
  batchSize: number,
  onBatch: (events: RecordedEvent[]) => Promise<void>,
  from: Position = beginning,
): Promise<void> => {
  if (end.position <= from) return
  const reached = new AbortController()
  const complete = new Promise<void>((resolve) => {
    reached.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const subscription = eventStore.subscribe({ from, batchSize }, async (events) => {
    if (reached.signal.aborted) return
    await onBatch(events)
    const position: Position = events.at(-1)?.position ?? beginning
    if (position >= end.position) reached.abort()
  })
  try {
    await Promise.race([complete, subscription.done])
  } finally {
    await subscription.close()
  }
}

/** Without its position, which means nothing in another store. */
export type LogLine = { id: string; position: Position; text: string }

/** `recordedAt` is an ISO instant, null when unknown. */
export type LoggedEvent = Omit<RecordedEvent, 'position' | 'recordedAt'> & { recordedAt: string | null }

export const readLogLine = (text: string): LoggedEvent => JSON.parse(text) as LoggedEvent

export const logLine = (event: RecordedEvent): LogLine => {
  const { id, position, stream, revision, type, data, metadata, recordedAt = null } = event
  const logged: LoggedEvent = { stream, revision, id, type, data, metadata, recordedAt }
  return { id, position, text: JSON.stringify(logged) }
}
