import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contextsOf } from '#platform/module'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { openDatabase } from '../../src/adapters/postgres/database'
import { backupSchool } from '../../src/app/backup/backup-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { auditSchool } from '../../src/app/commands/audit-school'
import { composeOffline } from '../../src/app/commands/command'
import { readConfig } from '../../src/app/config'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import { startService } from '../../src/app/service/tuckshop'
import { testDatabase } from '../support/postgres'
import { hasPostgres, startPostgresOf } from '../support/postgres-version'
import { tableContents } from '../support/school-contents'
import { silentLog } from '../support/start-postgres'

const now = () => new Date('2026-09-16T05:00:00.000Z')
const nothing = () => undefined

// 18 is the embedded one, on which every other test runs.
const elsewhere = [14, 15, 16, 17]
const absent = elsewhere.filter((version) => !hasPostgres(version))
const present = elsewhere.filter(hasPostgres)

const openOn = async (url: string, dataDir: string, opening: 'service' | 'restore') => {
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir })
  const infrastructure = await openInfrastructure(config, { log: silentLog, opening })
  const { modules } = composeOffline(infrastructure, config, { log: silentLog, now })
  return { config, infrastructure, modules }
}

// The title names the versions that could not be tried here.
describe(`a school on another Postgres (not on this machine: ${absent.join(', ') || 'none'})`, () => {
  test('is not needed for the newest supported: that is the embedded one', async () => {
    const { database, close } = await testDatabase()
    const { rows } = await database.pool.query('show server_version')
    expect(rows[0].server_version).toMatch(/^18\./)
    await close()
  })

  for (const version of present)
    test(`${version}: made, backed up, restored, rebuilt and audited`, async () => {
      const server = await startPostgresOf(version)
      const folder = await mkdtemp(join(tmpdir(), 'tuckshop version '))
      await keepAndRestore(server.urlOf, folder).finally(server.stop)
      await rm(folder, { recursive: true, force: true })
    })
})

const keepAndRestore = async (urlOf: (user: string, database: string) => string, folder: string) => {
  const admin = await openDatabase(urlOf('postgres', 'postgres'))
  await admin.pool.query('create role tuckshop login')
  for (const name of ['one', 'other']) await admin.pool.query(`create database ${name} owner tuckshop`)
  await admin.close()

  const school = await openOn(urlOf('tuckshop', 'one'), folder, 'service')
  const environment = { log: silentLog, now, webRoot: null, demo: false }
  const service = await startService(school.infrastructure, { ...school.config, PORT: 0 }, environment)
  await service.stop()
  const path = join(folder, 'school.tuckshop.gz')
  const config = { SCHOOL_NAME: 'School', EVENTSTORE_URL: undefined }
  const options = { path, modules: school.modules, now, onProgress: nothing }
  const other = await openOn(urlOf('tuckshop', 'other'), folder, 'restore')
  try {
    await backupSchool(school.infrastructure, config, options)
    const archive = await checkArchive(path, nothing)
    const restored = { archive, modules: other.modules, onProgress: nothing }
    await restoreSchool(other.infrastructure, other.config, restored)
    await rebuildViews({ ...other.infrastructure, contexts: contextsOf(other.modules), onProgress: nothing })
    const audit = { log: silentLog, now, against: null, onProgress: nothing }
    expect(await auditSchool(other.infrastructure, other.config, audit)).toMatchObject({ exitCode: 0 })
    await expectSame(school, other)
  } finally {
    await other.infrastructure.close()
    await school.infrastructure.close()
  }
}

type Opened = Awaited<ReturnType<typeof openOn>>

const runs = (contents: Record<string, string[]>) => ({ ...contents, 'audit.runs': [] })

const expectSame = async (school: Opened, other: Opened) => {
  const [here, there] = await Promise.all(
    [school, other].map(({ infrastructure }) => tableContents(infrastructure.database.pool)),
  )
  expect(runs(there!)).toEqual(runs(here!))
}
