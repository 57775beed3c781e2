import { setAdminStatus, setPassword, createParent, deleteParent, updateParent } from '#contracts/accounts'
import {
  convertToTeacher,
  currentUser,
  forgotPassword,
  listStudents,
  login,
  logout,
  updateProfile,
  addStudent,
  createAdmin,
  getSecurity,
  register,
  saveSecurity,
} from '#contracts/identity'
import { africasTalking } from '../../src/adapters/sms'
import type { Client } from '../../src/app/demo/client'
import { smsGateway } from '../support/sms-gateway'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn, verifiedParent } from './people'

describe('temporary password', () => {
  let gateway: Awaited<ReturnType<typeof smsGateway>>
  let school: IdentityServer
  beforeAll(async () => {
    gateway = await smsGateway()
    const sms = africasTalking({
      url: gateway.url,
      username: 'baobab',
      apiKey: 'k',
      from: '',
      timeoutMs: 5_000,
    })
    school = await startIdentity({ sms })
  })
  afterAll(async () => {
    await school.close()
    await gateway.close()
  })
  beforeEach(async () => {
    await school.runJobs()
    school.world.mails.length = 0
  })
  afterEach(() => expect(school.faults()).toEqual([]))

  const sentAnswer = {
    message: 'If an account with that username/email exists, a temporary password has been sent.',
  }
  const wrong = refusal(401, 'wrong_credentials')

  const ask = (identifier: string) => school.visitor().call(forgotPassword, { body: { identifier } })
  const attempt = (username: string, password: string) =>
    school.visitor().call(login, { body: { username, password } })

  const mailed = () =>
    school.world.mails.map(({ to, text }) => ({
      to,
      username: /Username: (.+)/.exec(text)?.[1],
      password: /Temporary password: (.+)/.exec(text)?.[1] ?? '',
    }))

  const temporaryPasswordOf = async (username: string) => {
    await ask(username)
    await school.runJobs()
    return mailed().at(-1)!.password
  }

  describe('asking for it', () => {
    test('answers the same for an account, for one without an address and for nobody', async () => {
      await verifiedParent(school, 'mwila', { email: 'mwila@example.com' })
      await parent(school, 'nomail')
      await school.runJobs()
      school.world.mails.length = 0
      expect([await ask('mwila'), await ask('nomail'), await ask('nobody')]).toEqual([
        sentAnswer,
        sentAnswer,
        sentAnswer,
      ])
      await school.runJobs()
      expect(mailed()).toEqual([
        {
          to: 'mwila@example.com',
          username: 'mwila',
          password: expect.stringMatching(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/),
        },
      ])
    })

    test('by email address reaches every account that has it, each with its own password', async () => {
      await verifiedParent(school, 'father', { email: 'Family@example.com' })
      await verifiedParent(school, 'mother', { email: 'family@example.com' })
      await school.runJobs()
      school.world.mails.length = 0
      await ask(' FAMILY@example.com')
      await school.runJobs()
      const mails = mailed()
      expect(mails.map(({ username }) => username).toSorted()).toEqual(['father', 'mother'])
      expect(mails[0]!.password).not.toBe(mails[1]!.password)
    })

    test('by email address reaches those alone who verified it, and where nobody did five who named it', async () => {
      const named = async (count: number, email: string) => {
        for (let number = 1; number <= count; number += 1)
          await parent(school, `${email.split('@')[0]}.${number}`, { email })
      }
      await named(6, 'unproven@example.com')
      await named(2, 'proven@example.com')
      await verifiedParent(school, 'the.owner', { email: 'proven@example.com' })
      await school.runJobs()
      const toldFor = async (email: string) => {
        school.world.mails.length = 0
        await ask(email)
        await school.runJobs()
        const { rows } = await school.database.pool.query<{ username: string }>(
          `select username from identity.users where email = $1 and "temporaryHash" is not null order by id`,
          [email],
        )
        return rows.map(({ username }) => username)
      }
      expect(await toldFor('proven@example.com')).toEqual(['the.owner'])
      expect(await toldFor('unproven@example.com')).toEqual(
        [1, 2, 3, 4, 5].map((number) => `unproven.${number}`),
      )
    })

    test('by an address that a stranger took as a username gives the stranger nothing of its owner', async () => {
      await parent(school, 'owner', { email: 'owner@example.com' })
      await parent(school, 'owner@example.com', { email: 'stranger@example.com', name: 'A Stranger' })
      await school.runJobs()
      school.world.mails.length = 0
      await ask('owner@example.com')
      await school.runJobs()
      const toStranger = mailed().find(({ to }) => to === 'stranger@example.com')
      await expect(attempt('owner', toStranger!.password)).rejects.toEqual(wrong)
    })

    test('says nothing that people typed to an address that was not verified', async () => {
      await parent(school, 'Buy-at-evil.example', { email: 'victim@example.com', name: 'Click here' })
      await ask('victim@example.com')
      await school.runJobs()
      expect(school.world.mails).toHaveLength(2)
      for (const { subject, text } of school.world.mails)
        expect(`${subject}\n${text}`).not.toMatch(/buy-at-evil|click here/i)
      expect(mailed().at(-1)!.password).not.toBe('')
    })

    test('needs an identifier', async () => {
      await expect(ask(' ')).rejects.toEqual(
        refusal(422, 'validation_failed', { fields: { identifier: 'Username or email is required' } }),
      )
    })

    test('leaves the temporary password nowhere once it is mailed', async () => {
      await parent(school, 'bupe', { email: 'bupe@example.com' })
      const password = await temporaryPasswordOf('bupe')
      const { rows } = await school.database.pool.query(
        `select row_to_json(m)::text as stored from messaging.mail_outbox m
       union all select row_to_json(u)::text from identity.users u`,
      )
      expect(rows.filter(({ stored }) => stored.includes(password))).toEqual([])
      expect(JSON.stringify(school.world.queue)).not.toContain(password)
    })
  })

  test('whoever has no address gets it by SMS on a verified phone, while the school sends SMS', async () => {
    const { pool } = school.database
    const { id } = await parent(school, 'nosiku', { phone: '0971 234 567' })
    const asked = async () => {
      await ask('nosiku')
      await school.runJobs()
      return gateway.takenSince()
    }
    await pool.query('update messaging.message_settings set sms = true')
    expect(await asked()).toEqual([])
    await pool.query('update identity.users set "phoneVerifiedAt" = now() where id = $1', [id])
    await pool.query('update messaging.message_settings set sms = false')
    expect(await asked()).toEqual([])
    await pool.query('update messaging.message_settings set sms = true, "dailyCeiling" = 0')
    expect(await asked()).toEqual([])

    await pool.query('update messaging.message_settings set "dailyCeiling" = null')
    const [sent, ...more] = await asked()
    expect(more).toEqual([])
    expect(sent).toMatchObject({ to: '+260971234567' })
    const [, password] = /: (\S{14}) is a temporary password for nosiku\. /.exec(sent!.message)!
    const { rows } = await pool.query('select text from messaging.mail_outbox')
    expect(JSON.stringify([rows, school.world.queue])).not.toContain(password)
    const client = await signedIn(school, 'nosiku', password)
    expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
  })

  describe('until it is used', () => {
    test('the old password opens the account too, and nothing else changes', async () => {
      const { client } = await parent(school, 'chola', { email: 'chola@example.com' })
      await temporaryPasswordOf('chola')
      expect(await attempt('chola', 'chola-secret')).toMatchObject({ mustChangePassword: false })
      expect(await client.call(listStudents)).toEqual([])
    })

    test('it is good for 24 hours', async () => {
      await parent(school, 'grace', { email: 'grace@example.com' })
      const password = await temporaryPasswordOf('grace')
      school.minutesPass(24 * 60)
      await expect(attempt('grace', password)).rejects.toEqual(wrong)
      expect(await attempt('grace', 'grace-secret')).toMatchObject({ mustChangePassword: false })
    })

    test('another one takes its place', async () => {
      await parent(school, 'kelvin', { email: 'kelvin@example.com' })
      const first = await temporaryPasswordOf('kelvin')
      school.minutesPass(5)
      const second = await temporaryPasswordOf('kelvin')
      await expect(attempt('kelvin', first)).rejects.toEqual(wrong)
      expect(await attempt('kelvin', second)).toMatchObject({ mustChangePassword: true })
    })
  })

  describe('once it is used', () => {
    test('the old password is over, and the temporary one still opens until it expires', async () => {
      await parent(school, 'joseph', { email: 'joseph@example.com' })
      const password = await temporaryPasswordOf('joseph')
      expect(await attempt('Joseph', password)).toMatchObject({ mustChangePassword: true })
      await expect(attempt('joseph', 'joseph-secret')).rejects.toEqual(wrong)
      expect(await attempt('joseph', password)).toMatchObject({ mustChangePassword: true })
    })

    test('only user, profile and logout answer before a new password is chosen', async () => {
      const { client: elsewhere } = await parent(school, 'luyando', { email: 'luyando@example.com' })
      const client = await signedIn(school, 'luyando', await temporaryPasswordOf('luyando'))
      const demanded = refusal(403, 'password_change_required')
      for (const somebody of [client, elsewhere]) {
        await expect(somebody.call(listStudents)).rejects.toEqual(demanded)
        await expect(somebody.call(convertToTeacher)).rejects.toEqual(demanded)
      }
      expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
      expect(await client.call(updateProfile, { body: { name: 'Luyando' } })).toMatchObject({
        name: 'Luyando',
        mustChangePassword: true,
      })
      await client.call(logout)
      expect(await isSignedIn(client)).toBe(false)
    })

    test('a new password sets everything right', async () => {
      const { client: elsewhere } = await parent(school, 'natasha', { email: 'natasha@example.com' })
      const temporary = await temporaryPasswordOf('natasha')
      const client = await signedIn(school, 'natasha', temporary)
      const choose = (newPassword: string) =>
        client.call(updateProfile, {
          body: {
            name: 'Natasha',
            currentPassword: temporary,
            newPassword,
            confirmPassword: newPassword,
          },
        })
      await expect(choose(temporary)).rejects.toEqual(refusal(422, 'password_unchanged'))
      expect(await choose('nshima-22')).toMatchObject({ mustChangePassword: false })
      expect(await client.call(listStudents)).toEqual([])
      expect(await isSignedIn(elsewhere)).toBe(false)
      await expect(attempt('natasha', temporary)).rejects.toEqual(wrong)
      await expect(attempt('natasha', 'natasha-secret')).rejects.toEqual(wrong)
      expect(await attempt('natasha', 'nshima-22')).toMatchObject({ mustChangePassword: false })
    })
  })
})

