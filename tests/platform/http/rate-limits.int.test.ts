import type { TakeCall } from '#platform/http/rate-limits'
import { postgresRateLimits, rateLimitRetention } from '#platform/http/rate-limits'
import type { TestDatabase } from '../../support/postgres'
import { testDatabase } from '../../support/postgres'
import type { ExampleServer } from './example-server'
import { exampleSessions, people, startExampleServer } from './example-server'

let database: TestDatabase
const servers: ExampleServer[] = []

const start = async (rateLimits: TakeCall | 'off') => {
  const sessions = exampleSessions(database.database.pool, () => new Date('2026-09-16T05:00:00Z'))
  const server = await startExampleServer({ sessions, rateLimits, trustProxy: 1 })
  servers.push(server)
  return server
}

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(() => database.database.pool.query('truncate platform.rate_limits'))
afterAll(async () => {
  await Promise.all(servers.map(({ close }) => close()))
  await database.close()
})

const knock = (server: ExampleServer, from: string) =>
  server.ask('/api/knock', { method: 'POST', headers: { 'x-forwarded-for': from } })
const knockAs = async (server: ExampleServer, person: (typeof people)['parent'], from: string) =>
  server.ask('/api/knock-as-user', {
    method: 'POST',
    headers: { 'x-forwarded-for': from, cookie: await server.cookieOf(person) },
  })

test('a budget holds across processes, each address for itself', async () => {
  const [one, other] = [
    await start(postgresRateLimits(database.database.pool)),
    await start(postgresRateLimits(database.database.pool)),
  ]
  expect((await knock(one, '196.46.1.7')).status).toBe(200)
  expect((await knock(other, '196.46.1.7')).status).toBe(200)
  const refused = await knock(one, '196.46.1.7')
  expect([refused.status, refused.json().code]).toEqual([429, 'too_many_requests'])
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(590)
  expect(wait).toBeLessThanOrEqual(600)
  expect((await knock(other, '196.46.1.7')).status).toBe(429)
  expect((await knock(other, '196.46.1.8')).status).toBe(200)
})

test('a subscriber’s IPv6 addresses share one budget', async () => {
  const server = await start(postgresRateLimits(database.database.pool))
  const answers = []
  for (const host of ['1', '2', '3']) answers.push((await knock(server, `2c0f:f8f0:1:2::${host}`)).status)
  expect(answers).toEqual([200, 200, 429])
})

test('a budget by user follows the user, whatever the address', async () => {
  const server = await start(postgresRateLimits(database.database.pool))
  expect((await knockAs(server, people.parent, '196.46.1.7')).status).toBe(200)
  expect((await knockAs(server, people.parent, '196.46.1.8')).status).toBe(429)
  expect((await knockAs(server, people.teacher, '196.46.1.8')).status).toBe(200)
})

test('one budget does not spend another', async () => {
  const server = await start(postgresRateLimits(database.database.pool))
  await knock(server, '196.46.1.7')
  await knock(server, '196.46.1.7')
  expect((await knockAs(server, people.parent, '196.46.1.7')).status).toBe(200)
})

test('calls that are refused for want of rights spend nothing', async () => {
  const server = await start(postgresRateLimits(database.database.pool))
  expect((await server.ask('/api/knock-as-user', { method: 'POST' })).status).toBe(401)
  const { rows } = await database.database.pool.query('select key from platform.rate_limits')
  expect(rows).toEqual([])
})

test('switched off, nothing is counted', async () => {
  const server = await start('off')
  for (const _turn of [1, 2, 3, 4]) expect((await knock(server, '196.46.1.7')).status).toBe(200)
})

test('when budgets cannot be read, calls go on and the log says so', async () => {
  const broken = { query: () => Promise.reject(new Error('the database is away')) }
  const server = await start(postgresRateLimits(broken as never))
  expect((await knock(server, '196.46.1.7')).status).toBe(200)
  expect(server.log.lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      message: 'rate limit not checked',
      details: { err: expect.any(Error), requestId: expect.any(String), limit: 'knock' },
    },
  ])
})

test('the retention removes budgets that are full again, and only those', async () => {
  const farAway = Date.now() + 3_600_000
  await database.database.pool.query('insert into platform.rate_limits values ($1, 1, $2), ($3, 1, $4)', [
    'knock:old',
    1000,
    'knock:fresh',
    farAway,
  ])
  expect(await rateLimitRetention(database.database.pool).remove(10)).toBe(1)
  const { rows } = await database.database.pool.query('select key from platform.rate_limits')
  expect(rows).toEqual([{ key: 'knock:fresh' }])
})
