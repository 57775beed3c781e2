import { hash, verify } from '@node-rs/argon2'
import { forgotPassword, login, register } from '#contracts/identity'
import { typedCode } from '#modules/identity/sign-in/password.commands'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal } from './people'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity()
})
afterAll(() => school.close())

const wrong = refusal(401, 'wrong_credentials')
const attempt = (username: string, password: string) =>
  school.visitor().call(login, { body: { username, password } })

const temporaryPasswordOf = async (username: string) => {
  await school.visitor().call(forgotPassword, { body: { identifier: username } })
  await school.runJobs()
  return /Temporary password: (.+)/.exec(school.world.mails.at(-1)!.text)![1]!
}

test.each([
  ['in capitals', (password: string) => password.toUpperCase()],
  ['without dashes', (password: string) => password.replaceAll('-', '')],
  ['with blanks', (password: string) => ` ${password.replaceAll('-', ' ')} `],
  ['with the dashes of a word processor', (password: string) => password.replaceAll('-', '\u2013')],
  [
    'with what a phone puts in',
    (password: string) => `\u200b${password[0]!.toUpperCase()}${password.slice(1)}\u00a0`,
  ],
])('a temporary password opens the account written %s', async (how, write) => {
  const username = `writer-${how.replaceAll(' ', '.')}`
  await parent(school, username, { email: `${username}@example.com` })
  const password = await temporaryPasswordOf(username)
  expect(await attempt(username, write(password))).toMatchObject({ mustChangePassword: true })
  await expect(attempt(username, password.slice(0, -1))).rejects.toEqual(wrong)
})

describe('a password with an accent', () => {
  const composed = 'caf\u00e9-nshima'
  const apart = 'cafe\u0301-nshima'

  test('opens the account however a keyboard writes it', async () => {
    for (const [username, chosen, typed] of [
      ['composed', composed, apart],
      ['apart', apart, composed],
    ] as const) {
      const body = { username, password: chosen, name: 'Accent' }
      await school.visitor().call(register, { body })
      expect(await attempt(username, chosen)).toMatchObject({ username })
      expect(await attempt(username, typed)).toMatchObject({ username })
      await expect(attempt(username, 'cafe-nshima')).rejects.toEqual(wrong)
    }
  })

  test('that was hashed as it was typed still opens it, and is hashed again', async () => {
    await parent(school, 'elder')
    const { pool } = school.database
    const stored = async () =>
      (await pool.query(`select "passwordHash" as hash from identity.users where username = 'elder'`)).rows[0]
        .hash
    const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
    await pool.query(`update identity.users set "passwordHash" = $1 where username = 'elder'`, [
      await hash(apart, cost),
    ])
    const before = await stored()
    expect(await attempt('elder', composed)).toMatchObject({ username: 'elder' })
    const after = await stored()
    expect(after).not.toBe(before)
    expect(await verify(after, composed)).toBe(true)
    for (const typed of [apart, composed])
      expect(await attempt('elder', typed)).toMatchObject({ username: 'elder' })
    expect(await stored()).toBe(after)
  })
})

test('a recovery code is read the same way', () => {
  expect(typedCode(' ABCD efgh\u2014jkmn')).toBe('abcd-efgh-jkmn')
})
