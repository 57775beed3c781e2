import type { Pool } from 'pg'
import { isEsdbPosition } from '../../adapters/event-store/esdb/read'
import { isPostgresPosition } from '../../adapters/event-store/postgres/read'
import { StartError } from '#platform/start-error'
import type { Config } from '../config'

/**
 * Refuses the other event store than the one that this school's events are in: its checkpoints tell. What would be
 * appended to the wrong one nobody would find again.
 */
export const refuseOtherStore = async (pool: Pool, { EVENTSTORE_URL }: Pick<Config, 'EVENTSTORE_URL'>) => {
  const { rows } = await pool.query<{ position: string }>('select position from platform.checkpoints')
  const positions = rows.map(({ position }) => position)
  if (EVENTSTORE_URL && positions.some(isPostgresPosition))
    throw new StartError(
      "This school's events are in its database, not at EVENTSTORE_URL: npm run events:copy, given with that variable unset, moves them.",
    )
  if (!EVENTSTORE_URL && positions.some(isEsdbPosition))
    throw new StartError("This school's events are in EventStoreDB: set EVENTSTORE_URL to where that is.")
}
