import type { EventMetadata } from '#kernel/event'

/**
 * Where an event stands in the whole store. Opaque but for one promise: as text, a later position compares greater
 * (`a < b`), so "have the views passed this?" is a comparison of strings.
 */
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

/** Append `events` to `stream`, whose last revision must be `expectedRevision`; `noStream` where it must be empty. */
export type StreamAppend = { stream: string; expectedRevision: number; events: NewEvent[] }

/** The expected revision of a stream that has no events yet. */
export const noStream = -1

/** The stream was not at the expected revision: somebody else appended first. Load, decide and append again. */
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

/**
 * The store is away, or has nobody who leads it: what was asked of it may be done all the same, and asking again later
 * helps. Whoever asked has waited as long as calls are repeated.
 */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable'
}

/** Called with committed events in order, at most `batchSize` at once; the next batch waits for the promise. */
export type BatchHandler = (events: RecordedEvent[]) => Promise<void>

export type SubscribeOptions = {
  /** Deliver events after this position; null, like `beginning`, delivers all. */
  from: Position | null
  batchSize: number
  /** Only these event types; all when absent. */
  types?: readonly string[]
}

/**
 * A running subscription. `close` resolves once no handler is running. `done` resolves when closed and rejects when
 * the handler or the store fails for good: the follower decides whether to start again from its checkpoint.
 */
export type Subscription = { close: () => Promise<void>; done: Promise<void> }

/** Where a store ends now: the last event's position (`beginning` when empty) and how many events there are. */
export type StoreEnd = {
  position: Position
  /** Null where the store cannot tell cheaply. */
  events: number | null
}

/** The one port to orders' and payments' history (DESIGN section 3). Three adapters pass one contract suite. */
export type EventStore = {
  /**
   * Appends to several streams in the order given; one transaction where the store has them, else one group of streams
   * after another (see `appendGroups`), those of a group at once, so nothing may depend on the step being atomic. The same stream may stand there twice, the second time
   * expecting what the first leaves behind.
   * Repeating an append of the same event ids is accepted and answers as the first time; of an append that is there
   * in part, the missing streams are appended. Streams without events are left out; with nothing at all to append
   * the answer is `beginning`.
   * Throws WrongExpectedRevision, and an Error for an event of more than 1 MiB. Answers the position of the last event.
   */
  append: (appends: StreamAppend[]) => Promise<Position>

  /** The whole of each named stream, oldest event first; an absent stream is an empty list. */
  read: (streams: string[]) => Promise<Map<string, RecordedEvent[]>>

  /**
   * Delivers every committed event after `from` exactly once and in order, also when appends commit out of order,
   * first what is there, then what comes, woken and not polled.
   */
  subscribe: (options: SubscribeOptions, onBatch: BatchHandler) => Subscription

  end: () => Promise<StoreEnd>

  /** When the oldest event after this position was made (an ISO instant); null when none is there. */
  oldestAfter: (position: Position) => Promise<string | null>

  /** The id of the school whose events these are; null while no school has claimed the store. */
  school: () => Promise<string | null>

  /** Says whose events these are, unless that was said before; answers the id that stands there now. */
  claim: (schoolId: string) => Promise<string>

  /** True when the store answers; used by readiness. */
  ping: () => Promise<boolean>

  close: () => Promise<void>
}
