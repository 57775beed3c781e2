import { connectionOver, dedicatedClient } from '../../src/adapters/postgres/connections'
import { postgresLocks } from '../../src/adapters/postgres/locks'
import type { Locks } from '#platform/ports'
import { eventually } from '../support/eventually'
import { testDatabase, type TestDatabase } from '../support/postgres'

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
