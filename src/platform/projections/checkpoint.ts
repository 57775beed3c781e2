import type { Pool } from 'pg'
import type { Reader } from '#platform/database'
import { beginning, type Position } from '#platform/event-store/event-store'

const ofViews = 'views '

/** The checkpoint of the views of one context, and the lock of whoever writes them. */
export const viewsCheckpoint = (context: string): string => `${ofViews}${context}`

export type Checkpoint = { name: string; position: Position }

/** How far the follower of that name has come; a new one starts at the beginning. */
export const checkpointOf = async (pool: Pool, name: string): Promise<Position> => {
  await pool.query('insert into platform.checkpoints values ($1, $2) on conflict do nothing', [
    name,
    beginning,
  ])
  return checkpointSeen(pool, name)
}

/** The same, and nothing is written. */
export const checkpointSeen = async (from: Reader, name: string): Promise<Position> => {
  const { rows } = await from.query<{ position: Position }>(
    'select position from platform.checkpoints where name = $1',
    [name],
  )
  return rows[0]?.position ?? beginning
}

/** How far those of these names have come that have begun. */
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

/** How far every follower has come but the views, which are rebuilt wherever the events go. */
export const otherCheckpoints = async (client: Reader): Promise<Checkpoint[]> => {
  const { rows } = await client.query<Checkpoint>(
    'select name, position from platform.checkpoints where not starts_with(name, $1) order by name',
    [ofViews],
  )
  return rows
}

/** From where to where a checkpoint moves. */
export type Move = { name: string; from: Position; to: Position }

/** Fails, with the transaction around it, when the checkpoint is no longer where the move starts. */
export const moveCheckpointSql = 'select platform.move_checkpoint($1, $2, $3)'

/** Whether a move failed because somebody else moved the checkpoint before. */
export const isCheckpointMoved = (error: unknown): boolean => (error as { code?: string }).code === '40001'

export const moveCheckpoint = async (pool: Pool, { name, from, to }: Move): Promise<void> => {
  await pool.query({ name: 'checkpoint-move', text: moveCheckpointSql, values: [name, from, to] })
}
