import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Reader } from '#platform/database'
import { beginning, type Position } from '#platform/event-store/event-store'

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
export const checkpointsSeen = async (
  from: Reader,
  names: readonly string[],
): Promise<Map<string, Position>> => {
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

export const isCheckpointMoved = (error: unknown): boolean => (error as { code?: string }).code === '40001'

export const moveCheckpoint = async (pool: Pool, { name, from, to }: Move): Promise<void> => {
  await pool.query({ name: 'checkpoint-move', text: moveCheckpointSql, values: [name, from, to] })
}

export type MoveCheckpoint = (move: Move) => Promise<void>

/** One statement for the checkpoints that are to move in one turn of the event loop; one that fails holds up no other. */
export const movesTogether = (pool: Pool): MoveCheckpoint => {
  let asked: Move[] = []
  let moved: Promise<ReadonlyMap<string, unknown>> | null = null
  const moveAsked = async () => {
    await setImmediate()
    const moves = asked
    asked = []
    moved = null
    return failedMoves(pool, moves)
  }
  return async (move) => {
    asked.push(move)
    moved ??= moveAsked()
    const failed = await moved
    if (failed.has(move.name)) throw failed.get(move.name)
  }
}

/** Answers the failures, by checkpoint. */
const failedMoves = async (pool: Pool, moves: readonly Move[]): Promise<ReadonlyMap<string, unknown>> => {
  const failed = new Map<string, unknown>()
  try {
    await pool.query({
      name: 'checkpoints-move',
      text: `select platform.move_checkpoint(name, past, now_at)
        from unnest($1::text[], $2::text[], $3::text[]) as move (name, past, now_at)`,
      values: [moves.map(({ name }) => name), moves.map(({ from }) => from), moves.map(({ to }) => to)],
    })
  } catch {
    for (const move of moves)
      await moveCheckpoint(pool, move).catch((fault: unknown) => failed.set(move.name, fault))
  }
  return failed
}
