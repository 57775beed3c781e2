import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/database'
import { beginning, type EventStore, type Position } from '#platform/event-store/event-store'
import { checkpointsSeen } from './checkpoint'

type ProgressNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: Pick<EventStore, 'oldestAfter'>
}

/** `waitingSince`: time of the oldest event after the checkpoint, null for none. `standsStillMs`: no move for so long though one waited. */
export type Standing = { waitingSince: number | null; standsStillMs: number }

export type ProgressWatch = {
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
