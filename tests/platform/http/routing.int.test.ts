import { z } from 'zod'
import { endpoint, type Endpoint } from '#contracts/endpoint'
import { anyone, route } from '#platform/http/route'
import { startExampleServer, type ExampleServer } from './example-server'

/** A route that answers with its own path and what it was given for each name in it. */
const to = (method: Endpoint['method'], path: string) =>
  route(
    endpoint(method, path, {
      params: z.record(z.string(), z.string()),
      reply: z.object({ path: z.string(), params: z.record(z.string(), z.string()) }),
    }),
    anyone,
    ({ params }) => Promise.resolve({ path, params: params ?? {} }),
  )

const orders = [
  to('GET', '/api/orders'),
  to('GET', '/api/orders/:id'),
  to('POST', '/api/orders/:id/cancel'),
  to('GET', '/api/orders/week/:week'),
]
const payments = [
  to('GET', '/api/orders/today'),
  to('POST', '/api/orders'),
  to('PUT', '/api/menu/:itemId/sides/:sideId'),
]

let portions = 1
const kitchen = route(
  endpoint('GET', '/api/kitchen', { etag: true, reply: z.object({ portions: z.number() }) }),
  anyone,
  () => Promise.resolve({ portions }),
)

let server: ExampleServer
beforeAll(async () => {
  server = await startExampleServer({ routes: [orders, payments, [kitchen]] })
})
afterAll(() => server.close())

test.each([
  ['GET', '/api/orders', '/api/orders', {}],
  ['POST', '/api/orders', '/api/orders', {}],
  ['GET', '/api/orders/today', '/api/orders/today', {}],
  ['GET', '/api/orders/1.2026-09-14.1', '/api/orders/:id', { id: '1.2026-09-14.1' }],
  ['GET', '/api/orders/week', '/api/orders/:id', { id: 'week' }],
  ['GET', '/api/orders/week/3', '/api/orders/week/:week', { week: '3' }],
  ['POST', '/api/orders/today/cancel', '/api/orders/:id/cancel', { id: 'today' }],
  ['PUT', '/api/menu/4/sides/5', '/api/menu/:itemId/sides/:sideId', { itemId: '4', sideId: '5' }],
  ['GET', '/api/orders/a%2Fb%20c', '/api/orders/:id', { id: 'a/b c' }],
])('%s %s leads to %s', async (method, asked, path, params) => {
  const answer = await server.ask(asked, { method })
  expect([answer.status, answer.json()]).toEqual([200, { path, params }])
})

test.each([
  '/',
  '/api',
  '/api/',
  '/api/orders/',
  '/api//orders',
  '/api/orders//cancel',
  '/API/orders',
  '/api/orders/7%00',
])('%s leads nowhere', async (path) => {
  const answer = await server.ask(path)
  expect([answer.status, answer.json().code]).toEqual([404, 'not_found'])
})

test.each([
  ['PATCH', '/api/orders', 'HEAD, GET, POST'],
  ['GET', '/api/orders/7/cancel', 'POST'],
])('%s %s is told which methods there are, of all contexts', async (method, path, allow) => {
  const answer = await server.ask(path, { method })
  expect([answer.status, answer.json().code, answer.headers.allow]).toEqual([
    405,
    'method_not_allowed',
    allow,
  ])
})

test('HEAD is answered by GET, OPTIONS by the methods there are, and a method nobody knows by the error shape', async () => {
  const head = await server.ask('/api/orders/9', { method: 'HEAD' })
  expect([head.status, head.bytes.length]).toEqual([200, 0])
  const options = await server.ask('/api/orders', { method: 'OPTIONS' })
  expect([options.status, options.headers.allow]).toEqual([200, 'HEAD, GET, POST'])
  const unknown = await server.ask('/api/orders', { method: 'PURGE' })
  expect([unknown.status, unknown.json().code]).toEqual([405, 'method_not_allowed'])
})

const kitchenUnless = (etag?: string) =>
  server.ask('/api/kitchen', {
    headers: etag === undefined ? {} : { 'If-None-Match': etag, 'Cache-Control': 'no-cache' },
  })

test('a reply with an ETag is answered 304 without a body to who has it, and whole when it is another one', async () => {
  const first = await kitchenUnless()
  expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  const { etag } = first.headers
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  expect(await kitchenUnless(etag)).toMatchObject({ status: 304, text: '', headers: { etag } })
  portions += 1
  const other = await kitchenUnless(etag)
  expect(other).toMatchObject({ status: 200, text: '{"portions":2}' })
  expect(other.headers.etag).not.toBe(etag)
})
