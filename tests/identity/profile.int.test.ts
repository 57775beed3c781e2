import { hash, verify } from '@node-rs/argon2'
import {
  addStudent,
  convertToTeacher,
  currentUser,
  listStudents,
  login,
  updateProfile,
  sendVerification,
  verifyEmail,
  forgotPassword,
  register,
} from '#contracts/identity'
import { forAnyAddress } from '#kernel/meal-line'
import { typedCode } from '#modules/identity/sign-in/password.commands'
import type { Client } from '../../src/app/demo/client'
import { testPasswordCost } from '../support/stand-ins'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity()
})
afterAll(() => school.close())
beforeEach(async () => {
  await school.runJobs()
  school.world.mails.length = 0
})
afterEach(() => expect(school.faults()).toEqual([]))

const mailsSent = async () => {
  await school.runJobs()
  return school.world.mails.splice(0)
}

const attempt = (username: string, password: string) =>
  school.visitor().call(login, { body: { username, password } })

describe('profile', () => {
  describe('saving the profile', () => {
    test('changes name, email and phone', async () => {
      const { client } = await parent(school, 'mwila', { email: 'mwila@example.com', phone: '0971' })
      const body = { name: 'Mwila B.', email: '', phone: '0972', currentPassword: 'mwila-secret' }
      const saved = await client.call(updateProfile, { body })
      expect(saved).toMatchObject({ name: 'Mwila B.', email: null, phone: '0972', emailVerified: false })
      expect(await client.call(currentUser)).toEqual(saved)
    })

    test('keeps what is not sent, and an empty new password is none', async () => {
      const { client } = await parent(school, 'bupe', { email: 'bupe@example.com', phone: '0971' })
      const body = { name: 'Bupe', newPassword: '', currentPassword: '', confirmPassword: '' }
      expect(await client.call(updateProfile, { body })).toMatchObject({
        email: 'bupe@example.com',
        phone: '0971',
      })
      expect(await attempt('bupe', 'bupe-secret')).toMatchObject({ name: 'Bupe' })
    })

    const elsewhere = [{ email: 'thief@example.com' }, { phone: '0999' }, { email: '' }]

    test.each(elsewhere)('with another contact (%j) needs the current password', async (contact) => {
      const name = `chipo${JSON.stringify(contact).length}`
      const { client } = await parent(school, name, { email: 'chipo@example.com', phone: '0971' })
      await mailsSent()
      const message = "Password confirmation doesn't match or current password is required"
      const save = (currentPassword?: string) =>
        client.call(updateProfile, { body: { name: 'Chipo', ...contact, currentPassword } })
      await expect(save()).rejects.toEqual(
        refusal(422, 'wrong_current_password', {
          fields: { currentPassword: 'Current password is required' },
        }),
      )
      await expect(save('not-it')).rejects.toEqual(
        refusal(422, 'wrong_current_password', { message, fields: { currentPassword: message } }),
      )
      expect(await client.call(currentUser)).toMatchObject({ email: 'chipo@example.com', phone: '0971' })
      expect(await mailsSent()).toEqual([])
      expect(await save(`${name}-secret`)).toMatchObject({ name: 'Chipo' })
      const [toOld] = (await mailsSent()).filter(({ to }) => to === 'chipo@example.com')
      expect(toOld!.subject).toMatch(
        /^The (email address|phone number) of your account at Baobab School was changed$/,
      )
      expect(toOld!.text).not.toMatch(/thief|0999/)
    })

    test('needs a sign-in', async () => {
      await expect(school.visitor().call(updateProfile, { body: { name: 'x' } })).rejects.toEqual(
        refusal(401, 'not_signed_in'),
      )
    })
  })

  const form = (currentPassword: string, newPassword: string, confirmPassword = newPassword) => ({
    body: { name: 'Somebody', currentPassword, newPassword, confirmPassword },
  })

  describe('a new password', () => {
    test('keeps this session and ends all others', async () => {
      const { client: phone } = await parent(school, 'chola')
      const laptop = await signedIn(school, 'chola')
      await phone.call(updateProfile, form('chola-secret', 'nshima-22'))
      expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([true, false])
      await expect(attempt('chola', 'chola-secret')).rejects.toEqual(refusal(401, 'wrong_credentials'))
      expect(await attempt('chola', 'nshima-22')).toMatchObject({ username: 'chola' })
    })

    test('needs the current one, and nothing of the profile is saved without it', async () => {
      const { client } = await parent(school, 'grace')
      await expect(client.call(updateProfile, form('not-it', 'nshima-22'))).rejects.toEqual(
        refusal(422, 'wrong_current_password', {
          fields: { currentPassword: 'Current password is incorrect' },
        }),
      )
      expect(await client.call(currentUser)).toMatchObject({ name: 'grace Banda' })
      expect(await attempt('grace', 'grace-secret')).toMatchObject({ username: 'grace' })
    })

    test('must differ, be long enough and be confirmed', async () => {
      const { client } = await parent(school, 'kelvin')
      await expect(client.call(updateProfile, form('kelvin-secret', 'kelvin-secret'))).rejects.toEqual(
        refusal(422, 'password_unchanged', {
          fields: { newPassword: 'Choose a password that differs from the current one' },
        }),
      )
      await expect(client.call(updateProfile, form('kelvin-secret', 'short'))).rejects.toEqual(
        refusal(422, 'validation_failed', {
          fields: expect.objectContaining({ newPassword: 'Password must be at least 6 characters' }),
        }),
      )
      const message = "Password confirmation doesn't match or current password is required"
      for (const [current, confirmed] of [
        ['kelvin-secret', 'nshima-23'],
        ['', 'nshima-22'],
      ] as const)
        await expect(client.call(updateProfile, form(current, 'nshima-22', confirmed))).rejects.toEqual(
          refusal(422, 'validation_failed', { fields: { confirmPassword: message } }),
        )
    })

    test('chosen twice at once is taken once', async () => {
      const { client } = await parent(school, 'joseph')
      const outcomes = await Promise.allSettled(
        ['nshima-22', 'nshima-33'].map((next) => client.call(updateProfile, form('joseph-secret', next))),
      )
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })
  })

  describe('becoming a teacher', () => {
    test('gives a staff account and signs out everywhere', async () => {
      const { client, id } = await parent(school, 'teacher', { name: 'Misozi Mwape' })
      const elsewhere = await signedIn(school, 'teacher')
      expect(await client.call(convertToTeacher)).toEqual({
        message: 'Your account has been converted to a teacher account. Please log in again.',
      })
      expect([await isSignedIn(client), await isSignedIn(elsewhere)]).toEqual([false, false])
      const again = await signedIn(school, 'teacher')
      expect(await again.call(currentUser)).toMatchObject({ role: 'teacher' })
      expect(await again.call(listStudents)).toMatchObject([
        {
          id: expect.any(Number),
          name: 'Misozi Mwape',
          grade: 'teacher',
          class: null,
          admissionNumber: null,
          parent_id: id,
          parentId: id,
        },
      ])
    })

    test('happens once', async () => {
      const { client } = await parent(school, 'twice')
      await client.call(convertToTeacher)
      const again = await signedIn(school, 'twice')
      await expect(again.call(convertToTeacher)).rejects.toEqual(refusal(409, 'already_teacher'))
      expect(await again.call(listStudents)).toHaveLength(1)
    })

    test('keeps the children, and the staff account follows the name in the profile', async () => {
      const { client } = await parent(school, 'both')
      await client.call(addStudent, { body: { name: 'Chipo', grade: '4' } })
      await client.call(convertToTeacher)
      const again = await signedIn(school, 'both')
      await again.call(updateProfile, { body: { name: 'Both Banda' } })
      expect(await again.call(listStudents)).toEqual([
        expect.objectContaining({ name: 'Chipo', grade: '4' }),
        expect.objectContaining({ name: 'Both Banda', grade: 'teacher' }),
      ])
    })

    test('is not for administrators, nor for nobody', async () => {
      const { password } = await school.identity.ensureSuperadmin()
      await school.database.pool.query(`update identity.users set "mustChangePassword" = false`)
      const office = await signedIn(school, 'superadmin', password!)
      await expect(office.call(convertToTeacher)).rejects.toEqual(refusal(403, 'forbidden'))
      await expect(school.visitor().call(convertToTeacher)).rejects.toEqual(refusal(401, 'not_signed_in'))
    })
  })
})

