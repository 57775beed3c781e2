import { convertToTeacher, createAdmin, featureNames } from '#contracts/identity'
import { addressOf } from '#platform/http/route'
import { describeAccess } from '../support/described-access'
import { accessCases, nowhereOn, verdictOf, type AccessCase, type Visitor } from '../support/access-walk'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { type School, startSchool, superadminPassword } from '../support/school'

/** Routes that end the session or change who somebody is: tried last, each with a fresh sign-in. */
const lasting = new Set(['/api/logout', '/api/user/convert-to-teacher'])
const password = 'parent-password'
let school: School

beforeAll(async () => {
  school = await startSchool()
  await school.parent('a.parent')
  await (await school.parent('a.teacher')).call(convertToTeacher)
  const office = await school.superadmin()
  for (const feature of featureNames)
    await office.call(createAdmin, {
      body: { username: `only.${feature}`, password, allowedFeatures: [feature] },
    })
})
afterAll(() => school.close())

const signedIn = async (username: string) => {
  const body = { username, password: username === 'superadmin' ? superadminPassword : password }
  return cookiesFrom(await exchange(school.url, '/api/login', { method: 'POST', body }))
}

const keptCookies = new Map<string, string>()
const cookieOf = async (username: string, afresh: boolean) => {
  const kept = keptCookies.get(username)
  if (kept && !afresh) return kept
  const made = await signedIn(username)
  if (!afresh) keptCookies.set(username, made)
  return made
}

const person = (name: string, principal: Partial<NonNullable<Visitor['principal']>>): Visitor => ({
  name,
  principal: {
    role: 'admin',
    features: [],
    isSuperadmin: false,
    mustChangePassword: false,
    mustSetUpSecondFactor: false,
    ...principal,
  },
  cookie: () => cookieOf(name, false),
})

const visitors: Visitor[] = [
  { name: 'nobody', principal: null, cookie: async () => '' },
  person('a.parent', { role: 'parent' }),
  person('a.teacher', { role: 'teacher' }),
  person('superadmin', { isSuperadmin: true }),
  ...featureNames.map((feature) => person(`only.${feature}`, { features: [feature] })),
]

const tried = async ({ method, path, visitor }: AccessCase) => {
  const cookie =
    lasting.has(path) && visitor.principal ? await cookieOf(visitor.name, true) : await visitor.cookie()
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  return verdictOf(
    await exchange(school.url, nowhereOn(path), { method, headers: cookie ? { cookie } : {}, body }),
  )
}

test('every route admits exactly those it is for', async () => {
  const routes = describeAccess(school.routes)
  expect(routes.length).toBeGreaterThan(40)
  const cases = accessCases(routes, visitors)
  const ordered = [
    ...cases.filter(({ path }) => !lasting.has(path)),
    ...cases.filter(({ path }) => lasting.has(path)),
  ]
  const wrong: string[] = []
  for (const each of ordered) {
    const verdict = await tried(each)
    if (verdict !== each.expected)
      wrong.push(`${each.method} ${each.path} by ${each.visitor.name}: ${verdict}, expected ${each.expected}`)
  }
  expect(wrong).toEqual([])
})

test('every feature that a route asks for is one that an administrator can hold', () => {
  const asked = school.routes.flatMap(({ access }) => (access.kind === 'features' ? access.features : []))
  expect(asked.filter((feature) => !(featureNames as readonly string[]).includes(feature))).toEqual([])
})

test('no route stands behind an earlier one that takes its address', () => {
  const taken = school.routes.map(addressOf)
  const hidden = taken.filter(({ method, path }, index) =>
    taken.slice(0, index).some((earlier) => {
      const pattern = new RegExp(`^${earlier.path.replaceAll(/:\\w+/g, '[^/]+')}$`)
      return earlier.method === method && pattern.test(path)
    }),
  )
  expect(hidden).toEqual([])
})
