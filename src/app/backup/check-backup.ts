import { auditSchool } from '../commands/audit-school'
import { composeOffline } from '../commands/command'
import type { Config } from '../config'
import { openInfrastructure } from '../service/infrastructure'
import { withTemporaryDatabase } from '../service/temporary-database'
import { checkArchive, restoreSchool, type CheckedArchive } from './restore-school'
import type { Now } from '#platform/ports'
import type { Log } from '#platform/log'

type Options = {
  log: Log
  now: Now
  onProgress: (what: 'Checking' | 'Restoring' | 'Read models', done: number, total: number | null) => void
}

/** Restores into a temporary database and audits it. Throws StartError when it cannot be restored; `exitCode` is 1 for findings. */
export const checkBackup = async (
  path: string,
  config: Config,
  { log, now, onProgress }: Options,
): Promise<{ archive: CheckedArchive; lines: string[]; exitCode: 0 | 1 }> => {
  const archive = await checkArchive(path, (done) => onProgress('Checking', done, null))
  return withTemporaryDatabase(config, log, async ({ url, dataDir }) => {
    const alone = {
      ...config,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      EVENTSTORE_URL: undefined,
      REDIS_URL: undefined,
    }
    const infrastructure = await openInfrastructure(alone, { log, opening: 'restore' })
    try {
      const { modules } = composeOffline(infrastructure, alone, { log, now })
      await restoreSchool(infrastructure, alone, { archive, modules, onProgress })
      const audit = { log, now, against: null, onProgress: () => undefined }
      return { archive, ...(await auditSchool(infrastructure, alone, audit)) }
    } finally {
      await infrastructure.close()
    }
  })
}