describe('email verification', () => {
  const linkIn = (text: string) => new URL(/https:\S+/.exec(text)![0])
  const press = (client: Client, link: URL) =>
    client.call(verifyEmail, { body: { token: link.searchParams.get('token') ?? '' } })
  const isVerified = async (client: Client) => (await client.call(currentUser)).emailVerified

  const registeredWith = async (username: string) => {
    const { client } = await parent(school, username, { email: `${username}@example.com` })
    const [mail] = await mailsSent()
    expect(mail).toMatchObject({ to: `${username}@example.com` })
    return { client, link: linkIn(mail!.text) }
  }

  describe('an email address', () => {
    test('is verified by a press on the page of the link that registration mails, once or twice', async () => {
      const { client, link } = await registeredWith('luyando')
      expect([link.origin, link.pathname]).toEqual(['https://lunch.example.com', '/verify-email'])
      expect(await isVerified(client)).toBe(false)
      await press(client, link)
      await press(client, link)
      expect(await isVerified(client)).toBe(true)
    })

    test('is verified from any mail that reaches it unverified, and by its owner only', async () => {
      const { client } = await registeredWith('from.letter')
      const { id } = await client.call(currentUser)
      await school.messaging.messageUser(
        id,
        forAnyAddress({ subject: 'Ordered', text: 'Stew' }),
        'from-letter',
      )
      const [mail] = await mailsSent()
      const link = linkIn(mail!.text)
      const { client: stranger } = await parent(school, 'not.owner')
      await expect(press(school.visitor(), link)).rejects.toEqual(refusal(401, 'not_signed_in'))
      await expect(press(stranger, link)).rejects.toEqual(refusal(403, 'verification_of_another'))
      await press(client, link)
      expect(await isVerified(client)).toBe(true)
      await school.messaging.messageUser(
        id,
        forAnyAddress({ subject: 'Ordered', text: 'Stew' }),
        'from-letter-2',
      )
      expect((await mailsSent())[0]!.text).not.toContain('Confirm this address')
    })

    test.each(['GET', 'HEAD', 'PUT'])(
      'is not verified by a %s, with a session or without',
      async (method) => {
        const { client, link } = await registeredWith(`scanned.${method.toLowerCase()}`)
        for (const who of [client, school.visitor()])
          for (const path of ['/verify-email', '/api/email-verification']) {
            const answer = await who.fetch(`${path}${link.search}`, { method })
            expect([404, 405]).toContain(answer.status)
          }
        expect(await isVerified(client)).toBe(false)
      },
    )

    test('is verified by the account that asked and by no other', async () => {
      const { client, link } = await registeredWith('asking')
      await expect(press(school.visitor(), link)).rejects.toEqual(refusal(401, 'not_signed_in'))
      const { client: stranger } = await parent(school, 'not.bupe', { email: 'asking@example.com' })
      await expect(press(stranger, link)).rejects.toEqual(
        refusal(403, 'verification_of_another', {
          message:
            'This link belongs to another account. Log in to the account that asked for it and open the link again.',
        }),
      )
      expect([await isVerified(client), await isVerified(stranger)]).toEqual([false, false])
      await mailsSent()
    })

    test('changed is unverified until the link to the new address is followed; the old link is worth nothing', async () => {
      const { client, link } = await registeredWith('thandiwe')
      await press(client, link)
      const body = { name: 'Thandiwe', email: 'new@example.com', currentPassword: 'thandiwe-secret' }
      expect(await client.call(updateProfile, { body })).toMatchObject({ emailVerified: false })
      const mail = (await mailsSent()).find(({ to }) => to === 'new@example.com')
      await expect(press(client, link)).rejects.toEqual(refusal(409, 'verification_used'))
      expect(await client.call(currentUser)).toMatchObject({ emailVerified: false })
      await press(client, linkIn(mail!.text))
      expect(await client.call(updateProfile, { body })).toMatchObject({ emailVerified: true })
      expect(await mailsSent()).toEqual([])
    })

    test('is not verified after three days', async () => {
      const { client: late, link } = await registeredWith('mutinta')
      school.minutesPass(72 * 60 - 1)
      const { client, link: young } = await registeredWith('mutinta2')
      school.minutesPass(1)
      await expect(press(late, link)).rejects.toEqual(refusal(409, 'verification_expired'))
      await press(client, young)
    })

    test('is verified by another link, asked for when the first has expired, while there is one to verify', async () => {
      const { client, link } = await registeredWith('late')
      school.minutesPass(73 * 60)
      await expect(press(client, link)).rejects.toEqual(refusal(409, 'verification_expired'))
      await client.call(sendVerification)
      await school.runJobs()
      await press(client, linkIn(school.world.mails.pop()!.text))
      const nothing = refusal(409, 'nothing_to_verify')
      await expect(client.call(sendVerification)).rejects.toEqual(nothing)
      const { client: without } = await parent(school, 'without')
      await expect(without.call(sendVerification)).rejects.toEqual(nothing)
    })

    test('is not verified by a link that we did not sign', async () => {
      const { client, link } = await registeredWith('natasha')
      const invalid = refusal(422, 'verification_invalid')
      const [body, signature] = link.searchParams.get('token')!.split('.')
      const claim = JSON.parse(Buffer.from(body!, 'base64url').toString())
      const forged = Buffer.from(JSON.stringify({ ...claim, userId: claim.userId + 1 })).toString('base64url')
      for (const token of [`${forged}.${signature}`, `${body}.`, `${body}`, `${body}.${signature}.x`, '']) {
        link.searchParams.set('token', token)
        await expect(press(client, link)).rejects.toEqual(invalid)
      }
      link.search = ''
      await expect(press(client, link)).rejects.toEqual(invalid)
    })
  })
})

