import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FamilyKeys, destroyFamilyKey, familyKeysIn } from '#platform/event-store/sealed-events'
import { StartError } from '#platform/failures'
import type { Locks, Notifications } from '#platform/ports'
import { connectionOver, dedicatedClient } from '../../src/adapters/postgres/connections'
import { migrateDatabase, openDatabase } from '../../src/adapters/postgres/database'
import { postgresLocks } from '../../src/adapters/postgres/locks'
import { postgresNotifications } from '../../src/adapters/postgres/notifications'
import { inTransaction } from '../../src/adapters/postgres/tables'
import { mayWrite } from '../../src/app/service/readiness'
import { heardLog } from '../support/captured-log'
import { eventually } from '../support/eventually'
import { type TestDatabase, testDatabase } from '../support/postgres'

describe('database', () => {
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
      const { rows } = await test1.database.pool.query(
        'select count(*)::int as runs from platform.migrations',
      )
      expect(rows).toEqual([{ runs: migrations.length }])
    })

    test('is migrated although a process was killed while it migrated', async () => {
      await test1.database.pool.query('update platform.migrations_lock set is_locked = 1')
      await expect(migrateDatabase(test1.database)).resolves.toBeUndefined()
    })
  })

  describe.each(['reads', 'views'] as const)('short statements of %s', (name) => {
    let school: Awaited<ReturnType<typeof openDatabase>>
    beforeEach(async () => {
      school = await openDatabase(test1.url)
    })
    afterEach(() => school.close())

    const processOf = async (number: number) => {
      const read = {
        name: 'process',
        text: 'select pg_backend_pid() as pid, $1::int as number',
        values: [number],
      }
      const { rows } = await school[name].query<{ pid: number; number: number }>(read)
      expect(rows[0]!.number).toBe(number)
      return rows[0]!.pid
    }
    const three = () => Promise.all([1, 2, 3].map(processOf))

    test('of one turn share one connection, each with its own answer', async () => {
      await eventually(async () => new Set(await three()).size === 1)
    })

    test('find another connection when theirs is ended; a statement that fails fails alone', async () => {
      const [pid] = await eventually(async () => {
        const pids = await three()
        return new Set(pids).size === 1 && pids
      })
      const refused = school[name].query({ name: 'wrong', text: 'select 1 / $1::int', values: [0] })
      const [outcome, ...answers] = await Promise.allSettled([refused, processOf(4), processOf(5)])
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      await test1.database.pool.query('select pg_terminate_backend($1)', [pid])
      const again = await eventually(async () => {
        const pids = await three()
        return new Set(pids).size === 1 && pids
      })
      expect(again).not.toContain(pid)
    })
  })

  const works = async (act: () => PromiseLike<unknown>) => {
    try {
      await act()
      return true
    } catch {
      return false
    }
  }

  test.each(['pool', 'knex'] as const)(
    'a server that only reads ends the connections of both, and the next ones find the one that writes (%s)',
    async (asked) => {
      const { pool } = test1.database
      const name = new URL(test1.url).pathname.slice(1)
      await pool.query('create table if not exists failover (id integer)')
      await pool.query(`alter database "${name}" set default_transaction_read_only = on`)
      const school = await openDatabase(test1.url)
      const write = () =>
        asked === 'pool'
          ? school.pool.query('insert into failover values (1)')
          : school.knex.raw('insert into failover values (1)')
      try {
        await school.knex.raw('select 1')
        await pool.query(`alter database "${name}" reset default_transaction_read_only`)
        await expect(write()).rejects.toMatchObject({ code: '25006' })
        await eventually(() => works(write))
        await eventually(() => works(() => school.knex.raw('insert into failover values (2)')))
      } finally {
        await school.close()
      }
    },
  )

  test('readiness asks what a server that only reads refuses', async () => {
    let refused: unknown = null
    await inTransaction(test1.database.pool, async (transaction) => {
      await transaction.query('set transaction read only')
      refused = await transaction.query(mayWrite).catch((error: unknown) => error)
    }).catch(() => undefined)
    expect(refused).toMatchObject({ code: '25006' })
    await expect(test1.database.pool.query(mayWrite)).resolves.toMatchObject({ rowCount: 0 })
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
})

