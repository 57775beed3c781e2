import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchive } from '#platform/archive/read-archive'
import { createArchive } from '#platform/archive/write-archive'
import { StartError } from '#platform/failures'
import { lastBackup, maintenanceOf } from '#platform/maintenance'
import { backupSchool, pruneArchives } from '../../src/app/backup/backup-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { checkBackup } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import { startService } from '../../src/app/service/tuckshop'
import { eventually } from '../support/eventually'
import { freshDatabaseUrl } from '../support/postgres'
import { emptySchool, type SecondSchool } from '../support/school'
import { silentLog } from '../support/start-postgres'

const now = () => new Date('2026-09-16T05:00:00.000Z')
const nothing = () => undefined
const there = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

let folder: string
let school: SecondSchool
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tuckshop keeping '))
  school = await emptySchool(now)
})
afterAll(async () => {
  await school.close()
  await rm(folder, { recursive: true, force: true })
})

const openFor = (opening: 'school' | 'service' | 'restore', variables: Record<string, string>) =>
  openInfrastructure(readConfig(variables), { log: silentLog, opening })

const makeSchool = async (of: SecondSchool) => {
  const environment = { log: silentLog, now, webRoot: null, demo: false }
  await (await startService(of.infrastructure, { ...of.config, PORT: 0 }, environment)).stop()
}

describe('a command on a school makes none', () => {
  test('where the data directory has no database: nothing is created', async () => {
    const dataDir = join(folder, 'nowhere')
    await expect(openFor('school', { DATA_DIR: dataDir })).rejects.toThrow(
      new StartError(
        `There is no school in the data directory ${dataDir}: set DATA_DIR or DATABASE_URL as the service has them (npm start makes a new school).`,
      ),
    )
    expect(await there(dataDir)).toBe(false)
  })

  test('where the database has no school: no table is made', async () => {
    const server = await freshDatabaseUrl()
    const { database, close } = await openFor('service', { DATABASE_URL: server.url, DATA_DIR: folder })
    await expect(openFor('school', { DATABASE_URL: server.url, DATA_DIR: folder })).rejects.toThrow(
      /^There is no school in the database at DATABASE_URL: /,
    )
    await database.pool.query('drop schema identity cascade')
    await expect(openFor('school', { DATABASE_URL: server.url, DATA_DIR: folder })).rejects.toThrow(
      /^There is no school in the database at DATABASE_URL: /,
    )
    await close()
    await server.drop()
  })
})

test('data of a newer program are not opened by an older one', async () => {
  const server = await freshDatabaseUrl()
  const { database, close } = await openFor('service', { DATABASE_URL: server.url, DATA_DIR: folder })
  await database.pool.query("insert into platform.migrations (name) values ('0999-to-come')")
  await expect(openFor('service', { DATABASE_URL: server.url, DATA_DIR: folder })).rejects.toThrow(
    new StartError(
      'The data in the database at DATABASE_URL was written by a newer Tuckshop, which knows 0999-to-come: start that one, or restore a backup that this one made.',
    ),
  )
  await close()
  await server.drop()
})

test('data from before the schema was written down anew are moved by a backup', async () => {
  const server = await freshDatabaseUrl()
  const { database, close } = await openFor('service', { DATABASE_URL: server.url, DATA_DIR: folder })
  await database.pool.query("insert into platform.migrations (name) values ('0001-platform')")
  await expect(openFor('service', { DATABASE_URL: server.url, DATA_DIR: folder })).rejects.toThrow(
    /back it up with the version that wrote it, and restore the backup into an empty database\.$/,
  )
  await close()
  await server.drop()
})

const again = (onWaiting: (sentence: string) => void) =>
  maintenanceOf({ ...school.infrastructure, log: silentLog }, onWaiting)

const takeOver = () => Promise.reject(new Error('cut off before the read models'))

describe('one maintenance at a time', () => {
  test('the second says what is running, waits and then works', async () => {
    const said: string[] = []
    const order: string[] = []
    let finish = nothing as () => void
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const first = school.infrastructure.maintenance.run('rebuild', async () => {
      await finished
      order.push('rebuild')
    })
    await eventually(async () => (await school.infrastructure.maintenance.running()) !== null)
    const second = again((sentence) => said.push(sentence)).run('backup', async () => order.push('backup'))
    await eventually(() => said.length > 0)
    expect(said).toEqual(['a rebuild is running, waiting'])
    expect(await school.infrastructure.maintenance.running()).toMatchObject({ what: 'rebuild' })
    finish()
    await Promise.all([first, second])
    expect(order).toEqual(['rebuild', 'backup'])
    expect(await school.infrastructure.maintenance.running()).toBeNull()
  })

  test('what a killed one left behind is removed by the next, and is in no backup', async () => {
    await makeSchool(school)
    const { pool } = school.infrastructure.database
    const leftOver = async () => {
      await writeFile(join(folder, 'killed.unfinished'), 'half')
      await pool.query('create table ordering.orders__new (like ordering.orders)')
      await pool.query('insert into platform.maintenance (what, leftover) values ($1, $2)', [
        'backup',
        join(folder, 'killed.unfinished'),
      ])
    }
    const left = async () => [
      await there(join(folder, 'killed.unfinished')),
      (await pool.query("select to_regclass('ordering.orders__new') as name")).rows[0].name,
    ]
    await leftOver()
    await school.infrastructure.maintenance.tidy()
    expect(await left()).toEqual([false, null])
    await leftOver()
    const path = join(folder, 'whole.tuckshop.gz')
    const config = { SCHOOL_NAME: 'School', EVENTSTORE_URL: undefined }
    await backupSchool(school.infrastructure, config, {
      path,
      modules: school.modules,
      now,
      onProgress: nothing,
    })
    expect(await left()).toEqual([false, null])
    const parts: string[] = []
    for await (const { part } of readArchive(path)) parts.push(part)
    expect(parts.join(' ')).not.toMatch(/__new|maintenance|ordering\.orders/)
  })

  test('a table that a rebuild is filling is in no backup either', async () => {
    const { pool } = school.infrastructure.database
    await pool.query('create table ordering.orders__new (like ordering.orders)')
    const path = join(folder, 'beside.tuckshop.gz')
    const config = { SCHOOL_NAME: 'School', EVENTSTORE_URL: undefined }
    const options = { path, modules: school.modules, now, onProgress: nothing }
    const { parts } = await backupSchool(school.infrastructure, config, options)
    expect(parts.map(({ part }) => part).join(' ')).not.toMatch(/__new/)
    await pool.query('drop table ordering.orders__new')
  })
})

