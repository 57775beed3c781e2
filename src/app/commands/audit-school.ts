import { access, constants, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '#kernel/refusal'
import { earlierExport, findingsOf, reportLines } from '#modules/audit/index'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import { contextsOf, type Journal, type Module } from '#platform/module'
import type { Now } from '#platform/ports'
import { checkpointOf } from '#platform/projections/checkpoint'
import { followEvents } from '#platform/projections/follow-events'
import { missingTables } from '#platform/projections/projector'
import { checkArchive, restoreSchool, type CheckedArchive } from '../backup/restore-school'
import type { Config } from '../config'
import { openInfrastructure, type Infrastructure } from '../service/infrastructure'
import { withTemporaryDatabase } from '../service/temporary-database'
import { composeOffline } from './command'

type Options = {
  log: Log
  now: Now
  against: string | null
  onProgress: (done: number, total: number | null) => void
}

/** Audits an open infrastructure, also beside a running service. Throws StartError for a bad file. */
export const auditSchool = async (
  infrastructure: Infrastructure,
  config: Config,
  { log, now, against, onProgress }: Options,
): Promise<{ lines: string[]; exitCode: 0 | 1 }> => {
  if (against !== null) await refuseUnreadable(against)
  const { audit, modules } = composeOffline(infrastructure, config, { log, now })
  await refuseMissingTables(infrastructure, modules)
  await caughtUp(audit.chain, infrastructure, { log, now })
  const earlier = against === null ? undefined : earlierExport(against)
  const report = await audit.audit({ earlier, onProgress }).catch((error: unknown) => {
    throw error instanceof Refusal ? new StartError(`${against}: ${error.message}.`) : error
  })
  return { lines: reportLines(report), exitCode: findingsOf(report).length > 0 ? 1 : 0 }
}

const refuseMissingTables = async (
  { database }: Pick<Infrastructure, 'database'>,
  modules: readonly Module[],
): Promise<void> => {
  const missing = await missingTables(database.pool, contextsOf(modules))
  if (missing.length > 0)
    throw new StartError(
      `The read models cannot be audited, for ${missing.map(({ table }) => table).join(', ')} is missing: npm run rebuild makes it again.`,
    )
}

const refuseUnreadable = async (path: string): Promise<void> => {
  const isReadable = access(path, constants.R_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  )
  if (!(await isReadable)) throw new StartError(`The file ${path} cannot be read.`)
}

const lookEveryMs = 20
const patienceMs = 10_000

/** Lets a journal catch up; whoever holds its lock does the work. */
const caughtUp = async (
  { name, batchSize, write }: Journal,
  infrastructure: Infrastructure,
  environment: Pick<Options, 'log' | 'now'>,
): Promise<void> => {
  const { database, eventStore } = infrastructure
  const end = await eventStore.end()
  const following = followEvents({ ...infrastructure, ...environment }, { name, batchSize, handle: write })
  try {
    let reached = await checkpointOf(database.pool, name)
    for (let waited = 0; reached < end.position && waited < patienceMs; waited += lookEveryMs) {
      await pause(lookEveryMs)
      const position = await checkpointOf(database.pool, name)
      if (position !== reached) waited = 0
      reached = position
    }
  } finally {
    await following.close()
  }
}

type CheckOptions = {
  log: Log
  now: Now
  onProgress: (what: 'Checking' | 'Restoring' | 'Read models', done: number, total: number | null) => void
}

/** Restores into a temporary database and audits it. Throws StartError when it cannot be restored; `exitCode` is 1 for findings. */
export const checkBackup = async (
  path: string,
  config: Config,
  { log, now, onProgress }: CheckOptions,
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
