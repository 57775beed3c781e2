import { setAdminStatus, setPassword, createParent, deleteParent, updateParent } from '#contracts/accounts'
import {
  addStudent,
  createAdmin,
  getSecurity,
  register,
  saveSecurity,
  updateProfile,
} from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

let school: IdentityServer
let superadmin: Client
beforeAll(async () => {
  school = await startIdentity({ superadminPassword: 'superadmin-secret' })
  await school.identity.ensureSuperadmin()
  superadmin = await signedIn(school, 'superadmin')
})
afterAll(() => school.close())
afterEach(() => expect(school.faults()).toEqual([]))

const admin = (username: string, password = 'kitchen-secret') =>
  superadmin.call(createAdmin, {
    body: { username, password, allowedFeatures: ['admins', 'parents_students'] },
  })
const registerAs = (username: string, password = 'a-fine-secret') =>
  school.visitor().call(register, { body: { username, password, name: 'Somebody' } })

describe('a new password', () => {
  const tooCommon = refusal(422, 'password_too_common', {
    fields: { password: 'This password is one of the most common ones. Please choose another.' },
  })

  test('is none of the most common ones, whoever it is for', async () => {
    for (const common of ['123456', 'Password', 'sunshine'])
      await expect(registerAs(`with${common}`, common)).rejects.toEqual(tooCommon)
    const { client, id } = await parent(school, 'mwila')
    const body = {
      name: 'Mwila',
      currentPassword: 'mwila-secret',
      newPassword: 'football',
      confirmPassword: 'football',
    }
    await expect(client.call(updateProfile, { body })).rejects.toEqual(
      refusal(422, 'password_too_common', { fields: { newPassword: expect.any(String) } }),
    )
    await expect(
      superadmin.call(setPassword, { params: { id }, body: { password: 'football' } }),
    ).rejects.toEqual(tooCommon)
    await expect(
      superadmin.call(createParent, { body: { username: 'bupe', password: 'football', name: 'Bupe' } }),
    ).rejects.toEqual(tooCommon)
  })

  test('has at least ten characters for an administrator, six for a parent', async () => {
    const message = "An administrator's password must be at least 10 characters"
    const tooShort = refusal(422, 'password_too_short', { fields: { password: message } })
    await expect(admin('hasty', 'nine-char')).rejects.toEqual(tooShort)
    const { id } = await admin('patient')
    await expect(
      superadmin.call(setPassword, { params: { id }, body: { password: 'nine-char' } }),
    ).rejects.toEqual(tooShort)
    expect(await registerAs('sixer', 'six6ch')).toMatchObject({ username: 'sixer' })
  })
})

describe('a new username', () => {
  const notAllowed = refusal(422, 'username_not_allowed', {
    fields: { username: 'Use letters of one alphabet, digits and . - _ @' },
  })

  test.each([
    'two words',
    'chi\u043Fo',
    'semi;colon',
    'new\u200Dline',
    '<b>',
    '\u3164\u3164',
    '\u0301\u0301',
    '\u1160abc',
  ])('is not %j', async (username) => {
    await expect(registerAs(username)).rejects.toEqual(notAllowed)
  })

  test.each(['Thandiwe.M', 'ana_2', 'joão@example.com', 'Мария', 'ፀሐይ'])('may be %j', async (username) => {
    expect(await registerAs(username)).toMatchObject({ username })
  })

  test('is kept with the characters that everybody types (NFKC)', async () => {
    expect(await registerAs('ｃｈｉlufya')).toMatchObject({ username: 'chilufya' })
    const body = { username: 'ｎsofu', password: 'a-fine-secret', name: 'Nsofu' }
    expect(await superadmin.call(createParent, { body })).toMatchObject({ username: 'nsofu' })
  })

  test.each(['SuperAdmin', 'super.admin', 'super-adm1n', 'superadm\u0131n', 'superadrnin', 'ѕуреrаdmіn'])(
    'that looks like an administrator’s (%j) is refused',
    async (username) => {
      await expect(registerAs(username)).rejects.toEqual(
        expect.objectContaining({ status: expect.any(Number) }),
      )
      const { rows } = await school.database.pool.query('select 1 from identity.users where username = $1', [
        username,
      ])
      expect(rows).toEqual([])
    },
  )

  test('an existing one that would be refused today goes on', async () => {
    const { id } = await registerAs('renamed')
    await school.database.pool.query(
      `update identity.users set username = 'Old Name', "usernameKey" = 'old name' where id = $1`,
      [id],
    )
    expect(await isSignedIn(await signedIn(school, 'old name', 'a-fine-secret'))).toBe(true)
    const body = { username: 'Old Name', name: 'Still Here' }
    expect(await superadmin.call(updateParent, { params: { id }, body })).toMatchObject(body)
    await expect(
      superadmin.call(updateParent, { params: { id }, body: { ...body, username: 'Another Name' } }),
    ).rejects.toEqual(notAllowed)
  })
})

