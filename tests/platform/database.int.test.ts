import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrateDatabase, openDatabase } from '../../src/adapters/postgres/database'
import { eventually } from '../support/eventually'
import { inTransaction } from '../../src/adapters/postgres/tables'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { StartError } from '#platform/failures'

const migrations = readdirSync(join(__dirname, '../../migrations'))
  .map((file) => file.replace(/\.sql$/, ''))
  .toSorted()

let test1: TestDatabase
beforeAll(async () => {
  test1 = await testDatabase()
})
afterAll(() => test1.close())

describe('a migrated database', () => {
  test('has run every migration once, in order', async () => {
    const { rows } = await test1.database.pool.query('select name from platform.migrations order by id')
    expect(rows.map(({ name }) => name)).toEqual(migrations)
  })

  test('is left as it is when several processes migrate it at once', async () => {
    const others = await Promise.all([
      openDatabase(test1.url),
      openDatabase(test1.url),
      openDatabase(test1.url),
    ])
    await Promise.all(others.map((other) => migrateDatabase(other)))
    await Promise.all(others.map((other) => other.close()))
    const { rows } = await test1.database.pool.query('select count(*)::int as runs from platform.migrations')
    expect(rows).toEqual([{ runs: migrations.length }])
  })

  test('is migrated although a process was killed while it migrated', async () => {
    await test1.database.pool.query('update platform.migrations_lock set is_locked = 1')
    await expect(migrateDatabase(test1.database)).resolves.toBeUndefined()
  })
})

test('a connection that breaks inside a transaction fails it, and nothing else', async () => {
  const { pool } = test1.database
  const killed = inTransaction(pool, async (transaction) => {
    const { rows } = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await eventually(() =>
      transaction.query('select 1').then(
        () => false,
        () => true,
      ),
    )
    return transaction.query('select 1')
  })
  await expect(killed).rejects.toThrow()
  const { rows } = await pool.query('select 1 as one')
  expect(rows).toEqual([{ one: 1 }])
})

test('a day comes out as it went in, by either way to the database', async () => {
  const { knex, pool } = test1.database
  expect((await pool.query("select date '2026-09-16' as day")).rows).toEqual([{ day: '2026-09-16' }])
  expect((await knex.raw("select date '2026-09-16' as day")).rows).toEqual([{ day: '2026-09-16' }])
})

const message = (url: string) => openDatabase(url).then(String, (error: unknown) => error as StartError)

describe('a database that cannot be reached is one sentence without the password', () => {
  test('when nothing answers', async () => {
    const error = await message('postgres://tuckshop:s3cret@127.0.0.1:9/school')
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toBe(
      'StartError: The database at postgres://tuckshop@127.0.0.1:9/school cannot be reached: nothing answers there.',
    )
  })

  test('when the password is wrong', async () => {
    const wrong = new URL(test1.url)
    wrong.password = 's3cret'
    const error = await message(wrong.href)
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toContain('the user or the password is wrong')
    expect(String(error)).not.toContain('s3cret')
  })

  test('when the address is no address', async () => {
    const error = await message('no address at all:s3cret')
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).not.toContain('s3cret')
  })
})
