import { describeAccess } from '../support/described-access'
import { addressOf } from '#platform/http/route'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { nowhereOn } from '../support/access-walk'
import { type School, startSchool, superadminPassword } from '../support/school'

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