describe('a deleted account', () => {
  test('keeps no name that a living one could take, gets no password and cannot sign in', async () => {
    const { id } = await registerAs('leaver')
    await school.database.pool.query(
      `update identity.users set username = $1, "usernameKey" = $1 where username = 'sixer'`,
      [`deleted ${id}`],
    )
    await superadmin.call(deleteParent, { params: { id } })
    await expect(
      superadmin.call(setPassword, { params: { id }, body: { password: 'back-again' } }),
    ).rejects.toEqual(refusal(404, 'user_not_found'))
    await expect(signedIn(school, 'leaver', 'a-fine-secret')).rejects.toEqual(
      refusal(401, 'wrong_credentials'),
    )
    expect(await registerAs('leaver')).toMatchObject({ username: 'leaver' })
  })
})

const set = (client: Client, id: number, disabled: boolean) =>
  client.call(setAdminStatus, { params: { id }, body: { disabled } })

describe('disabling an administrator', () => {
  test('ends every session and every sign-in until they are enabled again', async () => {
    const { id } = await admin('cook')
    const client = await signedIn(school, 'cook', 'kitchen-secret')
    expect(await set(superadmin, id, true)).toMatchObject({ id, disabled: true })
    expect(await isSignedIn(client)).toBe(false)
    await expect(signedIn(school, 'cook', 'kitchen-secret')).rejects.toEqual(refusal(403, 'account_disabled'))
    expect(await set(superadmin, id, false)).toMatchObject({ id, disabled: false })
    expect(await isSignedIn(client)).toBe(false)
    expect(await isSignedIn(await signedIn(school, 'cook', 'kitchen-secret'))).toBe(true)
  })

  test('is refused for superadmin, for oneself, for a parent and without the feature', async () => {
    const { id } = await admin('office')
    const office = await signedIn(school, 'office', 'kitchen-secret')
    const { client, id: family } = await parent(school, 'natasha')
    await expect(set(office, 1, true)).rejects.toEqual(refusal(409, 'superadmin_stays_enabled'))
    await expect(set(office, id, true)).rejects.toEqual(refusal(403, 'own_account'))
    await expect(set(office, family, true)).rejects.toEqual(refusal(404, 'user_not_found'))
    await expect(set(client, id, true)).rejects.toEqual(refusal(403, 'forbidden'))
  })
})

describe('a name', () => {
  test.each(['Two\nLines', 'See https://evil.example', 'www.evil.example', 'Mulenga evil.com', 'Tab\tbed'])(
    'is one line without a web address: not %j',
    async (name) => {
      const { client } = await parent(school, `named${Math.abs(name.length)}${name.charCodeAt(0)}`)
      const outcomes = await Promise.allSettled([
        school.visitor().call(register, { body: { username: 'never', password: 'a-fine-secret', name } }),
        client.call(updateProfile, { body: { name } }),
        client.call(addStudent, { body: { name, grade: '4' } }),
        superadmin.call(createParent, { body: { username: 'never', password: 'a-fine-secret', name } }),
      ])
      const refused = refusal(422, 'validation_failed', {
        fields: { name: expect.stringMatching(/^A name/) },
      })
      expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: refused })))
    },
  )

  test.each(["Ng'andu-Phiri Jr.", 'José María', 'Dr. Mwila'])('may be %j', async (name) => {
    expect(await registerAs(`n${name.length}`)).toMatchObject({ name: 'Somebody' })
    const { client } = await parent(school, `m${name.length}`)
    expect(await client.call(updateProfile, { body: { name } })).toMatchObject({ name })
  })
})

describe('children', () => {
  test('are as many as the setting says, unless an administrator adds more', async () => {
    const settings = await superadmin.call(getSecurity)
    await superadmin.call(saveSecurity, { body: { ...settings, maxChildren: 2 } })
    const { client, id } = await parent(school, 'mother')
    const add = (name: string) => client.call(addStudent, { body: { name, grade: '4' } })
    const outcomes = await Promise.allSettled(['Anna', 'Bwalya', 'Chipo'].map(add))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(add('Dalitso')).rejects.toEqual(
      refusal(409, 'too_many_children', {
        message: 'You can add 2 children yourself. Please ask the school office to add more.',
      }),
    )
    expect(
      await superadmin.call(addStudent, { body: { name: 'Dalitso', grade: '4', parentId: id } }),
    ).toMatchObject({ name: 'Dalitso' })
    await superadmin.call(saveSecurity, { body: settings })
  })
})
