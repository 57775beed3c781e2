import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/embedded-postgres'
import { choosePlace } from '../../src/adapters/embedded-postgres/place'
import { launch } from '../../src/adapters/embedded-postgres/processes'
import { clusterOf, serve } from '../../src/adapters/embedded-postgres/server'
import { migrateDatabase, openDatabase } from '../../src/adapters/postgres/database'
import { silentLog } from '../support/start-postgres'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tuckshop role '))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const start = () => startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })

const query = async (url: string, statement: string): Promise<unknown[]> => {
  const client = new Client(url)
  await client.connect()
  return client
    .query(statement)
    .then(({ rows }: { rows: unknown[] }) => rows)
    .finally(() => client.end())
}

const migrate = async (url: string) => {
  const database = await openDatabase(url)
  await migrateDatabase(database).finally(database.close)
}

/** The database as it was made when the service was its superuser. */
const startAsSuperuser = async () => {
  const home = join(dataDir, 'postgres')
  await mkdir(home, { recursive: true, mode: 0o700 })
  await writeFile(join(home, 'password'), 'secret')
  const place = await choosePlace(home, silentLog)
  const words = [
    `--pgdata=${clusterOf(home)}`,
    `--pwfile=${join(home, 'password')}`,
    '--username=tuckshop',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]
  const initdb = launch(place, 'initdb', words)
  await new Promise((resolve) => initdb.once('close', resolve))
  const { port, stop } = await serve(place, false, silentLog)
  return { url: `postgres://tuckshop:secret@127.0.0.1:${port}/postgres`, stop }
}

test("the service's role owns the database and is no superuser, and the superuser cannot come in", async () => {
  const postgres = await start()
  const roles = await query(
    postgres.url,
    `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      pg_get_userbyid(datdba) = current_user as owner
    from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  )
  expect(roles).toEqual([
    {
      rolsuper: false,
      rolcreatedb: true,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      owner: true,
    },
  ])
  await expect(query(postgres.url, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
  const superuser = new URL(postgres.url)
  superuser.username = 'postgres'
  await expect(query(superuser.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
  await postgres.stop()
})

test('a folder in which the service was the superuser is given to its role at the start', async () => {
  const superusers = await startAsSuperuser()
  await migrate(superusers.url)
  await query(
    superusers.url,
    `create table lunch (id serial, meal text); insert into lunch (meal) values ('nshima');
      create view meals as select meal from lunch; create sequence trays`,
  )
  await superusers.stop()
  const postgres = await start()
  const others = await query(
    postgres.url,
    `select nspname as name from pg_namespace
        where nspowner <> current_user::regrole and nspname !~ '^(pg_|information_schema$|public$)'
      union all
      select relname from pg_class
        where relowner <> current_user::regrole and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'
      union all
      select proname from pg_proc
        where proowner <> current_user::regrole and pronamespace::regnamespace::text !~ '^(pg_|information_schema$)'
      union all
      select typname from pg_type
        where typowner <> current_user::regrole and typnamespace::regnamespace::text !~ '^(pg_|information_schema$)'`,
  )
  expect(others).toEqual([])
  await migrate(postgres.url)
  await query(postgres.url, "insert into lunch (meal) values ('pie'); delete from lunch where meal = 'pie'")
  const superuser = new URL(superusers.url)
  superuser.port = new URL(postgres.url).port
  await expect(query(superuser.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
  expect(await query(postgres.url, 'select meal from meals')).toEqual([{ meal: 'nshima' }])
  await postgres.stop()
})
