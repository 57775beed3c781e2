import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { type Endpoint, endpoint } from '#contracts/endpoint'
import { anyone, rawRoute, route } from '#platform/http/route'
import { type ExampleServer, startExampleServer } from './example-server'

describe('listening', () => {
  const word = z.object({ said: z.string() })

  /** A server with one slow call, which the test holds and lets go. */
  const startHeld = async (closeGraceMs: number) => {
    const reached = gate()
    const released = gate()
    const held = route(endpoint('GET', '/api/held', { reply: word }), anyone, async () => {
      reached.open()
      await released.passed
      return { said: 'done' }
    })
    const server = await startExampleServer({ routes: [[held]], closeGraceMs })
    return { server, reached, released }
  }

  const gate = () => {
    let open!: () => void
    const passed = new Promise<void>((resolve) => (open = resolve))
    return { open, passed }
  }

  const get = (url: string, agent: Agent) =>
    new Promise<string>((resolve, reject) => {
      request(url, { agent }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('error', reject)
        answer.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })

  const agents: Agent[] = []
  const keepAlive = () => {
    const agent = new Agent({ keepAlive: true })
    agents.push(agent)
    return agent
  }
  afterAll(() => agents.forEach((agent) => agent.destroy()))

  test('closing takes no more requests but finishes the running one', async () => {
    const { server, reached, released } = await startHeld(10_000)
    const running = server.ask('/api/held')
    await reached.passed
    const closed = server.close()
    await expect(server.ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    released.open()
    const answer = await running
    expect([answer.status, answer.json()]).toEqual([200, { said: 'done' }])
    expect(answer.headers.connection).toBe('close')
    await closed
  })

  test('closing hangs up on idle connections', async () => {
    const { server } = await startHeld(10_000)
    await get(`${server.url}/healthz`, keepAlive())
    await server.close()
  })

  test('closing lets a kept connection finish its call and then hangs up', async () => {
    const { server, reached, released } = await startHeld(10_000)
    const running = get(`${server.url}/api/held`, keepAlive())
    await reached.passed
    const closed = server.close()
    released.open()
    expect(JSON.parse(await running)).toEqual({ said: 'done' })
    await closed
  })

  test('closing waits for nobody longer than its grace', async () => {
    const { server, reached, released } = await startHeld(30)
    const running = server.ask('/api/held')
    const cutOff = expect(running).rejects.toMatchObject({ code: 'ECONNRESET' })
    await reached.passed
    await server.close()
    await cutOff
    released.open()
  })

  test('a taken port is told as Node tells it', async () => {
    const server = await startExampleServer()
    const taken = Number(new URL(server.url).port)
    await expect(startExampleServer({}, taken)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await server.close()
  })

  test('an answer that breaks off in the middle is a fault, and the connection shows it', async () => {
    const broken = rawRoute({
      method: 'GET',
      path: '/api/half',
      access: anyone,
      serve: (context) => {
        context.body = Readable.from(halfAnAnswer())
        return Promise.resolve()
      },
    })
    const server = await startExampleServer({ routes: [[broken]] })
    await expect(server.ask('/api/half')).rejects.toMatchObject({ code: 'ECONNRESET' })
    const fault = server.log.lines.find(({ level }) => level === 'error')
    expect(fault).toMatchObject({
      message: 'an answer could not be sent',
      details: { err: { message: 'no more' } },
    })
    await server.close()
  })

  async function* halfAnAnswer() {
    yield 'half'
    await Promise.resolve()
    throw new Error('no more')
  }

  test('headers of more than 16 KiB are refused', async () => {
    const server = await startExampleServer()
    const answer = await server.ask('/healthz', { headers: { 'x-long': 'x'.repeat(17 * 1024) } })
    expect(answer.status).toBe(431)
    await server.close()
  })

  test('headers that trickle in are given up, and the connection with them', async () => {
    const server = await startExampleServer({ headersTimeoutMs: 60 })
    const heard = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname, () => socket.write('GET /api/plates HTTP/1.1\r\nHost: '))
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString('latin1')))
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    expect(heard).toMatch(/^HTTP\/1\.1 408 /)
    await server.close()
  })
})

describe('routing', () => {
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
})
