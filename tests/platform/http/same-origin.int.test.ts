import { type ExampleServer, startExampleServer } from './example-server'

let server: ExampleServer
let proxied: ExampleServer

beforeAll(async () => {
  server = await startExampleServer({ publicUrl: 'https://lunch.school.test/' })
  proxied = await startExampleServer({ publicUrl: 'https://lunch.school.test', trustProxy: 1 })
})

afterAll(async () => {
  await server.close()
  await proxied.close()
})

const said = { said: 'hi' }
const changeWith = (headers: Record<string, string>, to = server) =>
  to.ask('/api/echo', { method: 'POST', body: said, headers }).then(({ status }) => status)

test.each<[string, Record<string, string>]>([
  ['from the public address', { origin: 'https://lunch.school.test' }],
  ['from the address it was sent to', { origin: 'http://192.168.1.9:3000', host: '192.168.1.9:3000' }],
  ['from the same origin, which the browser vouches for', { 'sec-fetch-site': 'same-origin' }],
  ['typed by the user', { 'sec-fetch-site': 'none' }],
  ['from no browser at all', {}],
])('a change %s is let through', async (_from, headers) => {
  expect(await changeWith(headers)).toBe(200)
})

test.each<[string, Record<string, string>]>([
  ['from another site', { origin: 'https://evil.test' }],
  [
    'from another site that says it is the same',
    { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
  ],
  ['from a sandboxed page', { origin: 'null' }],
  ['from another port', { origin: 'http://192.168.1.9:4000', host: '192.168.1.9:3000' }],
  ['from plain http, where the public address is https', { origin: 'http://lunch.school.test' }],
  ['from an address that begins like ours', { origin: 'https://lunch.school.test.evil.test' }],
  ['from a cousin of our domain', { 'sec-fetch-site': 'same-site' }],
  ['from another site, by Sec-Fetch-Site alone', { 'sec-fetch-site': 'cross-site' }],
])('a change %s is refused', async (_from, headers) => {
  expect(await changeWith(headers)).toBe(403)
})

test('behind a proxy the forwarded address counts', async () => {
  const forwarded = { 'x-forwarded-host': 'canteen.test', 'x-forwarded-proto': 'https' }
  expect(await changeWith({ ...forwarded, origin: 'https://canteen.test' }, proxied)).toBe(200)
  expect(await changeWith({ ...forwarded, origin: 'http://canteen.test' }, proxied)).toBe(403)
  expect(await changeWith({ ...forwarded, origin: 'https://canteen.test' })).toBe(403)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is a change', async (method) => {
  const path = method === 'DELETE' ? '/api/plates/1' : '/api/echo'
  const { status } = await server.ask(path, { method, headers: { origin: 'https://evil.test' } })
  expect(status).toBe(method === 'DELETE' || method === 'POST' ? 403 : 405)
})

test('reading is free to everybody', async () => {
  expect((await server.ask('/api/plates', { headers: { origin: 'https://evil.test' } })).status).toBe(200)
})

test('a route for other sites takes their calls', async () => {
  const { status } = await server.ask('/api/push/s3cret', {
    method: 'POST',
    body: '<paid/>',
    headers: { origin: 'https://provider.test', 'sec-fetch-site': 'cross-site' },
  })
  expect(status).toBe(200)
})
