import { inTransaction } from '../../adapters/postgres/snapshot'
import type { Transaction } from '../../adapters/postgres/snapshot'
import { migrationsOf, tablesOf } from '../../adapters/postgres/tables'
import type { ArchiveHead } from '#platform/archive/archive'
import { readArchive } from '#platform/archive/read-archive'
import { beginning } from '#platform/event-store/event-store'
import { contextsOf, type Module } from '#platform/module'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { StartError } from '#platform/start-error'
import { alone } from '../service/alone'
import { eventsPart, filledFromTheStart, sourceTables } from './archive-parts'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import { restoreParts } from './restore-parts'

type Options = {
  path: string
  modules: readonly Module[]
  /** `total` is null while it is not known. */
  onProgress: (what: 'Checking' | 'Restoring' | 'Read models', done: number, total: number | null) => void
}

type Where = Pick<Infrastructure, 'database' | 'eventStore' | 'locks'>

/**
 * Reads an archive into an empty school. First all of it is checked; then tables and events are written in one
 * transaction (with EventStoreDB the events before, and an interrupted restoring is gone on with); last the read models
 * are made from the events. Throws StartError for an archive that is not as it was made and for a school that is not empty.
 */
export const restoreSchool = async (
  where: Where,
  config: Pick<Config, 'EVENTSTORE_URL'>,
  { path, modules, onProgress }: Options,
): Promise<{ head: ArchiveHead; fingerprint: string }> => {
  const { head, fingerprint, events, rows } = await checked(path, (bytes) =>
    onProgress('Checking', bytes, null),
  )
  await alone(where, modules, () =>
    inTransaction(where.database.pool, async (transaction) => {
      await refuseOtherShape(transaction, head)
      await refuseUsed(transaction, where, config, modules)
      const remote = config.EVENTSTORE_URL ? where.eventStore : null
      await restoreParts(transaction, remote, path, (done) => onProgress('Restoring', done, rows))
    }),
  )
  const contexts = contextsOf(modules)
  await rebuildViews({ ...where, contexts, onProgress: (done) => onProgress('Read models', done, events) })
  return { head, fingerprint }
}

const checked = async (path: string, onRead: (bytes: number) => void) => {
  const reading = readArchive(path, onRead)
  let step = await reading.next()
  while (!step.done) step = await reading.next()
  const { head, parts, fingerprint } = step.value
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  return { head, fingerprint, rows, events: parts.find(({ part }) => part === eventsPart)?.rows ?? 0 }
}

const refuseOtherShape = async (transaction: Transaction, { migrations }: ArchiveHead) => {
  const here = await migrationsOf(transaction)
  const unknown = migrations.find((name) => !here.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `The archive was made by a newer Tuckshop, which knows ${unknown}: restore it with that.`,
    )
  const missing = here.find((name) => !migrations.includes(name))
  if (missing !== undefined)
    throw new StartError(
      `The archive was made by an older Tuckshop, which does not know ${missing}: restore it with that, then start this one.`,
    )
}

const refuseUsed = async (
  transaction: Transaction,
  { eventStore }: Where,
  config: Pick<Config, 'EVENTSTORE_URL'>,
  modules: readonly Module[],
) => {
  const fresh = 'restore into a fresh database, on which the service was never started'
  const tables = sourceTables(
    await tablesOf(transaction),
    modules.flatMap((module) => module.views),
  )
  for (const name of [...tables.map((table) => table.name), 'platform.events', 'audit.chain']) {
    if (filledFromTheStart.includes(name)) continue
    const { rowCount } = await transaction.query(`select 1 from ${name} limit 1`)
    if (rowCount !== 0) throw new StartError(`There is a school here already (${name} has rows): ${fresh}.`)
  }
  if (!config.EVENTSTORE_URL && (await eventStore.end()).position !== beginning)
    throw new StartError(`There is a school here already (it has events): ${fresh}.`)
}
