import { setPassword } from '#contracts/accounts'
import {
  currentUser,
  login,
  logout,
  register,
  createAdmin,
  endSession,
  forgotPassword,
  listSessions,
} from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

describe('sign in', () => {
  let school: IdentityServer
  beforeAll(async () => {
    school = await startIdentity()
  })
  afterAll(() => school.close())
  afterEach(() => expect(school.faults()).toEqual([]))

  const wrong = refusal(401, 'wrong_credentials', { message: 'Invalid username or password' })

  describe('registering', () => {
    test('makes a parent who is signed in', async () => {
      const client = school.visitor()
      const body = {
        username: ' Chola ',
        password: 'chola-secret',
        name: 'Chola Phiri',
        email: 'chola@example.com',
        phone: '+260 97 1000000',
      }
      const registered = await client.call(register, { body })
      expect(registered).toMatchObject({
        id: expect.any(Number),
        username: 'Chola',
        name: 'Chola Phiri',
        email: 'chola@example.com',
        phone: '+260 97 1000000',
        role: 'parent',
        isSuperadmin: false,
        allowedFeatures: [],
        emailVerified: false,
        mustChangePassword: false,
        secondFactor: false,
        mustSetUpSecondFactor: false,
        contactNeeded: null,
        privacy: { accepted: null, current: expect.any(Number) },
      })
      expect(await client.call(currentUser)).toEqual(registered)
    })

    test('without email and phone leaves both empty and mails nothing', async () => {
      const { client } = await parent(school, 'bupe', { email: '' })
      expect(await client.call(currentUser)).toMatchObject({ email: null, phone: null })
      const { rows } = await school.database.pool.query(`select 1 from messaging.mail_outbox where "to" = ''`)
      expect(rows).toEqual([])
    })

    test('refuses a username that another wrote in other letters', async () => {
      await parent(school, 'Grace')
      const again = school.visitor().call(register, {
        body: { username: 'gRACE', password: 'another-one', name: 'Grace Zulu' },
      })
      const message = 'This username is already taken'
      await expect(again).rejects.toEqual(
        refusal(409, 'username_taken', { message, fields: { username: message } }),
      )
    })

    test('of one username at once by several: one of them has it, the others are refused', async () => {
      const spellings = ['Élodie', 'élodie', 'ÉLODIE', 'E\u0301lodie']
      const outcomes = await Promise.allSettled(spellings.map((username) => parent(school, username)))
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(refused).toEqual([1, 2, 3].map(() => refusal(409, 'username_taken')))
    })

    test('cannot choose a role, and a bad form is told field by field', async () => {
      const body = { username: '', password: 'short', name: '', email: 'no', role: 'admin' }
      await expect(school.visitor().call(register, { body })).rejects.toEqual(
        refusal(422, 'validation_failed', {
          fields: {
            username: 'Username is required',
            password: 'Password must be at least 6 characters',
            name: 'First name is required',
            email: 'Invalid email address',
          },
        }),
      )
      const email = `${'long'.repeat(1000)}@example.com`
      const long = { username: 'long', password: 'long-secret', name: 'Long', email }
      await expect(school.visitor().call(register, { body: long })).rejects.toEqual(
        refusal(422, 'validation_failed', { fields: { email: 'Invalid email address' } }),
      )
      const sly = { username: 'sly', password: 'sly-secret', name: 'Sly', role: 'admin', isSuperadmin: true }
      expect(await school.visitor().call(register, { body: sly })).toMatchObject({
        role: 'parent',
        isSuperadmin: false,
      })
    })

    test('stores no password, only an argon2id hash', async () => {
      await parent(school, 'luyando')
      const { rows } = await school.database.pool.query(
        `select row_to_json(u)::text as stored, "passwordHash" from identity.users u where username = 'luyando'`,
      )
      expect(rows[0].stored).not.toContain('luyando-secret')
      expect(rows[0].passwordHash).toMatch(/^\$argon2id\$v=19\$/)
    })
  })

  describe('signing in', () => {
    test('takes the username in any letters and answers the user', async () => {
      const { id } = await parent(school, 'joseph')
      const client = school.visitor()
      const body = { username: 'JOSEPH ', password: 'joseph-secret' }
      expect(await client.call(login, { body })).toMatchObject({ id, username: 'joseph' })
      expect(await isSignedIn(client)).toBe(true)
    })

    test('answers an unknown user and a wrong password alike', async () => {
      await parent(school, 'kelvin')
      const attempt = (username: string, password: string) =>
        school.visitor().call(login, { body: { username, password } })
      await expect(attempt('kelvin', 'Kelvin-secret')).rejects.toEqual(wrong)
      await expect(attempt('nobody', 'kelvin-secret')).rejects.toEqual(wrong)
    })

    test('starts a session under a new id, and the former one is over', async () => {
      const { client } = await parent(school, 'natasha')
      const sessions = async () =>
        (
          await school.database.pool.query(`select s.id from identity.sessions s
        join identity.users u on u.id = s."userId" where u.username = 'natasha'`)
        ).rows
      const before = await sessions()
      await client.call(login, { body: { username: 'natasha', password: 'natasha-secret' } })
      const after = await sessions()
      expect(after).toHaveLength(1)
      expect(after).not.toEqual(before)
    })

    test('asks for both fields', async () => {
      await expect(school.visitor().call(login, { body: { username: ' ', password: '' } })).rejects.toEqual(
        refusal(422, 'validation_failed', {
          fields: { username: 'Username is required', password: 'Password is required' },
        }),
      )
    })
  })

  describe('the current user', () => {
    test('is nobody without a session', async () => {
      await expect(school.visitor().call(currentUser)).rejects.toEqual(refusal(401, 'not_signed_in'))
    })
  })

  describe('logging out', () => {
    test('ends this session and no other', async () => {
      await parent(school, 'mutinta')
      const [phone, laptop] = [await signedIn(school, 'mutinta'), await signedIn(school, 'mutinta')]
      expect(await phone.call(logout)).toEqual({ message: 'Logged out successfully' })
      expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true])
    })

    test('again changes nothing', async () => {
      expect(await school.visitor().call(logout)).toEqual({ message: 'Logged out successfully' })
    })
  })
})

