import { forgotPassword, login, sendVerification, updateProfile } from '#contracts/identity'
import type { RateLimit } from '#platform/http/route'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal } from './people'

const taken = new Map<string, number>()
const take = async ({ name, points }: RateLimit, key: string) => {
  const count = (taken.get(`${name}/${key}`) ?? 0) + 1
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

test('one account is tried 20 times in a quarter of an hour, in whatever letters, from whatever address', async () => {
  await parent(school, 'thandiwe')
  for (const spelling of ['thandiwe', 'Thandiwe'])
    await Promise.allSettled(Array.from({ length: 10 }, () => attempt(spelling, 'guess')))
  const tooMany = refusal(429, 'too_many_requests', { retryAfter: 60 })
  await expect(attempt('THANDIWE', 'thandiwe-secret')).rejects.toEqual(tooMany)
  await expect(attempt('somebody-else', 'guess')).rejects.toEqual(refusal(401, 'wrong_credentials'))
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
  expect([...taken.keys()].some((key) => key.startsWith('login-username/'))).toBe(true)
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
  for (let round = 0; round < 6; round += 1) await ask()
  await expect(ask()).rejects.toEqual(refusal(429, 'too_many_requests'))
})
