import { Pool } from 'pg'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint'
import { type Readiness, metricsRegistry } from '#platform/http/http-server'
import { type ConsumeCall, rateLimiter, rateLimitRetention } from '#platform/http/rate-limits'
import { anyone, route } from '#platform/http/route'
import { openRedis } from '../../../src/adapters/queue/servers'
import { heardLog } from '../../support/captured-log'
import { eventually } from '../../support/eventually'
import { type TestDatabase, testDatabase } from '../../support/postgres'
import { type RedisServer, givenRedis, redisInstalled, startRedis } from '../../support/redis'
import {
  type ExampleServer,
  exampleRoutes,
  exampleSessions,
  people,
  startExampleServer,
} from './example-server'

const servers: ExampleServer[] = []

describe('rate limits', () => {
  let database: TestDatabase

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
    test.skip('a budget in Redis: there is no redis-server here and REDIS_TEST_URL is not set', () =>
      undefined)
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
    expect((await Promise.all([...four, other])).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ])
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
})

describe('request log', () => {
  let server: ExampleServer
  const metrics = new Registry()

  beforeAll(async () => {
    server = await startExampleServer({
      metrics,
      sessions: exampleSessions(),
    })
  })

  afterAll(async () => {
    await server.close()
  })

  beforeEach(() => server.log.lines.splice(0))

  describe('the id of a request', () => {
    test('is the one it came with, also for the handler', async () => {
      const answer = await server.ask('/api/who', { headers: { 'x-request-id': 'tuckshop-web.0001' } })
      expect(answer.headers['x-request-id']).toBe('tuckshop-web.0001')
      expect(answer.json().correlationId).toBe('tuckshop-web.0001')
    })

    test.each(['short', 'has spaces in it', 'x'.repeat(101), 'quote"quote"', ''])(
      'is a new one instead of %j',
      async (sent) => {
        const answer = await server.ask('/api/who', { headers: { 'x-request-id': sent } })
        expect(answer.headers['x-request-id']).toMatch(
          /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/,
        )
      },
    )

    test('is on refusals and faults too', async () => {
      for (const path of ['/api/nowhere', '/api/broken'])
        expect(
          (await server.ask(path, { headers: { 'x-request-id': 'tuckshop-web.0002' } })).headers,
        ).toMatchObject({
          'x-request-id': 'tuckshop-web.0002',
        })
    })
  })

  describe('the log', () => {
    test('has one line per request: who, what, how it went and how long it took', async () => {
      const cookie = await server.cookieOf(people.parent)
      server.log.lines.splice(0)
      await server.ask('/api/plates/7', { headers: { cookie, 'x-request-id': 'tuckshop-web.0003' } })
      expect(server.log.lines).toEqual([
        {
          level: 'info',
          message: 'request',
          details: {
            requestId: 'tuckshop-web.0003',
            method: 'GET',
            route: '/api/plates/:id',
            status: 200,
            ms: expect.any(Number),
            userId: 1,
          },
        },
      ])
    })

    test('names who signed in with that very request', async () => {
      await server.cookieOf(people.teacher)
      expect(server.log.lines[0]!.details).toMatchObject({ route: '/api/sign-in', userId: 2 })
    })

    test('never holds a secret of path, query, header or body', async () => {
      const cookie = await server.cookieOf(people.parent)
      const headers = { cookie, authorization: 'Bearer hunter2' }
      await server.ask('/api/push/hunter2', { method: 'POST', body: 'hunter2', headers })
      await server.ask('/api/push/hunter2/', { method: 'POST', body: 'hunter2', headers })
      await server.ask('/api/echo?token=hunter2', { method: 'POST', body: { said: 'hunter2' }, headers })
      await server.ask('/api/broken?token=hunter2', { headers })
      expect(server.log.lines.length).toBeGreaterThan(4)
      expect(JSON.stringify(server.log.lines)).not.toContain('hunter2')
      expect(JSON.stringify(server.log.lines)).not.toContain(cookie.split('=')[1]!.slice(0, 20))
    })

    test('is quiet about health checks', async () => {
      await server.ask('/healthz')
      expect(server.log.lines.map(({ level }) => level)).toEqual(['debug'])
    })
  })

  test('durations are measured by written path, method and status', async () => {
    metrics.resetMetrics()
    await server.ask('/api/plates/7')
    await server.ask('/api/plates/8')
    await server.ask('/api/nowhere/7')
    const text = await metrics.metrics()
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/plates/:id",status="200"} 2',
    )
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1',
    )
    expect(text).not.toContain('/api/plates/7')
  })
})

