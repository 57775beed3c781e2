import { currentUser, login, logout, register } from '#contracts/identity'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

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
    expect(registered).toEqual({
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
    })
    expect(await client.call(currentUser)).toEqual(registered)
  })

  test('without e-mail and phone leaves both empty and mails nothing', async () => {
    const { client } = await parent(school, 'bupe', { email: '' })
    expect(await client.call(currentUser)).toMatchObject({ email: null, phone: null })
    const { rows } = await school.database.pool.query(`select 1 from identity.mail_outbox where "to" = ''`)
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
    expect(rows[0].passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
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