describe('typed passwords', () => {
  const wrong = refusal(401, 'wrong_credentials')
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

  describe('a new password from the session that typed it', () => {
    const change = (newPassword: string, more: object = {}) => ({
      body: { name: 'Somebody', newPassword, confirmPassword: newPassword, ...more },
    })
    const needed = refusal(422, 'wrong_current_password', {
      fields: { currentPassword: 'Current password is required' },
    })

    test('does not need it again, once', async () => {
      const { client: elsewhere } = await parent(school, 'typist', { email: 'typist@example.com' })
      const temporary = await temporaryPasswordOf('typist')
      const client = await signedIn(school, 'typist', temporary)
      expect(await client.call(currentUser)).toMatchObject({ passwordTyped: true })
      await expect(client.call(updateProfile, change(temporary))).rejects.toEqual(
        refusal(422, 'password_unchanged'),
      )
      const saved = await client.call(updateProfile, change('nshima-22'))
      expect(saved).toMatchObject({ mustChangePassword: false })
      expect(saved).not.toHaveProperty('passwordTyped')
      await expect(client.call(updateProfile, change('nshima-33'))).rejects.toEqual(needed)
      expect([await isSignedIn(client), await isSignedIn(elsewhere)]).toEqual([true, false])
      expect(await attempt('typist', 'nshima-22')).not.toHaveProperty('passwordTyped')
    })

    test('needs it in a session from before, with another contact, or after it has expired', async () => {
      const { client: before } = await parent(school, 'mutale', { email: 'mutale@example.com' })
      const client = await signedIn(school, 'mutale', await temporaryPasswordOf('mutale'))
      expect(await before.call(currentUser)).not.toHaveProperty('passwordTyped')
      await expect(before.call(updateProfile, change('nshima-22'))).rejects.toEqual(needed)
      const contact = { email: 'thief@example.com' }
      await expect(client.call(updateProfile, change('nshima-22', contact))).rejects.toEqual(needed)
      school.minutesPass(24 * 60)
      expect(await client.call(currentUser)).not.toHaveProperty('passwordTyped')
      await expect(client.call(updateProfile, change('nshima-22'))).rejects.toEqual(needed)
    })

    test('needs it once another one was sent', async () => {
      await parent(school, 'lweendo', { email: 'lweendo@example.com' })
      const client = await signedIn(school, 'lweendo', await temporaryPasswordOf('lweendo'))
      school.minutesPass(5)
      const second = await temporaryPasswordOf('lweendo')
      await expect(client.call(updateProfile, change('nshima-22'))).rejects.toEqual(needed)
      const other = await signedIn(school, 'lweendo', second)
      await expect(client.call(updateProfile, change('nshima-22'))).rejects.toEqual(needed)
      await other.call(updateProfile, change('nshima-22'))
    })

    test('is still as good as any new password', async () => {
      await parent(school, 'hasty', { email: 'hasty@example.com' })
      const client = await signedIn(school, 'hasty', await temporaryPasswordOf('hasty'))
      await expect(client.call(updateProfile, change('football'))).rejects.toEqual(
        refusal(422, 'password_too_common', { fields: { newPassword: expect.any(String) } }),
      )
    })
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
        (await pool.query(`select "passwordHash" as hash from identity.users where username = 'elder'`))
          .rows[0].hash
      await pool.query(`update identity.users set "passwordHash" = $1 where username = 'elder'`, [
        await hash(apart, testPasswordCost),
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
})
