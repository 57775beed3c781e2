import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { endpoint } from '#contracts/endpoint'
import { anyone, rawRoute, route } from '#platform/http/route'
import { z } from 'zod'
import { startExampleServer } from './example-server'

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
