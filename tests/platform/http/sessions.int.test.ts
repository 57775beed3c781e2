import type { SessionStore } from '#platform/http/sessions'
import { type Visitor, describeAccess, accessCases, nowhereOn, verdictOf } from '../../support/access'
import { type Exchange, cookiesFrom } from '../../support/http-exchange'
import type { KeptSession } from '../../support/stand-ins'
import {
  type ExampleServer,
  exampleSessions,
  people,
  startExampleServer,
  exampleRoutes,
} from './example-server'

describe('sessions', () => {
  let server: ExampleServer
  const sessions = exampleSessions()
  const kept = () => [...sessions.kept.values()]

  beforeAll(async () => {
    server = await startExampleServer({ sessions })
  })
  afterAll(() => server.close())
  beforeEach(() => sessions.kept.clear())

  const signInAs = (userId: number, cookie = '', to = server): Promise<Exchange> =>
    to.ask('/api/sign-in', { method: 'POST', body: { userId }, headers: cookie === '' ? {} : { cookie } })

  const whoIs = async (cookie: string, to = server) =>
    (await to.ask('/api/who', { headers: { cookie } })).json()

  describe('signing in', () => {
    test('begins one session under a secret of 256 random bits, and later requests know who asks', async () => {
      const answer = await signInAs(1)
      const [secret] = [...sessions.kept.keys()]
      expect(secret).toMatch(/^[\w-]{43}$/)
      const [{ id }] = kept() as [KeptSession]
      expect(kept()).toEqual([
        { id, userId: 1, credentialsVersion: 1, device: expect.any(String), typed: null },
      ])
      expect(answer.json()).toEqual({ sessionId: id })
      expect(await whoIs(cookiesFrom(answer))).toMatchObject({ userId: 1, actor: 'user:1', sessionId: id })
      expect(JSON.stringify(answer.json())).not.toContain(secret)
    })

    test('gives a cookie for this site only that no script reads', async () => {
      const [cookie, signature] = (await signInAs(1)).headers['set-cookie']!
      for (const part of [cookie!, signature!]) {
        expect(part).toMatch(
          /^tuckshop\.session(\.sig)?=[\w-]+; path=\/; expires=.* GMT; samesite=lax; httponly$/,
        )
        const lasts = Date.parse(/expires=([^;]+)/.exec(part)![1]!) - Date.now()
        expect(lasts / 86_400_000).toBeCloseTo(30, 2)
      }
    })

    test('behind TLS gives a Secure cookie, also when the proxy in front says nothing of it', async () => {
      const secure = await startExampleServer({ sessions, publicUrl: 'https://lunch.school.test' })
      const answer = await signInAs(1, '', secure)
      await secure.close()
      expect(answer.status).toBe(200)
      expect(answer.headers['set-cookie']).toHaveLength(4)
      for (const cookie of answer.headers['set-cookie']!)
        expect(cookie).toMatch(
          /^__Host-tuckshop\.(?:session|device)(\.sig)?=[\w.-]+; path=\/; expires=.* GMT; samesite=lax; secure; httponly$/,
        )
    })

    test('again gets a new id and ends the old session, so that a planted cookie is worth nothing', async () => {
      const planted = cookiesFrom(await signInAs(2))
      const answer = await signInAs(1, planted)
      expect(answer.headers['set-cookie']).toHaveLength(4)
      expect(cookiesFrom(answer)).not.toBe(planted)
      expect(kept()).toEqual([expect.objectContaining({ userId: 1 })])
      expect(await whoIs(planted)).toMatchObject({ userId: null })
      expect(await whoIs(cookiesFrom(answer))).toMatchObject({ userId: 1 })
    })

    test('under the id of an ended session gets a new id too', async () => {
      const stale = cookiesFrom(await signInAs(1))
      sessions.kept.clear()
      const answer = await signInAs(1, stale)
      expect(cookiesFrom(answer)).not.toBe(stale)
      expect(await whoIs(cookiesFrom(answer))).toMatchObject({ userId: 1 })
    })
  })

  describe('a cookie', () => {
    test('that nobody signed is not believed', async () => {
      const signed = cookiesFrom(await signInAs(1))
      const [pair, signature] = signed.split('; ')
      expect(pair).toMatch(/^tuckshop\.session=/)
      expect(await whoIs(pair!)).toMatchObject({ userId: null })
      expect(await whoIs(`${pair}; ${signature!.slice(0, -1)}_`)).toMatchObject({ userId: null })
      const [secret] = [...sessions.kept.keys()]
      expect(await whoIs(`tuckshop.session=${secret}x; ${signature}`)).toMatchObject({ userId: null })
    })

    test('signed with an older key is believed and signed anew; one of a dropped key is not', async () => {
      const old = await startExampleServer({ sessions, sessionKeys: ['old key'] })
      const unrelated = await startExampleServer({ sessions, sessionKeys: ['other key'] })
      const cookie = cookiesFrom(await signInAs(1, '', old))
      const answer = await server.ask('/api/who', { headers: { cookie } })
      expect(answer.json()).toMatchObject({ userId: 1 })
      const [pair] = cookie.split('; ')
      const renewed = `${pair}; ${cookiesFrom(answer)}`
      expect(await whoIs(renewed)).toMatchObject({ userId: 1 })
      expect(await whoIs(renewed, old)).toMatchObject({ userId: null })
      expect(await whoIs(cookie, unrelated)).toMatchObject({ userId: null })
      await Promise.all([old.close(), unrelated.close()])
    })

    test('of an account that is gone is not signed in', async () => {
      const cookie = cookiesFrom(await signInAs(999))
      expect((await server.ask('/api/whoever', { headers: { cookie } })).status).toBe(401)
    })
  })

  const known = (answer: Exchange) =>
    cookiesFrom(answer)
      .split('; ')
      .filter((pair) => pair.includes('.device'))

  describe('a device', () => {
    test('is known by a cookie of 400 days that no script reads, given once', async () => {
      const answer = await signInAs(1)
      const [cookie, signature] = answer.headers['set-cookie']!.slice(2)
      for (const part of [cookie!, signature!]) {
        expect(part).toMatch(
          /^tuckshop\.device(\.sig)?=[\w.-]+; path=\/; expires=.* GMT; samesite=lax; httponly$/,
        )
        const lasts = Date.parse(/expires=([^;]+)/.exec(part)![1]!) - Date.now()
        expect(lasts / 86_400_000).toBeCloseTo(400, 2)
      }
      const again = await server.ask('/api/who', { headers: { cookie: cookiesFrom(answer) } })
      expect(again.headers['set-cookie']).toBeUndefined()
    })

    test('knows the five accounts that signed in last, and none that it made up', async () => {
      let cookie = ''
      for (const userId of [1, 2, 3, 1, 999])
        cookie = known(await signInAs(userId, cookie)).join('; ') || cookie
      const ids = /device=([^;]+)/
        .exec(cookie)![1]!
        .split('~')
        .map((account) => account.split('.')[0])
      expect(ids).toEqual(['999', '3', '2', '1'])
      const forged = cookie.replace('device=999.', 'device=998.')
      const [replaced] = known(await signInAs(2, forged))
      expect(replaced).toMatch(/^tuckshop\.device=2\.1\.[\w-]{16}$/)
    })

    test('whose session is of newer credentials is known by those', async () => {
      const answer = await signInAs(1)
      for (const session of kept()) session.credentialsVersion = 2
      const [pair] = known(await server.ask('/api/who', { headers: { cookie: cookiesFrom(answer) } }))
      expect(pair).toMatch(/^tuckshop\.device=1\.2\./)
    })
  })

  test('nobody who only looks gets a row or a cookie', async () => {
    const answer = await server.ask('/api/who')
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect((await server.ask('/api/sign-out', { method: 'POST' })).status).toBe(200)
    expect(kept()).toEqual([])
  })

  describe('signing out', () => {
    test('ends the session and takes the cookie back', async () => {
      const cookie = cookiesFrom(await signInAs(1))
      const answer = await server.ask('/api/sign-out', { method: 'POST', headers: { cookie } })
      expect(answer.headers['clear-site-data']).toBe('"cache"')
      expect(answer.headers['set-cookie']).toEqual([
        expect.stringContaining('tuckshop.session=; path=/; expires=Thu, 01 Jan 1970'),
        expect.stringContaining('tuckshop.session.sig='),
      ])
      expect(answer.headers['clear-site-data']).toBe('"cache"')
      expect(kept()).toEqual([])
      expect(await whoIs(cookie)).toMatchObject({ userId: null })
    })
  })

  const counting = () => {
    const reads: string[] = []
    const counted: SessionStore = { ...sessions, read: (id) => (reads.push(id), sessions.read(id)) }
    return { reads, counted }
  }

  describe('a request', () => {
    test('with a cookie reads its session once; without one, or for the health, not at all', async () => {
      const { reads, counted } = counting()
      const watched = await startExampleServer({ sessions: counted })
      const cookie = await watched.cookieOf(people.parent)
      await watched.ask('/api/signed-in', { headers: { cookie } })
      expect(reads).toHaveLength(1)
      await watched.ask('/api/who')
      await watched.ask('/healthz', { headers: { cookie } })
      await watched.ask('/api/nowhere', { headers: { cookie } })
      expect(reads).toHaveLength(1)
      await watched.close()
    })

    test('that comes after a session was ended knows of its end', async () => {
      const cookie = await server.cookieOf(people.parent)
      expect((await server.ask('/api/signed-in', { headers: { cookie } })).status).toBe(200)
      sessions.kept.clear()
      expect((await server.ask('/api/signed-in', { headers: { cookie } })).status).toBe(401)
    })

    test('whose session cannot be read is a fault, not a stranger', async () => {
      const broken = await startExampleServer({
        sessions: { ...sessions, read: () => Promise.reject(new Error('the database is away')) },
      })
      const cookie = cookiesFrom(await signInAs(1))
      expect((await broken.ask('/api/who', { headers: { cookie } })).status).toBe(500)
      await broken.close()
    })
  })
})

