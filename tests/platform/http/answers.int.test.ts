import { connect } from 'node:net'
import { type HttpRefusal, httpRefusals } from '#platform/http/request'
import type { Exchange } from '../../support/http-exchange'
import { type ExampleServer, exampleSessions, people, startExampleServer } from './example-server'

describe('errors', () => {
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

  const as = async (person: (typeof people)[keyof typeof people]) => ({
    cookie: await server.cookieOf(person),
  })

  // One way to each refusal of the platform; the compiler asks for a new one with every new code.
  const waysTo: Record<HttpRefusal, () => Promise<Exchange>> = {
    malformed_request: () => post('/api/echo', '{"said":', { 'content-type': 'application/json' }),
    not_signed_in: () => server.ask('/api/signed-in'),
    forbidden: async () => server.ask('/api/menu-admin', { headers: await as(people.kitchenAdmin) }),
    password_change_required: async () =>
      server.ask('/api/signed-in', { headers: await as(people.temporary) }),
    second_factor_setup_required: async () =>
      server.ask('/api/signed-in', { headers: await as(people.unprotected) }),
    cross_site: () => post('/api/echo', { said: 'hi' }, { origin: 'https://evil.test' }),
    not_found: () => server.ask('/api/nothing-here'),
    idempotency_key_reused: async () => {
      const headers = { 'idempotency-key': 'one-key' }
      await post('/api/said-once', { said: 'first' }, headers)
      return post('/api/said-once', { said: 'second' }, headers)
    },
    changed_meanwhile: () => post('/api/changed', undefined),
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
      expect((loggedFaults()[0]!.err as Error).stack).toContain('example-server')
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
})

describe('input', () => {
  let server: ExampleServer

  beforeAll(async () => {
    server = await startExampleServer({ bodyTimeoutMs: 40 })
  })
  afterAll(() => server.close())

  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    server.ask(path, { method: 'POST', body, headers })

  describe('parameters', () => {
    test('arrive as the contract has them, and the reply loses what the contract does not name', async () => {
      const answer = await server.ask('/api/plates/12')
      expect([answer.status, answer.json()]).toEqual([200, { name: 'nshima', portions: 12 }])
    })

    test.each(['/api/plates/twelve', '/api/plates/-1', '/api/plates/1%00', '/api/plates/%zz'])(
      '%s leads nowhere',
      async (path) => {
        const answer = await server.ask(path)
        expect([answer.status, answer.json().code]).toEqual([404, 'not_found'])
      },
    )
  })

  describe('a query', () => {
    test('arrives as the contract has it', async () => {
      expect((await server.ask('/api/plates?page=3&other=1')).json()).toEqual([
        { name: 'nshima', portions: 3 },
      ])
      expect((await server.ask('/api/plates')).json()).toEqual([{ name: 'nshima', portions: 1 }])
    })

    test.each(['page=many', 'page=1&page=2'])('%s is refused by field', async (query) => {
      const answer = await server.ask(`/api/plates?${query}`)
      expect(answer.status).toBe(422)
      expect(answer.json()).toMatchObject({
        code: 'validation_failed',
        fields: { page: 'Page must be a number' },
      })
    })
  })

  describe('a NUL in an address, which no database keeps,', () => {
    test.each(['/api/plates?page=1&other=a%00', '/api/plates?%00=1', '/api/many?search=%00'])(
      'is malformed in a query: %s',
      async (path) => {
        const answer = await server.ask(path)
        expect([answer.status, answer.json().code]).toEqual([400, 'malformed_request'])
      },
    )
  })

  describe('a body', () => {
    test('is read, and the success status is the contract’s', async () => {
      const answer = await post('/api/plates', { portions: 2 })
      expect([answer.status, answer.json()]).toEqual([201, { name: 'nshima', portions: 2 }])
    })

    test('that does not fit is refused with the first message and one message per field', async () => {
      const answer = await post('/api/plates', { portions: 0.5, lines: [{ item: 'soup' }, { item: 7 }] })
      expect(answer.status).toBe(422)
      expect(answer.json()).toMatchObject({
        message: 'Portions must be a whole number',
        fields: { portions: 'Portions must be a whole number', 'lines.1.item': 'Choose an item' },
      })
    })

    test('that is missing is refused as one that does not fit', async () => {
      expect((await post('/api/plates', undefined)).status).toBe(422)
      expect((await post('/api/plates', '', json)).status).toBe(422)
    })

    test('is not looked at where the contract has none', async () => {
      expect((await post('/api/sign-out', 'no JSON at all', { 'content-type': 'text/plain' })).status).toBe(
        200,
      )
    })

    test('may begin with a byte order mark and name its character set', async () => {
      const withMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"said":"muli bwanji"}')])
      const answer = await post('/api/echo', withMark, { 'content-type': 'Application/JSON; charset=utf-8' })
      expect(answer.json()).toEqual({ said: 'muli bwanji' })
    })

    test.each([
      ['cut short', '{"said":"hi"'],
      ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
      ['with a NUL', '{"said":"a\\u0000b"}'],
      ['with half a surrogate pair', '{"said":"\\ud83d"}'],
      ['with half a surrogate pair in a name', '{"\\uDE00":1,"said":"hi"}'],
    ])('%s is malformed', async (_what, body) => {
      const answer = await post('/api/echo', body, json)
      expect([answer.status, answer.json().code]).toEqual([400, 'malformed_request'])
    })

    test('with whole surrogate pairs or a written-out escape is not', async () => {
      expect((await post('/api/echo', '{"said":"\\ud83d\\ude00"}', json)).json()).toEqual({ said: '😀' })
      expect((await post('/api/echo', '{"said":"\\\\u0000"}', json)).json()).toEqual({ said: '\\u0000' })
    })

    test.each([
      [{ 'content-type': 'text/plain' }],
      [{ 'content-type': 'application/json-patch+json' }],
      [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
      [{}],
    ])('described as %j is not taken', async (headers) => {
      const answer = await post('/api/echo', '{"said":"hi"}', headers as Record<string, string>)
      expect(answer.status).toBe(415)
    })

    test('of the usual size passes where the route sets no limit of its own, and one byte over does not', async () => {
      const around = '{"said":""}'.length
      const fits = { said: 'x'.repeat(256 * 1024 - around) }
      expect((await post('/api/echo', fits)).status).toBe(200)
      expect((await post('/api/echo', { said: `${fits.said}x` })).status).toBe(413)
    })

    test('that grows too large without having said so is refused too', async () => {
      const answer = await talk([
        'POST /api/plates HTTP/1.1\r\nHost: school\r\nContent-Type: application/json\r\n',
        `Transfer-Encoding: chunked\r\n\r\n800\r\n${'x'.repeat(0x800)}\r\n0\r\n\r\n`,
        'GET /api/plates/1 HTTP/1.1\r\nHost: school\r\nConnection: close\r\n\r\n',
      ])
      expect(statusesIn(answer)).toEqual(['413', '200'])
    })

    test.each([
      ['of an upload that stops coming is given up long before its time is over', 40, 60_000],
      ['of an upload has an end although bytes come', 60_000, 40],
    ])('%s', async (_name, bodyTimeoutMs, uploadTimeoutMs) => {
      const slow = await startExampleServer({ bodyTimeoutMs, uploadTimeoutMs })
      const answer = await talkTo(slow.url, [
        'POST /api/pictures HTTP/1.1\r\nHost: school\r\nConnection: close\r\n',
        'Content-Length: 50\r\n\r\nhalf',
      ])
      await slow.close()
      expect(statusesIn(answer)).toEqual(['408'])
    })

    test('that stops coming is given up, and the connection with it', async () => {
      const answer = await talk([
        'POST /api/echo HTTP/1.1\r\nHost: school\r\nContent-Type: application/json\r\n',
        'Content-Length: 50\r\n\r\n{"said"',
      ])
      expect(statusesIn(answer)).toEqual(['408'])
      expect(answer).toContain('Connection: close')
      expect(answer).toContain('request_too_slow')
    })
  })

  test('a caller who hangs up half way is no fault of ours', async () => {
    server.log.lines.splice(0)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('POST /api/echo HTTP/1.1\r\nHost: school\r\nContent-Type: application/json\r\n')
    await new Promise((sent) => {
      socket.write('Content-Length: 50\r\n\r\n{"said"', sent)
    })
    socket.destroy()
    while (server.log.lines.length < 2)
      await new Promise((later) => {
        setImmediate(later)
      })
    const said = server.log.lines.map(({ level, message }) => `${level}: ${message}`)
    expect(said.toSorted()).toEqual(['debug: the caller hung up', 'info: request'])
  })

  describe('a raw route', () => {
    test('reads its own body, within its limit', async () => {
      const answer = await post('/api/push/s3cret', '<paid/>', { 'content-type': 'text/xml' })
      expect(answer.text).toBe('<pushed bytes="7"/>')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect((await post('/api/push/s3cret', 'x'.repeat(101))).status).toBe(413)
    })
  })

  const keyGiven = async (headers: Record<string, string>) =>
    (await server.ask('/api/who', { headers })).json()

  describe('an idempotency key', () => {
    test('reaches the handler', async () => {
      expect((await keyGiven({ 'idempotency-key': 'cart-7f3a' })).idempotencyKey).toBe('cart-7f3a')
      expect((await keyGiven({})).idempotencyKey).toBeNull()
    })

    test('has at most 200 characters', async () => {
      expect((await keyGiven({ 'idempotency-key': 'k'.repeat(200) })).idempotencyKey).toBe('k'.repeat(200))
      expect((await keyGiven({ 'idempotency-key': 'k'.repeat(201) })).code).toBe('validation_failed')
    })
  })

  /** Writes to a bare connection and reads until the server hangs up. */
  const talk = (words: string[]) => talkTo(server.url, words)
  const talkTo = (url: string, words: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      let heard = ''
      socket.on('data', (chunk) => (heard += chunk.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(heard))
      for (const word of words) socket.write(word)
    })

  const statusesIn = (answer: string) =>
    [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
})

describe('caller', () => {
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
})

describe('paths for this machine alone', () => {
  let server: ExampleServer
  beforeAll(async () => {
    server = await startExampleServer({ localPaths: /^\/api\/(?:who|plates)(?:\/|$)/i })
  })
  afterAll(() => server.close())

  test.each(['127.0.0.1:3000', 'localhost', '[::1]:3000', 'school.localhost'])(
    'answer it under its own name %s',
    async (host) => {
      expect((await server.ask('/api/who', { headers: { host } })).status).toBe(200)
    },
  )

  const fromElsewhere: Record<string, string>[] = [
    { host: 'lunch.school.example' },
    { host: '192.168.1.7:3000' },
    { host: 'localhost.evil.example' },
    { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
    { host: 'localhost', forwarded: 'for=192.0.2.60' },
    { host: 'localhost', 'x-real-ip': '192.0.2.60' },
    { host: 'localhost', via: '1.1 proxy' },
  ]
  test.each(fromElsewhere)('refuse %j', async (headers) => {
    const answer = await server.ask('/api/plates/1', { headers })
    expect([answer.status, answer.json().code]).toEqual([403, 'forbidden'])
    expect(answer.json().message).toContain('DEMONSTRATION=on')
  })

  test('others answer everybody', async () => {
    const headers = { host: 'lunch.school.example' }
    expect((await server.ask('/api/whoever', { headers })).status).toBe(401)
    expect((await server.ask('/healthz', { headers })).status).toBe(200)
  })
})

describe('an answer waits until the views include what its request wrote', () => {
  const told: string[] = []
  let server: ExampleServer

  beforeAll(async () => {
    server = await startExampleServer({
      viewsInclude: async (position) => {
        await Promise.resolve()
        told.push(`views at ${Number(position)}`)
      },
    })
  })
  beforeEach(() => void told.splice(0))
  afterAll(() => server.close())

  const asked = async (path: string, body?: unknown) => {
    const { status } = await server.ask(path, body === undefined ? {} : { method: 'POST', body })
    return [...told, `answered ${status}`]
  }

  test.each([
    ['of a route', '/api/written', { refused: false }, ['views at 7', 'answered 200']],
    ['that refuses after it wrote', '/api/written', { refused: true }, ['views at 7', 'answered 409']],
    ['of a raw route', '/api/written-raw', {}, ['views at 8', 'answered 200']],
    ['that wrote nothing does not wait', '/api/echo', { said: 'hi' }, ['answered 200']],
  ])('%s', async (_what, path, body, wanted) => {
    expect(await asked(path, body)).toEqual(wanted)
  })

  test('nor does a read', async () => {
    expect(await asked('/api/plates')).toEqual(['answered 200'])
  })
})
