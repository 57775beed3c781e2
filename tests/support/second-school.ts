import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeOffline } from '../../src/app/commands/command'
import { readConfig } from '../../src/app/config'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import type { Opening } from '../../src/app/service/school-id'
import type { Now } from '#platform/ports'
import { freshDatabaseUrl } from './postgres'
import { silentLog } from './start-postgres'

export type SecondSchool = Awaited<ReturnType<typeof emptySchool>>

/** A place for a school as a command finds it: a fresh database of its own, and nothing started on it. */
export const emptySchool = async (now: Now, variables: Record<string, string> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop second '))
  const { url, drop } = await freshDatabaseUrl()
  const open = async (more: Record<string, string>, opening: Opening = 'service') => {
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, ...more })
    const infrastructure = await openInfrastructure(config, { log: silentLog, opening })
    const { modules } = composeOffline(infrastructure, config, { log: silentLog, now })
    return { config, infrastructure, modules }
  }
  const school = {
    ...(await open(variables)),
    dataDir,
    /** Once more, as a command does that is given with these variables. */
    reopen: async (more: Record<string, string>, opening?: Opening) => {
      await school.infrastructure.close()
      Object.assign(school, await open(more, opening))
    },
    close: async () => {
      await school.infrastructure.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return school
}
