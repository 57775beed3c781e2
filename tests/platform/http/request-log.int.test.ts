import { Registry } from 'prom-client'
import { type ExampleServer, exampleSessions, people, startExampleServer } from './example-server'

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
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1')
  expect(text).not.toContain('/api/plates/7')
})