test('the log hears of each sign-in how it ended, by the number of the account, without name or password', async () => {
  const school = await startIdentity()
  const { id } = await parent(school, 'thandiwe')
  const attempt = (username: string, password: string) =>
    school.visitor().call(login, { body: { username, password } })
  await attempt('thandiwe', 'thandiwe-secret')
  await Promise.allSettled([attempt('thandiwe', 'a-guess'), attempt('nobody', 'a-guess')])
  const request = { requestId: expect.any(String) }
  expect(school.logged('signed in')).toEqual([{ ...request, userId: id, secondFactor: false }])
  const refused = school.logged('sign-in refused')
  expect(refused).toHaveLength(2)
  for (const userId of [id, null])
    expect(refused).toContainEqual({ ...request, userId, why: 'wrong_credentials' })
  expect(JSON.stringify([...school.logged('signed in'), ...refused])).not.toMatch(/thandiwe|nobody|guess/)
  await school.close()
})

describe('sessions', () => {
  let school: IdentityServer
  let superadmin: Client
  beforeAll(async () => {
    school = await startIdentity({ superadminPassword: 'superadmin-secret' })
    await school.identity.ensureSuperadmin()
  })
  afterAll(() => school.close())
  beforeEach(async () => {
    superadmin = await signedIn(school, 'superadmin')
  })
  afterEach(() => expect(school.faults()).toEqual([]))

  const hour = 60
  const day = 24 * hour

  describe('on the application’s clock', () => {
    test('an administrator is signed out after twelve hours of disuse', async () => {
      school.minutesPass(12 * hour - 1)
      expect(await isSignedIn(superadmin)).toBe(true)
      school.minutesPass(12 * hour - 1)
      expect(await isSignedIn(superadmin)).toBe(true)
      school.minutesPass(12 * hour)
      expect(await isSignedIn(superadmin)).toBe(false)
    })

    test('a parent is signed out after fourteen days of disuse', async () => {
      const { client } = await parent(school, 'mwila')
      school.minutesPass(14 * day - 1)
      expect(await isSignedIn(client)).toBe(true)
      school.minutesPass(14 * day)
      expect(await isSignedIn(client)).toBe(false)
    })

    test('everybody is signed out after thirty days, however often they came', async () => {
      const { client } = await parent(school, 'bupe')
      for (let days = 0; days < 29; days += 1) {
        school.minutesPass(day)
        expect(await isSignedIn(client)).toBe(true)
      }
      school.minutesPass(day)
      expect(await isSignedIn(client)).toBe(false)
    })
  })

  describe('the list of sessions', () => {
    const chrome =
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36'

    test('tells of each since when, last used and on what, never its secret', async () => {
      const { client, id } = await parent(school, 'chola')
      await school.visitor().call(login, { body: { username: 'chola', password: 'chola-secret' } })
      await school.database.pool.query(
        `update identity.sessions set device = $1 where "userId" = $2 and device !~ 'Chrome'`,
        [chrome, id],
      )
      const began = school.world.now.toISOString()
      school.minutesPass(6)
      const listed = await client.call(listSessions)
      const now = school.world.now.toISOString()
      expect(listed).toEqual([
        {
          id: expect.any(String),
          current: true,
          createdAt: began,
          lastUsedAt: now,
          device: 'Chrome on Android',
        },
        {
          id: expect.any(String),
          current: false,
          createdAt: began,
          lastUsedAt: began,
          device: 'Chrome on Android',
        },
      ])
      const { rows } = await school.database.pool.query('select secret from identity.sessions')
      for (const { secret } of rows) expect(JSON.stringify(listed)).not.toContain(secret)
    })

    test('ends one of them, also the own', async () => {
      const { client: phone } = await parent(school, 'grace')
      const laptop = await signedIn(school, 'grace')
      const [other] = (await phone.call(listSessions)).filter(({ current }) => !current)
      await phone.call(endSession, { params: { id: other!.id } })
      expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([true, false])
      const [own] = await phone.call(listSessions)
      await phone.call(endSession, { params: { id: own!.id } })
      expect(await isSignedIn(phone)).toBe(false)
    })

    test('ends nobody else’s', async () => {
      const { client } = await parent(school, 'kelvin')
      const { client: stranger } = await parent(school, 'joseph')
      const [session] = await client.call(listSessions)
      await expect(stranger.call(endSession, { params: { id: session!.id } })).rejects.toEqual(
        refusal(404, 'session_not_found'),
      )
      expect(await isSignedIn(client)).toBe(true)
    })

    test('is for people who are signed in', async () => {
      const visitor = school.visitor()
      await expect(visitor.call(listSessions)).rejects.toEqual(refusal(401, 'not_signed_in'))
      const params = { id: '018f0000-0000-7000-8000-000000000000' }
      await expect(visitor.call(endSession, { params })).rejects.toEqual(refusal(401, 'not_signed_in'))
    })
  })

  describe('a sign-in that is under way', () => {
    test('opens nothing once a new password was set', async () => {
      const { id } = await parent(school, 'natasha')
      const sessions = school.identity.sessions
      const version = async () =>
        (
          await school.database.pool.query(
            `select "credentialsVersion" v from identity.users where id = $1`,
            [id],
          )
        ).rows[0].v as number
      // The password was compared; before the session is written, somebody sets a new one.
      const compared = { userId: id, credentialsVersion: await version(), device: '' }
      await superadmin.call(setPassword, { params: { id }, body: { password: 'another-secret' } })
      await sessions.create('late secret', compared)
      expect(await sessions.read('late secret')).toBeNull()
      await sessions.create('new secret', { ...compared, credentialsVersion: await version() })
      expect(await sessions.read('new secret')).toMatchObject({ principal: { userId: id } })
    })
  })

  test('a session tells whose it is, with the rights of this moment', async () => {
    const { id } = await superadmin.call(createAdmin, {
      body: { username: 'cook', password: 'cook-secret-1', allowedFeatures: ['menu', 'kitchen'] },
    })
    const { sessions } = school.identity
    await sessions.create('of the cook', { userId: id, credentialsVersion: 1, device: '' })
    const principal = { userId: id, username: 'cook', role: 'admin', features: ['menu', 'kitchen'] }
    expect(await sessions.read('of the cook')).toMatchObject({ principal })
    await school.database.pool.query('update identity.users set "disabledAt" = now() where id = $1', [id])
    expect(await sessions.read('of the cook')).toBeNull()
    expect(await sessions.read('no such')).toBeNull()
    await expect(signedIn(school, 'cook', 'cook-secret-1')).rejects.toEqual(refusal(403, 'account_disabled'))
    await expect(signedIn(school, 'cook', 'not-the-secret')).rejects.toEqual(
      refusal(401, 'wrong_credentials'),
    )
  })

  const mails = async () => {
    await school.runJobs()
    return school.world.mails.splice(0).filter(({ subject }) => subject.startsWith('Your temporary'))
  }
  const ask = (identifier: string) => school.visitor().call(forgotPassword, { body: { identifier } })

  describe('a temporary password', () => {
    test('goes to the only address an account ever had, and to another one only when it is verified', async () => {
      const { id } = await parent(school, 'luyando', { email: 'luyando@example.com' })
      await mails()
      await ask('luyando')
      expect(await mails()).toHaveLength(1)
      await school.database.pool.query(
        `update identity.users set email = 'thief@example.com', "hadOtherEmail" = true, "emailVerifiedAt" = null where id = $1`,
        [id],
      )
      school.minutesPass(hour)
      await ask('luyando')
      expect(await mails()).toEqual([])
      await school.database.pool.query(`update identity.users set "emailVerifiedAt" = now() where id = $1`, [
        id,
      ])
      await ask('luyando')
      expect(await mails()).toHaveLength(1)
    })

    test('is not voided by another one within five minutes', async () => {
      await parent(school, 'thandi', { email: 'thandi@example.com' })
      await mails()
      await ask('thandi')
      const [first] = await mails()
      school.minutesPass(4)
      await ask('thandi')
      expect(await mails()).toEqual([])
      const password = /Temporary password: (.+)/.exec(first!.text)![1]!
      expect(await isSignedIn(await signedIn(school, 'thandi', password))).toBe(true)
    })
  })
})
