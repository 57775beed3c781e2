import { type StatusObject, Metadata, status } from '@grpc/grpc-js'

export type Refused = Pick<StatusObject, 'code' | 'details' | 'metadata'>

const refused = (code: status, details: string, headers: Record<string, string> = {}): Refused => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return { code, details, metadata }
}

export const notLeader = (port: number): Refused =>
  refused(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(port),
  })

export const tooBusy = (): Refused => refused(status.UNAVAILABLE, 'Server Is Too Busy')

export const answerLost = (): Refused => refused(status.DEADLINE_EXCEEDED, 'Deadline Exceeded')

export const timedOut = (): Refused => refused(status.ABORTED, 'Operation timed out: Commit phase timeout.')

export const dropped = (): Refused => refused(status.CANCELLED, 'The node is shutting down')

const accessDenied = (): Refused =>
  refused(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })

const unauthenticated = (): Refused => refused(status.UNAUTHENTICATED, 'Unauthenticated')

export const invalidPosition = (): Refused =>
  refused(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')

export const tooLarge = (bytes: number): Refused =>
  refused(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytes),
  })

/** One event as EventStoreDB keeps it; its position is its own commit. */
export type LogRecord = ProposedRecord & { stream: string; revision: number; position: bigint }

export type ProposedRecord = {
  id: string
  type: string
  json: boolean
  data: Uint8Array
  metadata: Uint8Array
}

/** A revision, or `any`; -1 where the stream must not exist. */
export type Expected = number | 'any'

export type Answer =
  | { kind: 'stored'; revision: number; position: bigint }
  | { kind: 'conflict'; revision: number }

export type TransactionLog = ReturnType<typeof transactionLog>

// A position is an offset in a file, so it grows by what a record takes, and the file has a head.
const fileHead = 128n
const recordHead = 96

/** All events of a store in their order, with EventStoreDB's rules for an expected revision and for a repeated append. */
export const transactionLog = () => {
  const records: LogRecord[] = []
  const streams = new Map<string, LogRecord[]>()
  const waiting = new Set<() => void>()
  let end = fileHead

  const write = (stream: string, event: ProposedRecord) => {
    const there = streams.get(stream) ?? []
    const record = { ...event, stream, revision: there.length, position: end }
    end += BigInt(recordHead + event.data.length + event.metadata.length + event.type.length * 2)
    records.push(record)
    streams.set(stream, [...there, record])
  }

  const append = (stream: string, expected: Expected, events: ProposedRecord[]): Answer => {
    const there = streams.get(stream) ?? []
    const current = there.length - 1
    if (expected !== 'any' && expected < current) {
      const repeated = there.slice(expected + 1, expected + 1 + events.length)
      const same = events.every(({ id }, index) => repeated[index]?.id === id)
      return same ? storedAt(repeated) : { kind: 'conflict', revision: current }
    }
    if (expected !== 'any' && expected > current) return { kind: 'conflict', revision: current }
    for (const event of events) write(stream, event)
    for (const wake of waiting) wake()
    return storedAt(streams.get(stream) ?? [])
  }

  /** Resolves when there is a record at `index`, or on abort. */
  const more = (index: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (records.length <= index && !signal.aborted) return
        waiting.delete(look)
        signal.removeEventListener('abort', look)
        resolve()
      }
      waiting.add(look)
      signal.addEventListener('abort', look)
      look()
    })

  return {
    append,
    more,
    at: (index: number) => records[index],
    /** The index of the first record behind a position. */
    behind: (position: bigint) => {
      const index = records.findIndex((record) => record.position > position)
      return index < 0 ? records.length : index
    },
    /** Before the first record, at one, or beyond the last; anywhere else a record would have to be cut. */
    isPlace: (position: bigint) =>
      position < fileHead || position >= end || records.some((record) => record.position === position),
    backwards: () => records.toReversed(),
    stream: (name: string) => streams.get(name),
  }
}

const storedAt = (records: LogRecord[]): Answer => {
  const last = records.at(-1)!
  return { kind: 'stored', revision: last.revision, position: last.position }
}

/** A record of somebody else's, for a store that is not ours alone. */
export const foreignRecord = (type: string, number: number): ProposedRecord => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  type,
  json: true,
  data: Buffer.from(JSON.stringify({ number })),
  metadata: Buffer.from('{}'),
})

/**
 * What becomes of one append. Stored: `answer lost` (the deadline passed meanwhile), `timed out` (the server gave up
 * waiting), `silence` (no answer at all), `no position` (the answer leaves it out). Not stored: `too busy`,
 * `not leader` (though it is the leader by the next call). `late` exceeds the deadline and is stored when released.
 * With `deposed` the answer is lost and the heir leads from then on: stored, or with `deposed before` not.
 */
export type Fate =
  | 'answer lost'
  | 'timed out'
  | 'silence'
  | 'no position'
  | 'too busy'
  | 'not leader'
  | 'late'
  | 'deposed'
  | 'deposed before'

/** What the calls of one node share. It outlives a stop, as a disk does. */
export type NodeState = {
  log: TransactionLog
  maxAppendBytes: number
  port: number
  /** The port of the node that leads; null when it is this one. */
  leader: number | null
  /** The port of the node that leads when this one is deposed. */
  heir: number | null
  /** The `authorization` that lets a call in; null when anyone may call. */
  authorization: string | null
  fates: Fate[]
  /** Appends that were begun and not answered. */
  underWay: number
  late: (() => void)[]
  /** Ends each running subscription, as a node does that goes away. */
  subscriptions: Set<() => void>
  calls: Calls
}

/** What has come: appends, and where each subscription began (-1 at the start); and the events sent to those and to reads backwards. */
export type Calls = {
  appends: number
  /** So many were under way at the same time. */
  appendsAtOnce: number
  subscribedFrom: bigint[]
  eventsSent: number
  eventsReadBackwards: number
}

/** Why this node does not take a call at all; null when it does. */
export const turnedAway = (node: NodeState, metadata: Metadata): Refused | null => {
  const { authorization } = node
  const given = metadata.get('authorization')[0]
  if (authorization !== null && given !== authorization)
    return given === undefined ? accessDenied() : unauthenticated()
  const wantsLeader = metadata.get('requires-leader')[0] === 'true'
  return wantsLeader && node.leader !== null ? notLeader(node.leader) : null
}