describe('reset requests', () => {
  let school: IdentityServer
  beforeAll(async () => {
    school = await startIdentity()
  })
  beforeEach(async () => {
    await school.reset()
    await parent(school, 'mwila', { email: 'mwila@example.com' })
    await parent(school, 'nomail')
    await school.runJobs()
    school.world.mails.length = 0
  })
  afterAll(() => school.close())

  const ask = (identifier: string) => school.visitor().call(forgotPassword, { body: { identifier } })
  const requests = async () =>
    (await school.database.pool.query('select * from identity.reset_requests')).rows
  const passwordMails = () => school.world.mails.map(({ to, subject }) => [to, subject])
  const mailed = [['mwila@example.com', 'Your temporary password for Baobab School']]

  test('what is done before the answer is the same for an account, for one without an address and for nobody', async () => {
    const statements: string[] = []
    school.database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
    const workFor = async (identifier: string) => {
      await ask(identifier)
      const work = { statements: statements.splice(0), jobs: school.world.queue.map(({ name }) => name) }
      await school.runJobs()
      statements.length = 0
      return work
    }
    const forNobody = await workFor('nobody')
    expect(forNobody).toEqual({
      statements: [expect.stringMatching(/^insert into "identity"."reset_requests"/)],
      jobs: ['answer-password-reset'],
    })
    expect(await workFor('mwila')).toEqual(forNobody)
    expect(await workFor('nomail')).toEqual(forNobody)
    expect(passwordMails()).toEqual(mailed)
  })

  test('a request is answered once, however often its job runs, and then forgotten', async () => {
    await ask('mwila')
    const [job] = school.world.queue
    school.world.queue.push(job!)
    expect(await school.runJobs()).toBe(0)
    expect(passwordMails()).toEqual(mailed)
    expect(await requests()).toEqual([])
  })

  test('two requests of one moment are one temporary password: the second would void the first', async () => {
    await ask('mwila')
    await ask('mwila@example.com')
    await Promise.all([school.runJobs(), school.runJobs()])
    expect(passwordMails()).toEqual(mailed)
  })

  test('with the queue away the answer is the same, and the sweep finds the request after half a minute', async () => {
    school.world.queueIsDown = true
    await ask('mwila')
    school.world.queueIsDown = false
    await school.sweep()
    expect(school.world.queue).toEqual([])
    school.minutesPass(0.5)
    await school.sweep()
    await school.sweep()
    expect(school.world.queue).toHaveLength(1)
    await school.runJobs()
    expect(passwordMails()).toEqual(mailed)
  })

  test('a request whose job was lost or failed is asked about again with a job id of its own', async () => {
    await ask('mwila')
    const ids = school.world.queue.splice(0).map(({ id }) => id)
    for (let round = 0; round < 2; round += 1) {
      school.minutesPass(1)
      await school.sweep()
      ids.push(...school.world.queue.splice(0).map(({ id }) => id))
    }
    expect(new Set(ids).size).toBe(3)
    expect(await requests()).toHaveLength(1)
  })
})

describe('rules of accounts', () => {
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
        const { rows } = await school.database.pool.query(
          'select 1 from identity.users where username = $1',
          [username],
        )
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
      await expect(signedIn(school, 'cook', 'kitchen-secret')).rejects.toEqual(
        refusal(403, 'account_disabled'),
      )
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
      await superadmin.call(saveSecurity, { body: { ...settings, version: undefined } })
    })
  })
})
