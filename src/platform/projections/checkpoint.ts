import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import type { Reader, Database } from '#platform/database'
import {
  beginning,
  type Position,
  type EventStore,
  type RecordedEvent,
} from '#platform/event-store/event-store'

const ofViews = 'views '

/** Also names the lock of the process that writes these views. */
export const viewsCheckpoint = (context: string): string => `${ofViews}${context}`

export type Checkpoint = { name: string; position: Position }

/** Creates a missing checkpoint at the beginning. */
export const checkpointOf = async (pool: Pool, name: string): Promise<Position> => {
  await pool.query('insert into platform.checkpoints values ($1, $2) on conflict do nothing', [
    name,
    beginning,
  ])
  return checkpointSeen(pool, name)
}

/** Writes nothing. */
export const checkpointSeen = async (from: Reader, name: string): Promise<Position> => {
  const { rows } = await from.query<{ position: Position }>(
    'select position from platform.checkpoints where name = $1',
    [name],
  )
  return rows[0]?.position ?? beginning
}

/** Names without a checkpoint are absent. */
const checkpointsSeen = async (from: Reader, names: readonly string[]): Promise<Map<string, Position>> => {
  const { rows } = await from.query<Checkpoint>(
    'select name, position from platform.checkpoints where name = any($1::text[])',
    [names],
  )
  return new Map(rows.map(({ name, position }) => [name, position]))
}

/** Without the views' checkpoints: views are rebuilt after a restore. */
export const otherCheckpoints = async (client: Reader): Promise<Checkpoint[]> => {
  const { rows } = await client.query<Checkpoint>(
    'select name, position from platform.checkpoints where not starts_with(name, $1) order by name',
    [ofViews],
  )
  return rows
}

export type Move = { name: string; from: Position; to: Position }

/** The statement fails with its transaction when the checkpoint is not at `from`. */
export const moveCheckpointSql = 'select platform.move_checkpoint($1, $2, $3)'

/** The same for several: arrays of names, of `from` and of `to`. */
export const moveCheckpointsSql = `select platform.move_checkpoint(name, past, now_at)
  from unnest($1::text[], $2::text[], $3::text[]) as move (name, past, now_at)`

export const isCheckpointMoved = (error: unknown): boolean => (error as { code?: string }).code === '40001'

/** From wherever it is. */
export const setCheckpoint = async (
  transaction: Knex.Transaction,
  { name, position }: Checkpoint,
): Promise<void> => {
  await transaction('platform.checkpoints').insert({ name, position }).onConflict('name').merge()
}

export const moveCheckpoint = async (pool: Pool, { name, from, to }: Move): Promise<void> => {
  await pool.query({ name: 'checkpoint-move', text: moveCheckpointSql, values: [name, from, to] })
}

type ProgressNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: Pick<EventStore, 'oldestAfter'>
}

/** `waitingSince`: time of the oldest event after the checkpoint, null for none. `standsStillMs`: no move for so long though one waited. */
export type Standing = { waitingSince: number | null; standsStillMs: number }

type ProgressWatch = {
  of: (name: string) => Standing
  look: () => Promise<void>
  close: () => Promise<void>
}

const lookEveryMs = 2_000
const untouched: Standing = { waitingSince: null, standsStillMs: 0 }

/** Looks every 2 s; keeps the last values while reading fails. */
export const watchProgress = (
  { database, eventStore }: ProgressNeeds,
  names: readonly string[],
): ProgressWatch => {
  const seen = new Map<string, Standing & { position: Position; movedAt: number }>()

  const look = async () => {
    const checkpoints = await checkpointsSeen(database.pool, names)
    const positions = names.map((name) => checkpoints.get(name) ?? beginning)
    const oldest = new Map<Position, number | null>()
    for (const position of new Set(positions)) {
      const at = await eventStore.oldestAfter(position)
      oldest.set(position, at === null ? null : Date.parse(at))
    }
    const at = performance.now()
    for (const [index, name] of names.entries()) {
      const position = positions[index]!
      const waitingSince = oldest.get(position) ?? null
      const before = seen.get(name)
      const stands = before?.position === position && before.waitingSince !== null && waitingSince !== null
      const movedAt = stands ? before.movedAt : at
      seen.set(name, { position, waitingSince, movedAt, standsStillMs: at - movedAt })
    }
  }

  const closing = new AbortController()
  const run = async () => {
    while (!closing.signal.aborted) {
      await look().catch(() => undefined)
      await pause(lookEveryMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const running = run()

  return {
    of: (name) => seen.get(name) ?? untouched,
    look,
    close: () => {
      closing.abort()
      return running
    },
  }
}

type Needs = { database: Pick<Database, 'pool'>; eventStore: Pick<EventStore, 'subscribe'> }
type Followed = { name: string; types?: readonly string[]; batchSize: number }

export type StandBy = { standing: () => Standing; close: () => Promise<void> }

/** Watches how far another process's checkpoint is behind: reads the same events and waits at the first that it has not passed. */
export const watchAsStandBy = (
  { database, eventStore }: Needs,
  { name, types, batchSize }: Followed,
): StandBy => {
  const closing = new AbortController()
  const { signal } = closing
  const closed = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const rest = () => pause(lookEveryMs, undefined, { signal }).catch(() => undefined)
  let checkpoint: Position = beginning
  let waiting: { at: number; stillSince: number } | null = null

  const look = async () => {
    const seen = await checkpointSeen(database.pool, name)
    if (waiting && seen !== checkpoint) waiting.stillSince = performance.now()
    checkpoint = seen
  }

  const waitUntilPassed = async ({ position, metadata }: RecordedEvent) => {
    if (checkpoint >= position) return
    waiting = { at: Date.parse(metadata.at), stillSince: performance.now() }
    for (;;) {
      await look()
      if (checkpoint >= position || signal.aborted) break
      await rest()
    }
    waiting = null
  }

  const watch = async () => {
    await look()
    const subscription = eventStore.subscribe({ from: checkpoint, batchSize, types }, async (events) => {
      for (const event of events) await waitUntilPassed(event)
    })
    await Promise.race([subscription.done, closed]).finally(subscription.close)
  }

  const run = async () => {
    while (!signal.aborted) {
      // Tries again after a failed read.
      await watch().catch(() => undefined)
      if (!signal.aborted) await rest()
    }
  }
  const running = run()

  return {
    standing: () =>
      waiting
        ? { waitingSince: waiting.at, standsStillMs: performance.now() - waiting.stillSince }
        : { waitingSince: null, standsStillMs: 0 },
    close: () => {
      closing.abort()
      return running
    },
  }
}