describe('keeping archives', () => {
  test('the latest of this school stay, and whatever else is in the folder', async () => {
    const shelf = await mkdtemp(join(folder, 'shelf '))
    const made = async (name: string, of: string, madeAt: string) => {
      const archive = await createArchive(join(shelf, name), {
        version: 1,
        madeAt,
        school: of,
        schoolId: '',
        migrations: [],
      })
      await archive.finish()
    }
    for (const day of ['01', '02', '03']) await made(`${day}.gz`, 'School', `2026-09-${day}T00:00:00.000Z`)
    await made('other.gz', 'Another School', '2026-08-01T00:00:00.000Z')
    await writeFile(join(shelf, 'notes.gz'), 'no archive')
    expect(await pruneArchives(shelf, 'School', 2)).toEqual([join(shelf, '01.gz')])
    expect((await readdir(shelf)).toSorted()).toEqual(['02.gz', '03.gz', 'notes.gz', 'other.gz'])
  })

  test('the last good backup is known', async () => {
    const at = await lastBackup(school.infrastructure.database.pool)
    expect(Date.now() - at!.getTime()).toBeLessThan(60_000)
  })

  test('an archive is proved to restore, in a database of its own that is removed', async () => {
    const path = join(folder, 'whole.tuckshop.gz')
    const options = { log: silentLog, now, onProgress: nothing }
    const databases = async () => {
      const { rows } = await school.infrastructure.database.pool.query(
        "select datname from pg_database where datname like 'tuckshop_temporary%'",
      )
      return rows
    }
    const dataDir = join(folder, 'data')
    const config = { ...school.config, DATA_DIR: dataDir }
    // What checks that were killed left behind.
    await school.infrastructure.database.pool.query('create database tuckshop_temporary_killed')
    await mkdir(join(dataDir, 'temporary-killed', 'postgres'), { recursive: true })
    await writeFile(join(dataDir, 'temporary-killed', 'postgres', 'owner'), '2147483646 1')
    const { exitCode, archive } = await checkBackup(path, config, options)
    expect([exitCode, archive.head.school]).toEqual([0, 'School'])
    expect([await databases(), await readdir(dataDir)]).toEqual([[], []])
    const embedded = { ...config, DATABASE_URL: undefined }
    expect(await checkBackup(path, embedded, options)).toMatchObject({ exitCode: 0 })
    expect(await readdir(dataDir)).toEqual([])
  })
})

describe('a restore that was cut off', () => {
  let archive: Awaited<ReturnType<typeof checkArchive>>
  beforeAll(async () => {
    archive = await checkArchive(join(folder, 'whole.tuckshop.gz'), nothing)
  })

  test('marks the school, which then starts nowhere until the restore has ended', async () => {
    const to = await emptySchool(now)
    const { infrastructure, config, modules } = to
    const cut = { ...infrastructure, locks: { ...infrastructure.locks, takeOver } }
    await expect(restoreSchool(cut, config, { archive, modules, onProgress: nothing })).rejects.toThrow(
      'cut off',
    )
    const variables = { DATABASE_URL: config.DATABASE_URL!, DATA_DIR: folder }
    for (const opening of ['service', 'school'] as const)
      await expect(openFor(opening, variables)).rejects.toThrow(
        /^The school in the database at DATABASE_URL is half restored: run npm run restore again, or empty it/,
      )
    await (await openFor('restore', variables)).close()
    await restoreSchool(infrastructure, config, { archive, modules, onProgress: nothing })
    await (await openFor('school', variables)).close()
    await to.close()
  })

  test('is marked before its first row; one that is refused marks nothing', async () => {
    const to = await emptySchool(now)
    const { infrastructure, config, modules } = to
    const { pool } = infrastructure.database
    const beside = await pool.connect()
    const seen: Promise<{ rows: unknown[] }>[] = []
    const look = `select (select count(*) from platform.maintenance where what = 'half restored')::int as marks,
      (select count(*) from identity.users)::int as users`
    const onProgress = () => {
      if (seen.length === 0) seen.push(beside.query(look))
    }
    await restoreSchool(infrastructure, config, { archive, modules, onProgress })
    expect((await seen[0]!).rows).toEqual([{ marks: 1, users: 0 }])
    beside.release()
    await expect(restoreSchool(infrastructure, config, { archive, modules, onProgress })).rejects.toThrow(
      /^There is a school here already/,
    )
    expect((await pool.query('select what from platform.maintenance')).rows).toEqual([])
    await to.close()
  })

  test('a missing or bad archive is refused before anything is opened', async () => {
    await expect(checkArchive(join(folder, 'none.gz'), nothing)).rejects.toThrow(StartError)
    await writeFile(join(folder, 'bad.gz'), 'no gzip')
    await expect(checkArchive(join(folder, 'bad.gz'), nothing)).rejects.toThrow(StartError)
    expect(await readdir(folder)).not.toContain('postgres')
  })
})
