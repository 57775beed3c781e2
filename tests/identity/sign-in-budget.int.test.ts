import { Secret, TOTP } from 'otpauth'
import {
  beginSecondFactor,
  confirmSecondFactor,
  currentUser,
  forgotPassword,
  login,
  sendVerification,
  updateProfile,
} from '#contracts/identity'
import type { RateLimit } from '#platform/http/route'
import type { CallRefused, Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal, signedIn } from './people'

const taken = new Map<string, number>()
const take = async ({ name, points }: RateLimit, key: string, calls = 1) => {
  const count = (taken.get(`${name}/${key}`) ?? 0) + calls
  taken.set(`${name}/${key}`, count)
  // What the address has done is not what is tried here.
  return name === 'login' || name === 'profile' || count <= points ? 0 : 60
}

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity({ rateLimits: take })
})
afterAll(() => school.close())

const attempt = (username: string, password: string) =>
  school.visitor().call(login, { body: { username, password } })

const ask = () => school.visitor().call(forgotPassword, { body: { identifier: 'nobody' } })

test('one account is tried wrongly 20 times in a quarter of an hour from one address, in whatever letters', async () => {
  const { client: phone } = await parent(school, 'thandiwe')
  for (const spelling of ['thandiwe', 'Thandiwe'])
    await Promise.allSettled(Array.from({ length: 10 }, () => attempt(spelling, 'guess')))
  const tooMany = refusal(429, 'too_many_requests', { retryAfter: 60 })
  await expect(attempt('THANDIWE', 'thandiwe-secret')).rejects.toEqual(tooMany)
  await expect(attempt('somebody-else', 'guess')).rejects.toEqual(refusal(401, 'wrong_credentials'))
  // A device that signed in before keeps its way in.
  const again = () => phone.call(login, { body: { username: 'thandiwe', password: 'thandiwe-secret' } })
  expect(await again()).toMatchObject({ username: 'thandiwe' })
  // ... and its own budget: it does not guess without end either.
  for (let tries = 0; tries < 20; tries += 1)
    await expect(phone.call(login, { body: { username: 'thandiwe', password: 'guess' } })).rejects.toEqual(
      refusal(401, 'wrong_credentials'),
    )
  await expect(again()).rejects.toEqual(tooMany)
})

test('a device that knows one account has no way in to another', async () => {
  const { client: other } = await parent(school, 'nosy')
  const { client: own } = await parent(school, 'bwalya')
  for (let tries = 0; tries < 20; tries += 1)
    await expect(attempt('bwalya', 'guess')).rejects.toEqual(refusal(401, 'wrong_credentials'))
  const body = { username: 'bwalya', password: 'bwalya-secret' }
  await expect(other.call(login, { body })).rejects.toEqual(refusal(429, 'too_many_requests'))
  expect(await own.call(login, { body })).toMatchObject({ username: 'bwalya' })
})

test('a new password makes other devices strangers again, not the one that chose it', async () => {
  const { client: own } = await parent(school, 'chipo')
  const stolen = await signedIn(school, 'chipo')
  await own.call(updateProfile, {
    body: {
      name: 'Chipo',
      currentPassword: 'chipo-secret',
      newPassword: 'another-secret',
      confirmPassword: 'another-secret',
    },
  })
  await own.call(currentUser)
  for (let tries = 0; tries < 20; tries += 1)
    await expect(attempt('chipo', 'guess')).rejects.toEqual(refusal(401, 'wrong_credentials'))
  const body = { username: 'chipo', password: 'another-secret' }
  await expect(stolen.call(login, { body })).rejects.toEqual(refusal(429, 'too_many_requests'))
  expect(await own.call(login, { body })).toMatchObject({ username: 'chipo' })
})

