import type { AppendResult, EventData } from '@eventstore/db-client'
import { appendGroups, appendsWithEvents, eventJson } from '#platform/event-store/append-plan'
import {
  beginning,
  EventStoreUnavailable,
  type NewEvent,
  noStream,
  type Position,
  type StreamAppend,
  WrongExpectedRevision,
} from '#platform/event-store/event-store'
import { limitConcurrency } from '#platform/pacing'
import { answered, type Esdb, withRetries } from './connection'
import { positionOf, readStream } from './read'

/** Appends group after group of streams. A conflict leaves earlier groups, and others of its group, appended (decision 0008). */
export const esdbAppend = async (esdb: Esdb, appends: StreamAppend[]): Promise<Position> => {
  const filled = appendsWithEvents(appends)
  for (const { stream, events } of filled) {
    if (!esdb.streams.some((prefix) => stream.startsWith(prefix)))
      throw new Error(
        `Stream ${stream} would never be delivered: its name begins with none of ${esdb.streams}`,
      )
    events.forEach(eventJson)
  }
  let last = beginning
  for (const group of appendGroups(filled)) {
    const position = await appendAtOnce(esdb, group)
    if (position > last) last = position
  }
  return last
}

const appendsAtOnce = 16

/** Waits for all, also after a failure: a retry must not meet an append still under way. */
const appendAtOnce = async (esdb: Esdb, group: StreamAppend[]): Promise<Position> => {
  const inTurn = limitConcurrency(appendsAtOnce)
  const settled = await Promise.allSettled(group.map((append) => inTurn(() => appendToOne(esdb, append))))
  let last = beginning
  for (const one of settled) {
    if (one.status === 'rejected') throw one.reason
    if (one.value > last) last = one.value
  }
  return last
}

/** Every attempt names the expected revision and a retry looks first, so that no event is stored twice. */
export const appendToOne = async (esdb: Esdb, append: StreamAppend): Promise<Position> => {
  let sent = false
  const attempt = async (callMs: number) => {
    const stored = sent ? await storedAt(esdb, append) : null
    if (stored !== null) return stored
    sent = true
    const answer = await sendTo(esdb, append, callMs)
    const position = answer === 'conflict' ? null : positionOf(answer.position)
    const known = position ?? (await storedAt(esdb, append))
    if (known === null) throw new WrongExpectedRevision(append.stream, append.expectedRevision)
    return known
  }
  try {
    return await withRetries(esdb, attempt)
  } catch (error) {
    throw explained(esdb, append, error)
  }
}

const sendTo = async (
  { client, call, prefix }: Esdb,
  { stream, expectedRevision, events }: StreamAppend,
  callMs: number,
): Promise<AppendResult | 'conflict'> => {
  const expected = expectedRevision === noStream ? 'no_stream' : BigInt(expectedRevision)
  // With its own credentials an append is a separate call with its own deadline and errors (decision 0008).
  const options = { ...call, expectedRevision: expected, deadline: callMs } as const
  const sending = client.appendToStream(prefix + stream, events.map(eventData), options)
  try {
    const answer = await answered(callMs, sending)
    return answer.success ? answer : 'conflict'
  } catch (error) {
    if ((error as { type?: string }).type === 'wrong-expected-version') return 'conflict'
    throw error
  }
}

const eventData = ({ id, type, data, metadata }: NewEvent): EventData => ({
  id,
  type,
  contentType: 'application/json',
  data: data as Record<string, unknown>,
  metadata,
})

const storedAt = async (
  esdb: Esdb,
  { stream, expectedRevision, events }: StreamAppend,
): Promise<Position | null> => {
  const once = { ...esdb, retryPolicy: { ...esdb.retryPolicy, totalMs: 0 } }
  const there = await readStream(once, stream, expectedRevision + 1, events.length)
  const same = there.length === events.length && events.every(({ id }, index) => there[index]?.id === id)
  return same ? (there.at(-1)?.position ?? null) : null
}

const explained = ({ retryPolicy, isPassing }: Esdb, { stream }: StreamAppend, error: unknown): unknown => {
  const { type, maxAppendSize } = error as { type?: string; maxAppendSize?: number }
  if (type === 'maximum-append-size-exceeded')
    return new Error(
      `The event store takes ${maxAppendSize} bytes at once, too few for the events for ${stream}: set its EVENTSTORE_MAX_APPEND_SIZE higher`,
      { cause: error },
    )
  if (isPassing(error))
    return new EventStoreUnavailable(
      `The event store did not confirm an append to ${stream} for ${retryPolicy.totalMs} ms; it may be stored`,
      { cause: error },
    )
  return error
}