describe('access', () => {
  let server: ExampleServer

  beforeAll(async () => {
    const sessions = exampleSessions()
    server = await startExampleServer({ sessions })
  })

  afterAll(async () => {
    await server.close()
  })

  const visitors: Visitor[] = [
    { name: 'stranger', principal: null },
    ...Object.entries(people).map(([name, principal]) => ({ name, principal })),
  ]
  const cases = accessCases(describeAccess(exampleRoutes), visitors)

  test.each(cases)(
    '$method $path is $expected for $visitor.name',
    async ({ method, path, visitor, expected }) => {
      const cookie = visitor.principal ? await server.cookieOf(visitor.principal) : 'none=1'
      const answer = await server.ask(nowhereOn(path), { method, headers: { cookie } })
      expect(verdictOf(answer)).toBe(expected)
    },
  )

  test('the table names every route with whom it is for, by path', () => {
    const table = describeAccess(exampleRoutes)
    expect(table).toHaveLength(exampleRoutes.length)
    expect(table.filter(({ path }) => path === '/api/plates')).toEqual([
      { method: 'GET', path: '/api/plates', access: { kind: 'anyone' } },
      { method: 'POST', path: '/api/plates', access: { kind: 'anyone' } },
    ])
    expect(table.find(({ path }) => path === '/api/report')?.access).toEqual({
      kind: 'features',
      features: ['history'],
    })
  })
})

describe('same origin', () => {
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
})

describe('security headers', () => {
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
})
