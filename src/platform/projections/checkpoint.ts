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
