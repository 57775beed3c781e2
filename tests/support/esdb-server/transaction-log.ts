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
