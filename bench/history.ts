import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'

type StoredEvent = { stream: string; revision: number; type: string; data: unknown; metadata: unknown }

/** Stored events of one checkout of one meal, the pattern of the history. */
export type Pattern = {
  events: string
  attemptId: string
  slot: string
  lunchId: string
  mealDate: string
  userId: number
}

/** Takes the newest checkout in the store, which must be of one meal. */
export const patternIn = async (pool: Pool): Promise<Pattern> => {
  const { rows } = await pool.query<StoredEvent>(
    `select stream, revision, type, data, metadata from platform.events where metadata->>'correlationId' =
       (select metadata->>'correlationId' from platform.events order by seq desc limit 1) order by seq`,
  )
  const started = rows[0]?.data as {
    attemptId: string
    userId: number
    lines: { slot: Record<'cycleId' | 'studentId' | 'week' | 'day', number>; mealDate: string }[]
  }
  const line = started.lines[0]
  if (!line || started.lines.length !== 1) throw new Error('The newest checkout is not one of one meal')
  return {
    events: JSON.stringify(rows),
    attemptId: started.attemptId,
    slot: JSON.stringify(line.slot),
    lunchId: `${line.slot.studentId}.${line.mealDate}`,
    mealDate: line.mealDate,
    userId: started.userId,
  }
}

export type Place = { cycleId: number; studentId: number; week: number; day: number; mealDate: string }

const retold = (pattern: Pattern, { cycleId, studentId, week, day, mealDate }: Place): StoredEvent[] => {
  const lunchId = `${studentId}.${mealDate}`
  const text = pattern.events
    .replaceAll(pattern.attemptId, randomUUID())
    .replaceAll(pattern.slot, JSON.stringify({ day, week, cycleId, studentId }))
    .replaceAll(`"mealSlot-${pattern.lunchId}"`, `"mealSlot-${lunchId}"`)
    .replaceAll(`"${pattern.lunchId}.1"`, `"${lunchId}.1"`)
    .replaceAll(`"mealDate":"${pattern.mealDate}"`, `"mealDate":"${mealDate}"`)
    .replaceAll(`"userId":${pattern.userId}`, `"userId":${studentId}`)
  return JSON.parse(text) as StoredEvent[]
}

const checkoutsAtOnce = 1_500

/** Appends such a checkout at each place; answers the number of events. Only followers may run meanwhile. */
export const grow = async (pool: Pool, pattern: Pattern, places: Place[]): Promise<number> => {
  let added = 0
  for (let from = 0; from < places.length; from += checkoutsAtOnce) {
    const events = places.slice(from, from + checkoutsAtOnce).flatMap((place) => retold(pattern, place))
    await pool.query(
      `insert into platform.events (stream, revision, id, type, data, metadata)
       select stream, revision, gen_random_uuid(), type, data, metadata
       from json_to_recordset($1::json) as given
         (stream text, revision integer, type text, data jsonb, metadata jsonb)`,
      [JSON.stringify(events)],
    )
    added += events.length
  }
  return added
}

/** Children of a past cycle with a meal on each of its thirty days. */
export const pastPlaces = (count: number, from = 0): Place[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index
    const day = number % 30
    return {
      cycleId: 900_000,
      studentId: 1_000_000 + Math.floor(number / 30),
      week: Math.floor(day / 5) + 1,
      day: (day % 5) + 1,
      mealDate: '2024-01-15',
    }
  })

export const kitchenPlaces = (count: number, cycleId: number, mealDate: string, from = 0): Place[] =>
  Array.from({ length: count }, (_, index) => ({
    cycleId,
    studentId: 2_000_000 + from + index,
    week: 1,
    day: 1,
    mealDate,
  }))

const limitMs = 300_000

/** Waits until read models and the audit chain hold every event. */
export const caughtUp = async (pool: Pool): Promise<void> => {
  for (const end = Date.now() + limitMs; Date.now() < end; await pause(250)) {
    const { rows } = await pool.query<{ behind: boolean }>(
      `select (select count(*) from platform.events) > (select count(*) from audit.chain)
         or (select count(distinct data->>'orderId') from platform.events where type = 'ordering.lunch-ordered.v1')
            > (select count(*) from ordering.orders) as behind`,
    )
    if (!rows[0]?.behind) return
  }
  throw new Error(`The read models did not catch up within ${limitMs} ms`)
}

const quietMs = 12_000

/** Waits until two rounds of sweeps append nothing. */
export const allQuiet = async (pool: Pool): Promise<void> => {
  let events = ''
  let since = Date.now()
  for (const end = Date.now() + limitMs; Date.now() < end; await pause(500)) {
    const { rows } = await pool.query<{ count: string }>('select count(*) from platform.events')
    if (rows[0]!.count !== events) since = Date.now()
    events = rows[0]!.count
    if (Date.now() - since > quietMs) return caughtUp(pool)
  }
  throw new Error(`Something goes on after ${limitMs} ms`)
}
