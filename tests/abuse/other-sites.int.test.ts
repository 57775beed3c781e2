import { setPassword, setPermissions, deleteParent } from '#contracts/accounts'
import { auditEntries, auditExport } from '#contracts/audit'
import { createCycle } from '#contracts/cycles'
import { createAdmin, currentUser, login, logout, updateProfile } from '#contracts/identity'
import { kitchenToday, classList } from '#contracts/kitchen'
import { liveOrders } from '#contracts/payments-console'
import { addressOf } from '#platform/http/route'
import type { Client } from '../../src/app/demo/client'
import { describeAccess, nowhereOn } from '../support/access'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { type School, startSchool, superadminPassword } from '../support/school'
import { secondProcess } from './second-process'

describe('other sites', () => {
  let school: School
  let cookie: string
  let parentCookie: string
  beforeAll(async () => {
    school = await startSchool()
    await school.parent('mwila')
    cookie = await cookieOf('superadmin', superadminPassword)
    parentCookie = await cookieOf('mwila', 'parent-password')
  })
  afterAll(() => school.close())

  const cookieOf = async (username: string, password: string) =>
    cookiesFrom(await exchange(school.url, '/api/login', { method: 'POST', body: { username, password } }))
  const changing = () => describeAccess(school.routes).filter(({ method }) => method !== 'GET')
  const forOtherSites = () =>
    school.routes
      .filter((route) => route.kind === 'raw' && route.options.crossSite)
      .map((route) => addressOf(route).path)

  const knock = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    exchange(school.url, nowhereOn(path), { method, headers: { cookie, ...headers }, body })

  test.each<[string, Record<string, string>]>([
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an Origin of null, as from a sandboxed frame', { origin: 'null' }],
    ['an Origin that only begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site, as from a neighbouring name', { 'sec-fetch-site': 'same-site' }],
  ])('with %s no route changes anything', async (_what, headers) => {
    const let_in: string[] = []
    for (const { method, path } of changing()) {
      const { status, text } = await knock(method, path, headers)
      if (status !== 403 || !text.includes('cross_site')) let_in.push(path)
    }
    expect(let_in.toSorted()).toEqual(forOtherSites().toSorted())
  })

  test('routes for other sites are the provider’s and the sandbox’s alone', () => {
    expect(forOtherSites().toSorted()).toEqual([
      '/api/payments/push/:secret',
      '/sandbox/api/v6/',
      '/sandbox/api/v7/',
      '/sandbox/pay/:token',
      '/sandbox/phone/:number',
    ])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a form of the type %s is read by no JSON route, even from nobody’s page',
    async (type) => {
      const readers = school.routes.flatMap((route) =>
        route.kind === 'json' && !takesNothing(route.endpoint.body) ? [route] : [],
      )
      expect(readers.length).toBeGreaterThan(25)
      const read: string[] = []
      for (const { endpoint, access } of readers) {
        const as = access.kind === 'roles' ? parentCookie : cookie
        const headers = { 'content-type': type, cookie: as }
        const { status } = await knock(endpoint.method, numbered(endpoint), headers, '{"a":"1"}')
        if (status !== 415) read.push(`${endpoint.method} ${endpoint.path}: ${status}`)
      }
      expect(read).toEqual([])
    },
  )

  /** With a number or a UUID in it, as it takes: an address that is none is told before the body is looked at. */
  const numbered = ({ path, params }: { path: string; params: Parsing }) =>
    params.safeParse({ id: '0199c0de-0000-7000-8000-000000000001' }).success
      ? path.replaceAll(':id', '0199c0de-0000-7000-8000-000000000001')
      : path
  type Parsing = { safeParse: (value: unknown) => { success: boolean } }

  const takesNothing = (body: Parsing) => body.safeParse(undefined).success

  test.each([
    '/',
    '/login',
    '/api/user',
    '/api/nowhere',
    '/dev/mail',
    '/sandbox/pay?ID=none',
    '/sandbox/phone/0977123456',
    '/healthz',
    '/metrics',
  ])('%s may stand in no frame and runs nothing from elsewhere', async (path) => {
    const { headers } = await exchange(school.url, path)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toMatch(/unsafe-(?:inline|eval)/)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('no answer lets another origin read it, not even a preflight', async () => {
    const { status, headers } = await exchange(school.url, '/api/orders', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(200)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('stolen sessions', () => {
  // Both processes sign cookies with the same key, as they would share SESSION_KEYS.
  const variables = { SESSION_KEYS: 'a-key-of-the-school-that-is-long-enough' }

  let school: School
  let second: Awaited<ReturnType<typeof secondProcess>>
  beforeAll(async () => {
    school = await startSchool({ variables, whole: true })
    second = await secondProcess(school, { ...variables, RATE_LIMITS: 'off' })
  })
  afterAll(async () => {
    await second.close()
    await school.close()
  })

  const signIn = (username: string, cookie = '', password = 'parent-password') =>
    exchange(school.url, login.path, {
      method: 'POST',
      body: { username, password },
      headers: cookie ? { cookie } : {},
    })
  const signedIn = async (username: string) => cookiesFrom(await signIn(username))
  const post = (path: string, cookie: string, method: 'POST' | 'PUT' = 'POST', body?: unknown) =>
    exchange(school.url, path, { method, headers: { cookie }, body })
  /** Who a cookie speaks for, at either process. */
  const whoIs = async (cookie: string) => {
    const answers = await Promise.all(
      [school.url, second.url].map((url) => exchange(url, currentUser.path, { headers: { cookie } })),
    )
    return answers.map((answer) => (answer.status === 200 ? answer.json().username : answer.status))
  }

  test('a planted cookie is worth nothing after its victim has signed in with it', async () => {
    await school.parent('attacker')
    await school.parent('victim')
    const planted = await signedIn('attacker')
    const own = cookiesFrom(await signIn('victim', planted))
    expect(own).not.toBe(planted)
    expect(await whoIs(own)).toEqual(['victim', 'victim'])
    expect(await whoIs(planted)).toEqual([401, 401])
  })

  test('a planted id that nobody gave out is not taken over', async () => {
    const answer = await signIn('victim', 'tuckshop.session=planted; tuckshop.session.sig=planted')
    expect(cookiesFrom(answer)).toContain('tuckshop.session=')
    expect(cookiesFrom(answer)).not.toContain('planted')
  })

  test('a copied cookie is over with the sign-out, at every process', async () => {
    await school.parent('leaver')
    const cookie = await signedIn('leaver')
    expect(await whoIs(cookie)).toEqual(['leaver', 'leaver'])
    await post(logout.path, cookie)
    expect(await whoIs(cookie)).toEqual([401, 401])
  })

  test('a new password ends every other session, at every process', async () => {
    await school.parent('mwila')
    const [mine, stolen] = [await signedIn('mwila'), await signedIn('mwila')]
    const [currentPassword, newPassword] = ['parent-password', 'another-password']
    const body = { name: 'Mwila', currentPassword, newPassword, confirmPassword: newPassword }
    expect((await post(updateProfile.path, mine, 'PUT', body)).status).toBe(200)
    expect(await whoIs(stolen)).toEqual([401, 401])
    expect(await whoIs(mine)).toEqual(['mwila', 'mwila'])
  })

  test('a password set by an administrator ends them all', async () => {
    const parent = await school.parent('grace')
    const { id } = await parent.call(currentUser)
    const stolen = await signedIn('grace')
    const office = await school.superadmin()
    await office.call(setPassword, { params: { id }, body: { password: 'given-by-office' } })
    expect(await whoIs(stolen)).toEqual([401, 401])
  })

  test('a deleted account has no session left', async () => {
    const parent = await school.parent('natasha')
    const { id } = await parent.call(currentUser)
    const cookie = await signedIn('natasha')
    const office = await school.superadmin()
    await office.call(deleteParent, { params: { id } })
    expect(await whoIs(cookie)).toEqual([401, 401])
  })

  test('a feature taken away is gone with the next request, at every process', async () => {
    const office = await school.superadmin()
    const body = { username: 'cook', password: 'cook-password', allowedFeatures: ['kitchen' as const] }
    const { id } = await office.call(createAdmin, { body })
    const cookie = cookiesFrom(await signIn('cook', '', 'cook-password'))
    const kitchen = () =>
      Promise.all(
        [school.url, second.url].map(
          async (url) => (await exchange(url, kitchenToday.path, { headers: { cookie } })).status,
        ),
      )
    expect(await kitchen()).toEqual([200, 200])
    await office.call(setPermissions, { params: { id }, body: { features: [] } })
    expect(await kitchen()).toEqual([403, 403])
  })

  test('a cookie with a changed id or signature is nobody’s', async () => {
    await school.parent('luyando')
    const cookie = await signedIn('luyando')
    const changed = [
      cookie.replace('tuckshop.session=', 'tuckshop.session=A'),
      cookie.replace('.sig=', '.sig=A'),
      cookie.replace(/; ?tuckshop\.session\.sig=.*/, ''),
    ]
    for (const one of changed) expect(await whoIs(one)).toEqual([401, 401])
  })
})

describe('strange days', () => {
  let school: School
  let office: Client
  beforeAll(async () => {
    school = await startSchool()
    office = await school.superadmin()
  })
  afterAll(() => school.close())

  const asking = {
    [`${auditEntries.path}?from=`]: 'GET',
    [`${auditEntries.path}?to=`]: 'GET',
    [`${auditExport.path}?from=`]: 'GET',
    [`${classList.path}?date=`]: 'GET',
    [`${liveOrders.path}?time=`]: 'GET',
  }

  // The first and the last years that four digits can write, where calendars and time zones are at their wits' end.
  test.each([
    '0000-01-01',
    '0000-01-03',
    '0041-08-15',
    '0099-12-31',
    '9999-12-27',
    '9999-12-31',
    '+275760-09-13',
  ])('the day %s is asked for and planned for without a fault', async (day) => {
    const statuses: [string, number][] = []
    for (const path of Object.keys(asking))
      statuses.push([path, (await office.fetch(`${path}${encodeURIComponent(day)}`)).status])
    const body = JSON.stringify({ startDate: day, cycleLength: 6, blockedDays: [] })
    const headers = { 'content-type': 'application/json' }
    statuses.push([
      createCycle.path,
      (await office.fetch(createCycle.path, { method: 'POST', body, headers })).status,
    ])
    expect(statuses.filter(([, status]) => status >= 500)).toEqual([])
  })
})
