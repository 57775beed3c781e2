import { httpRefusals, type HttpRefusal } from '#platform/http/error-replies'
import type { Exchange } from '../../support/http-exchange'
import { type ExampleServer, exampleSessions, people, startExampleServer } from './example-server'

let server: ExampleServer

beforeAll(async () => {
  server = await startExampleServer({
    sessions: exampleSessions(),
    rateLimits: ({ name }) => Promise.resolve(name === 'knock' ? 42 : 0),
    bodyTimeoutMs: 40,
  })
})

afterAll(async () => {
  await server.close()
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.ask(path, { method: 'POST', body, headers })

const as = async (person: (typeof people)[keyof typeof people]) => ({ cookie: await server.cookieOf(person) })

// One way to each refusal of the platform; the compiler asks for a new one with every new code.
const waysTo: Record<HttpRefusal, () => Promise<Exchange>> = {
  malformed_request: () => post('/api/echo', '{"said":', { 'content-type': 'application/json' }),
  not_signed_in: () => server.ask('/api/signed-in'),
  forbidden: async () => server.ask('/api/menu-admin', { headers: await as(people.kitchenAdmin) }),
  password_change_required: async () => server.ask('/api/signed-in', { headers: await as(people.temporary) }),
  second_factor_setup_required: async () =>
    server.ask('/api/signed-in', { headers: await as(people.unprotected) }),
  cross_site: () => post('/api/echo', { said: 'hi' }, { origin: 'https://evil.test' }),
  not_found: () => server.ask('/api/nothing-here'),
  idempotency_key_reused: async () => {
    const headers = { 'idempotency-key': 'one-key' }
    await post('/api/said-once', { said: 'first' }, headers)
    return post('/api/said-once', { said: 'second' }, headers)
  },
  method_not_allowed: () => server.ask('/api/echo'),
  request_too_slow: () =>
    post('/api/echo', '{', { 'content-type': 'application/json', 'content-length': '9' }),
  request_too_large: () => post('/api/plates', { portions: 1, note: 'x'.repeat(1100) }),
  unsupported_media_type: () =>
    post('/api/echo', 'said=hi', { 'content-type': 'application/x-www-form-urlencoded' }),
  validation_failed: () => post('/api/echo', { said: 7 }),
  too_many_requests: () => post('/api/knock', undefined),
}

test.each(Object.keys(waysTo) as HttpRefusal[])(
  '%s answers its status and the one error shape',
  async (code) => {
    const answer = await waysTo[code]()
    const body = answer.json()
    expect([answer.status, body.code]).toEqual([httpRefusals[code], code])
    expect(body.message).toEqual(expect.stringMatching(/\w+/))
    expect(body.error).toBe(body.message)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  },
)

test('an unknown method says which ones there are', async () => {
  const answer = await server.ask('/api/plates', { method: 'PATCH' })
  expect(answer.headers.allow).toBe('HEAD, GET, POST')
})

test('over the budget one is told when to come back', async () => {
  const answer = await waysTo.too_many_requests()
  expect(answer.headers['retry-after']).toBe('42')
  expect(answer.json()).toMatchObject({ retryAfter: 42 })
})

test('a missing sign-in is asked for in the words of the screens', async () => {
  expect((await waysTo.not_signed_in()).json()).toMatchObject({ message: 'Please log in' })
})

describe('what a module refuses', () => {
  test('answers the status of its table, with the extra keys beside but not instead of the usual ones', async () => {
    const answer = await server.ask('/api/sold-out')
    expect(answer.status).toBe(409)
    expect(answer.json()).toEqual({
      message: 'No plates left',
      error: 'No plates left',
      code: 'sold_out',
      left: 0,
    })
  })

  test('may carry its own status', async () => {
    const answer = await server.ask('/api/own-status')
    expect([answer.status, answer.json().code]).toEqual([422, 'sold_out'])
  })

  test('may ask to be tried again later', async () => {
    const answer = await server.ask('/api/provider-away')
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '30'])
  })
})

const loggedFaults = () =>
  server.log.lines.filter(({ level }) => level === 'error').map(({ details }) => details)

describe('a fault', () => {
  const faultBody = {
    message: 'Something went wrong on our side. Please try again.',
    error: 'Something went wrong on our side. Please try again.',
    code: 'internal_error',
  }

  beforeEach(() => server.log.lines.splice(0))
  afterAll(() => server.log.lines.splice(0))

  test('is a bare 500, and its stack is in the log under the id of the request', async () => {
    const answer = await server.ask('/api/broken', { headers: { 'x-request-id': 'request-0001' } })
    expect([answer.status, answer.json()]).toEqual([500, faultBody])
    expect(loggedFaults()).toEqual([
      {
        err: expect.any(Error),
        requestId: 'request-0001',
        method: 'GET',
        route: '/api/broken',
        userId: null,
      },
    ])
    expect((loggedFaults()[0]!.err as Error).stack).toContain('example-routes')
  })

  test('of a server behind this one asks for patience, and is logged all the same', async () => {
    const answer = await server.ask('/api/full-disk')
    const message = 'We cannot reach our records at the moment. Please try again in a minute.'
    expect([answer.status, answer.json()]).toEqual([503, { message, error: message, code: 'unavailable' }])
    expect(answer.headers['retry-after']).toBe('5')
    expect(loggedFaults()).toHaveLength(1)
  })

  test.each(['/api/wrong-reply', '/api/unknown-code', '/api/nobody-there'])('%s is one', async (path) => {
    const answer = await server.ask(path)
    expect([answer.status, answer.json()]).toEqual([500, faultBody])
    expect(loggedFaults()).toHaveLength(1)
  })

  test('half way through a file leaves no file name on the error', async () => {
    const answer = await server.ask('/api/report', { headers: await as(people.superadmin) })
    expect([answer.status, answer.json()]).toEqual([500, faultBody])
    expect(answer.headers['content-disposition']).toBeUndefined()
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

test('a route tells with every answer what time it is, also where it refuses', async () => {
  for (const headers of [{}, await as(people.kitchenAdmin)]) {
    const { headers: answered } = await server.ask('/api/signed-in', { headers })
    expect(answered['school-time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }
})
