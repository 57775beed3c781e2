import type { Log } from '#platform/log'
import type { ContextViews } from '#platform/projections/projector'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { migrateDatabase, openDatabase } from '../../adapters/postgres/database'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import { withTemporaryDatabase } from '../service/temporary-database'

type Options = {
  contexts: readonly ContextViews[]
  log: Log
  onProgress: (done: number, total: number | null) => void
}

/** Runs beside a working service. A temporary migrated database gives the shapes, so that a damaged table returns whole. */
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
