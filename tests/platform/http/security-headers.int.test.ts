import { type ExampleServer, startExampleServer } from './example-server'

let plain: ExampleServer
let secure: ExampleServer

beforeAll(async () => {
  plain = await startExampleServer()
  secure = await startExampleServer({ publicUrl: 'https://lunch.school.test' })
})

afterAll(async () => {
  await plain.close()
  await secure.close()
})

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
]

test.each(['/api/plates', '/api/nowhere', '/api/broken', '/dev/mail', '/healthz'])(
  '%s has them all',
  async (path) => {
    const { headers } = await plain.ask(path)
    expect(headers).toMatchObject({
      'content-security-policy': policy.join(';'),
      'referrer-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['x-powered-by']).toBeUndefined()
  },
)

test('TLS is insisted on only where there is some', async () => {
  expect((await plain.ask('/api/plates')).headers['strict-transport-security']).toBeUndefined()
  const { headers } = await secure.ask('/api/plates')
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect(headers['content-security-policy']).toBe([...policy, 'upgrade-insecure-requests'].join(';'))
})

test('answers of the API are kept by no cache', async () => {
  for (const path of ['/api/plates', '/dev/mail', '/healthz'])
    expect((await plain.ask(path)).headers['cache-control']).toBe('no-store')
})