test('who does right is never kept out: signing in and giving the own password count nothing', async () => {
  const { client } = await parent(school, 'monde')
  for (let round = 0; round < 25; round += 1)
    expect(await attempt('monde', 'monde-secret')).toMatchObject({ username: 'monde' })
  for (let round = 0; round < 25; round += 1)
    await client.call(updateProfile, {
      body: { name: 'Monde', phone: `09770000${10 + round}`, currentPassword: 'monde-secret' },
    })
  expect([...taken].filter(([key, count]) => key.startsWith('own-password/') && count < 0)).toEqual([])
})

test('wrong codes of a second factor are counted by account and day, apart for a device that is known', async () => {
  const { client, id } = await parent(school, 'admin-to-be')
  await school.database.pool.query(`update identity.users set role = 'admin' where id = $1`, [id])
  const currentPassword = 'admin-to-be-secret'
  const { secret } = await client.call(beginSecondFactor, { body: { currentPassword } })
  const codeNow = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: school.world.now.getTime() })
  await client.call(confirmSecondFactor, { body: { code: codeNow() } })
  await client.call(currentUser)
  const enter = (from: Client, code: string) =>
    from.call(login, { body: { username: 'admin-to-be', password: currentPassword, code } })
  const guess = (from: Client) => enter(from, 'no-code').catch((error: CallRefused) => error.body.code)
  const codes = new Set<unknown>()
  for (let tries = 0; tries < 50; tries += 1) {
    codes.add(await guess(school.visitor()))
    // Another address, as far as that budget is concerned.
    for (const key of taken.keys()) if (/^login-(place|address)/.test(key)) taken.delete(key)
  }
  expect([...codes]).toEqual(['second_factor_wrong'])
  school.minutesPass(1)
  expect(await guess(school.visitor())).toBe('too_many_requests')
  await expect(enter(school.visitor(), codeNow())).rejects.toEqual(refusal(429, 'too_many_requests'))
  expect(await enter(client, codeNow())).toMatchObject({ username: 'admin-to-be' })
})

test('a borrowed session tries the password 20 times in a quarter of an hour, wherever it is asked for', async () => {
  const { client } = await parent(school, 'luyando')
  const guess = (currentPassword: string) =>
    client.call(updateProfile, { body: { name: 'Luyando', email: 'mine@example.com', currentPassword } })
  for (let tries = 0; tries < 20; tries += 1)
    await expect(guess('a-guess')).rejects.toEqual(refusal(422, 'wrong_current_password'))
  await expect(guess('luyando-secret')).rejects.toEqual(refusal(429, 'too_many_requests', { retryAfter: 60 }))
})

test('the key of that budget does not tell the username', () => {
  expect([...taken.keys()].some((key) => key.startsWith('login-account/'))).toBe(true)
  expect([...taken.keys()].join(' ').toLowerCase()).not.toContain('thandiwe')
})

const sent = async () => {
  await school.runJobs()
  return school.world.mails.splice(0).map(({ subject }) => subject.split(' ').slice(0, 3).join(' '))
}
const forgot = () => school.visitor().call(forgotPassword, { body: { identifier: 'one' } })

test('one address gets three mails of a kind in an hour, whoever causes them', async () => {
  const [one] = await Promise.all(
    ['one', 'two', 'three', 'four'].map((username) =>
      parent(school, username, { email: username === 'two' ? 'VICTIM@example.com' : 'victim@example.com' }),
    ),
  )
  expect(await sent()).toEqual(Array.from({ length: 3 }, () => 'Please confirm your'))
  // Nobody is told of a link that was not sent.
  await expect(one!.client.call(sendVerification)).rejects.toEqual(
    refusal(429, 'too_many_requests', { retryAfter: 60 }),
  )
  expect(await sent()).toEqual([])
  for (let round = 0; round < 4; round += 1) {
    await forgot()
    await school.runJobs()
    school.minutesPass(6)
  }
  expect(await sent()).toEqual(Array.from({ length: 3 }, () => 'Your temporary password'))
  expect([...taken.keys()].join(' ')).not.toContain('victim')
})

test('asking for temporary passwords has a budget by address', async () => {
  for (let round = 0; round < 36; round += 1) await ask()
  await expect(ask()).rejects.toEqual(refusal(429, 'too_many_requests'))
})
