import { type ExampleServer, startExampleServer } from './example-server'

const servers = new Map<number, ExampleServer>()
beforeAll(async () => {
  for (const trustProxy of [0, 1, 2]) servers.set(trustProxy, await startExampleServer({ trustProxy }))
})
afterAll(() => Promise.all([...servers.values()].map(({ close }) => close())))

test.each([
  [0, undefined, '127.0.0.1'],
  [0, '196.46.1.7', '127.0.0.1'],
  [1, '196.46.1.7', '196.46.1.7'],
  [1, '10.9.9.9, 196.46.1.7', '196.46.1.7'],
  [1, undefined, '127.0.0.1'],
  [2, '10.9.9.9, 196.46.1.7, 172.16.0.2', '196.46.1.7'],
  [2, '::ffff:196.46.1.7, 172.16.0.2', '196.46.1.7'],
])('behind %i proxies, "X-Forwarded-For: %s" comes from %s', async (proxies, forwarded, ip) => {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const answer = await servers.get(proxies)!.ask('/api/who', { headers })
  expect(answer.json().ip).toBe(ip)
})

test('somebody not signed in acts as the system', async () => {
  const answer = await servers.get(0)!.ask('/api/who')
  expect(answer.json()).toMatchObject({ userId: null, actor: 'system', sessionId: null })
})