describe('locks', () => {
  let schoolDb: TestDatabase
  let mine: Locks
  let other: Locks

  beforeAll(async () => {
    schoolDb = await testDatabase()
    mine = postgresLocks(schoolDb.database)
    other = postgresLocks(schoolDb.database)
  })
  afterAll(async () => {
    await mine.close()
    await other.close()
    await schoolDb.close()
  })

  const endSessions = () =>
    schoolDb.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tuckshop locks' and datname = current_database()`,
    )

  test('one taker has a lock until it ends it, in its own process and among all', async () => {
    const lock = await mine.tryAcquire('a')
    expect(lock).not.toBeNull()
    expect(await mine.tryAcquire('a')).toBeNull()
    expect(await other.tryAcquire('a')).toBeNull()
    await lock?.end()
    const next = await other.tryAcquire('a')
    expect(next).not.toBeNull()
    await lock?.end()
    expect(await mine.tryAcquire('a')).toBeNull()
    await next?.end()
  })

  test('of two that take at once in one process one is let in', async () => {
    const taken = await Promise.all([mine.tryAcquire('b'), mine.tryAcquire('b')])
    expect(taken.filter((lock) => lock !== null)).toHaveLength(1)
    await Promise.all(taken.map((lock) => lock?.end()))
  })

  test('locks of different names are nothing to each other', async () => {
    const locks = await Promise.all([mine.tryAcquire('c'), other.tryAcquire('d')])
    expect(locks).not.toContain(null)
    await Promise.all(locks.map((lock) => lock?.end()))
  })

  test('a connection that dies loses its locks, and others may have them', async () => {
    const lock = await mine.tryAcquire('e')
    await endSessions()
    await lock?.lost
    const next = await eventually(async () => (await other.tryAcquire('e')) ?? false)
    await next.end()
    const again = await mine.tryAcquire('e')
    expect(again).not.toBeNull()
    await again?.end()
  })

  test('a lock can be seized, from another process and from this one', async () => {
    const first = await other.tryAcquire('f')
    const second = await mine.takeOver('f')
    await first?.lost
    const third = await mine.takeOver('f')
    await second.lost
    expect(await other.tryAcquire('f')).toBeNull()
    await third.end()
  })

  test('one that gives no sign of life loses a lock that is waited for, one that lives keeps it', async () => {
    const silent = dedicatedClient(schoolDb.database.pool, 'locks')
    const ended = connectionOver(silent)
    await silent.connect()
    await silent.query(`select pg_advisory_lock(hashtextextended('tuckshop g', 0))`)
    const living = await other.tryAcquire('h')
    const [lock] = await Promise.all([
      eventually(async () => {
        expect(await mine.tryAcquire('h', { relieve: true })).toBeNull()
        return (await mine.tryAcquire('g', { relieve: true })) ?? false
      }),
      ended,
    ])
    await lock.end()
    await living?.end()
  })

  test('one that gives no sign of life keeps a lock that nobody waits for with that wish', async () => {
    const silent = dedicatedClient(schoolDb.database.pool, 'locks')
    const [watched, kept] = ['i', 'j']
    const ended = connectionOver(silent)
    await silent.connect()
    await silent.query(`select pg_advisory_lock(hashtextextended('tuckshop ${kept}', 0))`)
    const relieved = dedicatedClient(schoolDb.database.pool, 'locks')
    const otherEnded = connectionOver(relieved)
    await relieved.connect()
    await relieved.query(`select pg_advisory_lock(hashtextextended('tuckshop ${watched}', 0))`)
    const lock = await eventually(async () => {
      expect(await mine.tryAcquire(kept)).toBeNull()
      return (await mine.tryAcquire(watched, { relieve: true })) ?? false
    })
    await otherEnded
    await lock.end()
    expect(await mine.isHeld(kept)).toBe(true)
    await silent.end()
    await ended
  })
})