describe('health', () => {
  const start = async (...more: Parameters<typeof startExampleServer>) => {
    const server = await startExampleServer(...more)
    servers.push(server)
    return server
  }
  afterAll(() => Promise.all(servers.map(({ close }) => close())))

  const told = (readiness: Readiness) => ({ readiness: () => Promise.resolve(readiness) })

  test('/healthz says that the process lives, ready or not', async () => {
    const server = await start(told({ ready: false, details: {} }))
    const answer = await server.ask('/healthz')
    expect([answer.status, answer.json()]).toEqual([200, { status: 'ok' }])
  })

  test('/readyz tells whether it can serve, and why not', async () => {
    const ready = await start(told({ ready: true, details: { database: 'ok' } }))
    const away = await start(told({ ready: false, details: { database: 'does not answer' } }))
    expect((await ready.ask('/readyz')).status).toBe(200)
    const answer = await away.ask('/readyz')
    expect([answer.status, answer.json()]).toEqual([
      503,
      { ready: false, details: { database: 'does not answer' } },
    ])
  })

  test('/readyz is 503 when readiness cannot be told, and the reason stays in the log', async () => {
    const server = await start({
      readiness: () => Promise.reject(new Error('postgres://user:hunter2@db is away')),
    })
    const answer = await server.ask('/readyz')
    expect([answer.status, answer.json()]).toEqual([503, { ready: false, details: {} }])
    expect(server.log.lines.find(({ level }) => level === 'error')?.details.err).toEqual(expect.any(Error))
  })

  describe('/metrics', () => {
    test('shows what anybody has registered, to this machine', async () => {
      const server = await start({ metrics: metricsRegistry() })
      const answer = await server.ask('/metrics')
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toContain('text/plain')
      expect(answer.text).toContain('process_cpu_seconds_total')
      expect(answer.text).toContain('http_request_duration_seconds')
    })

    test('is not there for others', async () => {
      const behindProxy = await start({ trustProxy: 1 })
      const behindUnknownProxy = await start()
      const forwarded = { headers: { 'x-forwarded-for': '196.46.1.7' } }
      expect((await behindProxy.ask('/metrics', forwarded)).status).toBe(404)
      expect((await behindUnknownProxy.ask('/metrics', forwarded)).status).toBe(404)
      expect((await behindProxy.ask('/metrics')).status).toBe(200)
    })

    test('is there for whoever brings the token, wherever they are', async () => {
      const server = await start({ trustProxy: 1, metricsToken: 'a-token-of-the-scraper' })
      const far = (authorization: string) =>
        server.ask('/metrics', { headers: { 'x-forwarded-for': '10.0.0.7', authorization } })
      expect((await far('Bearer a-token-of-the-scraper')).status).toBe(200)
      expect((await far('Bearer a-token-of-the-scrape')).status).toBe(404)
      expect((await far('')).status).toBe(404)
      const without = await start({ trustProxy: 1 })
      const headers = { 'x-forwarded-for': '10.0.0.7', authorization: 'Bearer undefined' }
      expect((await without.ask('/metrics', { headers })).status).toBe(404)
    })

    test('two servers of one process share a registry', async () => {
      const metrics = new Registry()
      const [first, second] = [await start({ metrics }), await start({ metrics })]
      await first.ask('/api/plates')
      await second.ask('/api/plates')
      expect(await metrics.metrics()).toContain('route="/api/plates",status="200"} 2')
    })
  })

  test('health is for reading', async () => {
    const server = await start()
    const posted = await server.ask('/healthz', { method: 'POST' })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'HEAD, GET'])
    expect((await server.ask('/healthz', { method: 'HEAD' })).bytes).toHaveLength(0)
  })
})
