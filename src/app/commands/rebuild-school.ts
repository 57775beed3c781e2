import { migrateDatabase, openDatabase } from '../../adapters/postgres/database'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import { withTemporaryDatabase } from '../service/temporary-database'
import type { Log } from '#platform/log'
import type { ContextViews } from '#platform/projections/projector'
import { rebuildViews } from '#platform/projections/rebuild-views'

type Options = {
  contexts: readonly ContextViews[]
  log: Log
  onProgress: (done: number, total: number | null) => void
}

/**
 * Makes the read models of these contexts again from the events, beside a working service. Their tables get the shape
 * that the migrations give them, in a database of their own, so that one that is missing or damaged comes back whole.
 */
export const rebuildSchool = (
  infrastructure: Infrastructure,
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  { contexts, log, onProgress }: Options,
): Promise<void> =>
  infrastructure.maintenance.run('rebuild', () =>
    withTemporaryDatabase(config, log, async ({ url }) => {
      const migrated = await openDatabase(url, log)
      try {
        await migrateDatabase(migrated)
        await rebuildViews({ ...infrastructure, contexts, shapes: migrated.pool, onProgress })
      } finally {
        await migrated.close()
      }
    }),
  )