describe('notifications', () => {
  let schoolDb: TestDatabase
  let mine: Notifications
  let other: Notifications
  const log = heardLog()

  beforeAll(async () => {
    schoolDb = await testDatabase()
    mine = postgresNotifications({ pool: schoolDb.database.pool, log })
    other = postgresNotifications({ pool: schoolDb.database.pool, log })
  })
  afterAll(async () => {
    await mine.close()
    await other.close()
    await schoolDb.close()
  })

  const listening = async (notifications: Notifications, channel: string) => {
    const heard: (string | null)[] = []
    const stop = notifications.subscribe(channel, (message) => heard.push(message))
    await eventually(() => heard.length > 0)
    return { heard, stop }
  }

  test('others hear a message, the sender does not', async () => {
    const [here, there] = [await listening(mine, 'bell'), await listening(other, 'bell')]
    mine.publisher('bell', (_, later) => later)('lunch is ready')
    await eventually(() => there.heard.length === 2)
    other.publisher('bell', (_, later) => later)('')
    await eventually(() => here.heard.length === 2)
    expect(there.heard).toEqual([null, 'lunch is ready'])
    expect(here.heard).toEqual([null, ''])
  })

  test('messages that come close together travel as one', async () => {
    const [sums, others] = [await listening(other, 'sums'), await listening(other, 'others')]
    const rested = postgresNotifications({ pool: schoolDb.database.pool, log })
    const add = rested.publisher('sums', (waiting, more) => `${waiting}+${more}`)
    for (const number of ['1', '2', '3', '4']) add(number)
    rested.publisher('others', (_, later) => later)('besides')
    await eventually(() => sums.heard.length === 3 && others.heard.length === 2)
    expect(sums.heard).toEqual([null, '1', '2+3+4'])
    expect(others.heard).toEqual([null, 'besides'])
    await rested.close()
  })

  test('channels are apart, and who has stopped hears no more', async () => {
    const [left, right] = [await listening(other, 'left'), await listening(other, 'right')]
    left.stop()
    for (const channel of ['left', 'right']) mine.publisher(channel, (_, later) => later)(channel)
    await eventually(() => right.heard.length === 2)
    expect([left.heard, right.heard]).toEqual([[null], [null, 'right']])
  })
})

describe('family keys', () => {
  let database: TestDatabase
  let asked = 0
  let keys: FamilyKeys

  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  beforeEach(() => {
    asked = 0
    const { pool } = database.database
    keys = familyKeysIn({
      query: ((...query: Parameters<typeof pool.query>) => {
        asked += 1
        return pool.query(...query)
      }) as typeof pool.query,
    })
  })

  test('who never had a key has none, and gets the same from everybody', async () => {
    expect(await keys.of([1])).toEqual(new Map())
    const made = await keys.madeFor([1])
    expect(made.get(1)).toHaveLength(32)
    expect(await familyKeysIn(database.database.pool).madeFor([1])).toEqual(made)
  })

  test('a key that was used lately is not asked for again', async () => {
    const made = await keys.madeFor([2])
    asked = 0
    expect(await keys.madeFor([2])).toEqual(made)
    expect(await keys.of([2])).toEqual(made)
    expect(asked).toBe(0)
  })

  test('a destroyed key is gone once it is forgotten, for good', async () => {
    await keys.madeFor([3])
    await database.database.knex.transaction((transaction) => destroyFamilyKey(transaction, 3))
    keys.forget(3)
    expect(await keys.of([3])).toEqual(new Map([[3, null]]))
    expect(await keys.madeFor([3])).toEqual(new Map([[3, null]]))
  })
})
