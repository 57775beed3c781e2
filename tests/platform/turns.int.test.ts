import { postgresTurns } from '../../src/adapters/turns-postgres'
import type { Turns } from '#platform/turns'
import { eventually } from '../support/eventually'
import { testDatabase } from '../support/postgres'
import type { TestDatabase } from '../support/postgres'

let schoolDb: TestDatabase
let mine: Turns
let other: Turns

beforeAll(async () => {
  schoolDb = await testDatabase()
  mine = postgresTurns(schoolDb.database)
  other = postgresTurns(schoolDb.database)
})
afterAll(async () => {
  await mine.close()
  await other.close()
  await schoolDb.close()
})

const endSessions = () =>
  schoolDb.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tuckshop turns' and datname = current_database()`,
  )

test('one taker has a turn until it ends it, in its own process and among all', async () => {
  const turn = await mine.take('a')
  expect(turn).not.toBeNull()
  expect(await mine.take('a')).toBeNull()
  expect(await other.take('a')).toBeNull()
  await turn?.end()
  const next = await other.take('a')
  expect(next).not.toBeNull()
  await turn?.end()
  expect(await mine.take('a')).toBeNull()
  await next?.end()
})

test('of two that take at once in one process one is let in', async () => {
  const taken = await Promise.all([mine.take('b'), mine.take('b')])
  expect(taken.filter((turn) => turn !== null)).toHaveLength(1)
  await Promise.all(taken.map((turn) => turn?.end()))
})

test('turns of different names are nothing to each other', async () => {
  const turns = await Promise.all([mine.take('c'), other.take('d')])
  expect(turns).not.toContain(null)
  await Promise.all(turns.map((turn) => turn?.end()))
})

test('a connection that dies loses its turns, and others may have them', async () => {
  const turn = await mine.take('e')
  await endSessions()
  await turn?.lost
  const next = await eventually(async () => (await other.take('e')) ?? false)
  await next.end()
  const again = await mine.take('e')
  expect(again).not.toBeNull()
  await again?.end()
})

test('a turn can be seized, from another process and from this one', async () => {
  const first = await other.take('f')
  const second = await mine.seize('f')
  await first?.lost
  const third = await mine.seize('f')
  await second.lost
  expect(await other.take('f')).toBeNull()
  await third.end()
})
