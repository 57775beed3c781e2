import { Registry } from 'prom-client'
import { metricsRegistry, type Readiness } from '#platform/http/http-server'
import { type ExampleServer, startExampleServer } from './example-server'

const servers: ExampleServer[] = []
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
