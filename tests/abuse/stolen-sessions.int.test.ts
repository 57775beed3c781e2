import { setPassword, setPermissions, deleteParent } from '#contracts/accounts'
import { createAdmin, currentUser, login, logout, updateProfile } from '#contracts/identity'
import { kitchenToday } from '#contracts/kitchen'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { type School, startSchool } from '../support/school'
import { secondProcess } from './second-process'

// Both processes sign cookies with the same key, as they would share SESSION_KEYS.
const variables = { SESSION_KEYS: 'a-key-of-the-school-that-is-long-enough' }

let school: School
let second: Awaited<ReturnType<typeof secondProcess>>
beforeAll(async () => {
  school = await startSchool({ variables })
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
