import { Pool } from 'pg'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint'
import { anyone, route } from '#platform/http/route'
import { eventually } from '../../support/eventually'
import { exampleRoutes } from './example-routes'
import { openRedis } from '../../../src/adapters/queue/redis'
import { rateLimiter, rateLimitRetention, type ConsumeCall } from '#platform/http/rate-limits'
import { heardLog } from '../../support/captured-log'
import { testDatabase, type TestDatabase } from '../../support/postgres'
import { givenRedis, redisInstalled, startRedis, type RedisServer } from '../../support/redis'
import { exampleSessions, people, startExampleServer, type ExampleServer } from './example-server'

let database: TestDatabase
const servers: ExampleServer[] = []

const start = async (rateLimits: ConsumeCall | 'off') => {
  const sessions = exampleSessions()
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

/** The budgets of another process: they meet in the store alone. */
const budgets = (redis: Parameters<typeof rateLimiter>[0]['redis'] = null) =>
  rateLimiter({ redis, pool: database.database.pool })

const knock = (server: ExampleServer, from: string) =>
  server.ask('/api/knock', { method: 'POST', headers: { 'x-forwarded-for': from } })
const knockAs = async (server: ExampleServer, person: (typeof people)['parent'], from: string) =>
  server.ask('/api/knock-as-user', {
    method: 'POST',
    headers: { 'x-forwarded-for': from, cookie: await server.cookieOf(person) },
  })

/** Two servers hold one budget, each address for itself. */
const expectOneBudget = async (one: ExampleServer, other: ExampleServer) => {
  expect((await knock(one, '196.46.1.7')).status).toBe(200)
  expect((await knock(other, '196.46.1.7')).status).toBe(200)
  const refused = await knock(one, '196.46.1.7')
  expect([refused.status, refused.json().code]).toEqual([429, 'too_many_requests'])
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(590)
  expect(wait).toBeLessThanOrEqual(600)
  expect((await knock(other, '196.46.1.7')).status).toBe(429)
  expect((await knock(other, '196.46.1.8')).status).toBe(200)
}

test('a budget in the database holds across processes, each address for itself', async () =>
  expectOneBudget(await start(budgets()), await start(budgets())))

if (givenRedis === '' && !redisInstalled())
  test.skip('a budget in Redis: there is no redis-server here and REDIS_TEST_URL is not set', () => undefined)
else
  test('a budget in Redis holds across processes', async () => {
    const own: RedisServer | undefined = givenRedis === '' ? await startRedis() : undefined
    const connections = await Promise.all([1, 2].map(() => openRedis(own?.url ?? givenRedis, heardLog())))
    await Promise.all(connections.map((redis) => new Promise((ready) => redis.once('ready', ready))))
    await connections[0]!.flushdb()
    const [one, other] = await Promise.all(connections.map((redis) => start(budgets(redis))))
    await expectOneBudget(one!, other!)
    for (const redis of connections) redis.disconnect()
    await own?.kill()
  })

if (!redisInstalled()) test.skip('a Redis that goes away: there is no redis-server here', () => undefined)
else
  test('a Redis that hangs or ends is waited for a second at most; nobody is refused wrongly once it is back', async () => {
    const own = await startRedis()
    const redis = await openRedis(own.url, heardLog())
    await new Promise((ready) => redis.once('ready', ready))
    const server = await start(budgets(redis))
    const statuses = async (from: string) => {
      const answers = []
      for (const _turn of [1, 2, 3]) answers.push((await knock(server, from)).status)
      return answers
    }
    expect((await knock(server, '196.46.1.7')).status).toBe(200)
    own.hang()
    const began = performance.now()
    expect(await statuses('196.46.1.7')).toEqual([200, 200, 429])
    expect(performance.now() - began).toBeLessThan(6_000)
    await own.kill()
    expect(await statuses('196.46.1.8')).toEqual([200, 200, 429])
    await own.start()
    await eventually(() => redis.status === 'ready')
    expect(await statuses('196.46.1.8')).toEqual([200, 200, 429])
    expect(await statuses('196.46.1.9')).toEqual([200, 200, 429])
    redis.disconnect()
    await own.kill()
  }, 30_000)

test('a subscriber’s IPv6 addresses share one budget', async () => {
  const server = await start(budgets())
  const answers = []
  for (const host of ['1', '2', '3']) answers.push((await knock(server, `2c0f:f8f0:1:2::${host}`)).status)
  expect(answers).toEqual([200, 200, 429])
})

test('a budget by user follows the user, whatever the address', async () => {
  const server = await start(budgets())
  expect((await knockAs(server, people.parent, '196.46.1.7')).status).toBe(200)
  expect((await knockAs(server, people.parent, '196.46.1.8')).status).toBe(429)
  expect((await knockAs(server, people.teacher, '196.46.1.8')).status).toBe(200)
})

test('one budget does not spend another', async () => {
  const server = await start(budgets())
  await knock(server, '196.46.1.7')
  await knock(server, '196.46.1.7')
  expect((await knockAs(server, people.parent, '196.46.1.7')).status).toBe(200)
})

test('calls that are refused for want of rights spend nothing', async () => {
  const server = await start(budgets())
  expect((await server.ask('/api/knock-as-user', { method: 'POST' })).status).toBe(401)
  const { rows } = await database.database.pool.query('select key from platform.rate_limits')
  expect(rows).toEqual([])
})

test('switched off, nothing is counted', async () => {
  const server = await start('off')
  for (const _turn of [1, 2, 3, 4]) expect((await knock(server, '196.46.1.7')).status).toBe(200)
})

test('while their store is away, each process holds the same budgets by itself', async () => {
  const adapterLog = heardLog()
  const away = await openRedis('redis://127.0.0.1:1', adapterLog)
  const gone = new Pool({ connectionString: 'postgres://127.0.0.1:1/none', connectionTimeoutMillis: 100 })
  for (const store of [
    { redis: away, pool: gone },
    { redis: null, pool: gone },
  ]) {
    const server = await start(rateLimiter(store))
    const answers = []
    for (const _turn of [1, 2, 3]) answers.push((await knock(server, '196.46.1.7')).status)
    expect(answers).toEqual([200, 200, 429])
    expect((await knock(server, '196.46.1.8')).status).toBe(200)
  }
  away.disconnect()
  await gone.end()
  expect(adapterLog.lines.map(({ message }) => message)).toContain('Redis cannot be reached')
})

test('a user makes 120 writing calls a minute at most, reading ones without end', async () => {
  const server = await start(budgets())
  const cookie = await server.cookieOf(people.parent)
  const echo = () => server.ask('/api/echo', { method: 'POST', body: { said: 'hi' }, headers: { cookie } })
  for (let call = 0; call < 120; call += 1) expect((await echo()).status).toBe(200)
  const refused = await echo()
  expect([refused.status, refused.json().code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await server.ask('/api/who', { headers: { cookie } })).status).toBe(200)
  const other = { cookie: await server.cookieOf(people.teacher) }
  expect(
    (await server.ask('/api/echo', { method: 'POST', body: { said: 'hi' }, headers: other })).status,
  ).toBe(200)
})

test('a user has four carts on their way at most', async () => {
  const arrived: (() => void)[] = []
  const cart = route(
    endpoint('POST', '/api/cart', { reply: z.object({}) }),
    anyone,
    async () => {
      await new Promise<void>((leave) => arrived.push(leave))
      return {}
    },
    { cart: true },
  )
  const server = await startExampleServer({
    sessions: exampleSessions(),
    rateLimits: budgets(),
    routes: [exampleRoutes, [cart]],
  })
  servers.push(server)
  const headers = { cookie: await server.cookieOf(people.parent) }
  const handIn = (who = headers) => server.ask('/api/cart', { method: 'POST', headers: who })
  const four = [handIn(), handIn(), handIn(), handIn()]
  await eventually(async () => arrived.length === 4)
  const fifth = await handIn()
  expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '1'])
  const other = handIn({ cookie: await server.cookieOf(people.teacher) })
  await eventually(async () => arrived.length === 5)
  for (const leave of arrived.splice(0)) leave()
  expect((await Promise.all([...four, other])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const next = handIn()
  await eventually(async () => arrived.length === 1)
  arrived[0]!()
  expect((await next).status).toBe(200)
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
