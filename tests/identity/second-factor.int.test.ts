import { Secret, TOTP } from 'otpauth'
import { listAdmins, removeSecondFactor } from '#contracts/accounts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  createAdmin,
  currentUser,
  endSecondFactor,
  getSecurity,
  login,
  saveSecurity,
} from '#contracts/identity'
import { secondFactorSecrets } from '#modules/identity/sign-in/second-factor.commands'
import type { Client } from '../../src/app/demo/client'
import { standIn } from '../support/stand-ins'
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

const password = 'kitchen-secret'
const admin = async (username: string) => {
  const { id } = await superadmin.call(createAdmin, {
    body: { username, password, allowedFeatures: ['admins', 'kitchen', 'settings'] },
  })
  return { id, client: await signedIn(school, username, password) }
}
const codeOf = (secret: string, periods = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: school.world.now.getTime() + periods * 30_000,
  })
/** The next code: one opens once. */
const nextCode = (secret: string) => {
  school.minutesPass(0.5)
  return codeOf(secret)
}
const withSecondFactor = async (username: string) => {
  const { id, client } = await admin(username)
  const { secret } = await client.call(beginSecondFactor, { body: { currentPassword: password } })
  const { recoveryCodes } = await client.call(confirmSecondFactor, { body: { code: nextCode(secret) } })
  return { id, client, secret, recoveryCodes }
}
const attempt = (username: string, code?: string) =>
  school.visitor().call(login, { body: { username, password, code } })

const required = refusal(401, 'second_factor_required')
const wrong = refusal(401, 'second_factor_wrong')

describe('setting it up', () => {
  test('gives a secret for an app, counts once confirmed, and tells ten recovery codes', async () => {
    const { client } = await admin('cook')
    await expect(client.call(confirmSecondFactor, { body: { code: '123456' } })).rejects.toEqual(
      refusal(409, 'second_factor_not_begun'),
    )
    await expect(client.call(beginSecondFactor, { body: { currentPassword: 'not-it' } })).rejects.toEqual(
      refusal(422, 'wrong_current_password'),
    )
    const { secret, otpauthUrl } = await client.call(beginSecondFactor, {
      body: { currentPassword: password },
    })
    expect(otpauthUrl).toBe(
      `otpauth://totp/Baobab%20School:cook?issuer=Baobab%20School&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(await attempt('cook')).toMatchObject({ secondFactor: false })
    await expect(client.call(confirmSecondFactor, { body: { code: '000000' } })).rejects.toEqual(
      refusal(422, 'second_factor_code_wrong', { fields: { code: expect.any(String) } }),
    )
    const { recoveryCodes } = await client.call(confirmSecondFactor, { body: { code: codeOf(secret) } })
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const recovery of recoveryCodes) expect(recovery).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
    expect(await client.call(currentUser)).toMatchObject({ secondFactor: true })
    await expect(client.call(beginSecondFactor, { body: { currentPassword: password } })).rejects.toEqual(
      refusal(409, 'second_factor_on'),
    )
    const { rows } = await school.database.pool.query('select hash from identity.recovery_codes')
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code)
  })

  test('is for administrators', async () => {
    const { client } = await parent(school, 'mwila')
    await expect(
      client.call(beginSecondFactor, { body: { currentPassword: 'mwila-secret' } }),
    ).rejects.toEqual(refusal(403, 'second_factor_for_administrators'))
  })
})

describe('signing in with it', () => {
  test('takes a code beside the right password, each once, one period early or late', async () => {
    const { secret } = await withSecondFactor('grace')
    await expect(attempt('grace')).rejects.toEqual(required)
    await expect(attempt('grace', '000000')).rejects.toEqual(wrong)
    const code = nextCode(secret)
    expect(await attempt('grace', code)).toMatchObject({ username: 'grace' })
    await expect(attempt('grace', code)).rejects.toEqual(wrong)
    school.minutesPass(2)
    await expect(attempt('grace', codeOf(secret, -2))).rejects.toEqual(wrong)
    expect(await attempt('grace', codeOf(secret, -1))).toMatchObject({ username: 'grace' })
    expect(await attempt('grace', codeOf(secret, 1))).toMatchObject({ username: 'grace' })
    await expect(
      school
        .visitor()
        .call(login, { body: { username: 'grace', password: 'not-it', code: codeOf(secret, 1) } }),
    ).rejects.toEqual(refusal(401, 'wrong_credentials'))
  })

  test('of one code twice at once opens once', async () => {
    const { secret } = await withSecondFactor('racer')
    const code = nextCode(secret)
    const outcomes = await Promise.allSettled([attempt('racer', code), attempt('racer', code)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('takes a recovery code, once', async () => {
    const { recoveryCodes } = await withSecondFactor('kelvin')
    expect(await attempt('kelvin', ` ${recoveryCodes[3]!.toUpperCase()}`)).toMatchObject({
      username: 'kelvin',
    })
    await expect(attempt('kelvin', recoveryCodes[3])).rejects.toEqual(wrong)
    expect(await attempt('kelvin', recoveryCodes[4])).toMatchObject({ username: 'kelvin' })
  })
})

const end = (client: Client, currentPassword: string, code: string) =>
  client.call(endSecondFactor, { body: { currentPassword, code } })

describe('turning it off', () => {
  test('asks for password and code', async () => {
    const { client, secret } = await withSecondFactor('joseph')
    await expect(end(client, 'not-it', nextCode(secret))).rejects.toEqual(
      refusal(422, 'wrong_current_password'),
    )
    await expect(end(client, password, '000000')).rejects.toEqual(refusal(422, 'second_factor_code_wrong'))
    await end(client, password, nextCode(secret))
    expect(await attempt('joseph')).toMatchObject({ secondFactor: false })
    await expect(end(client, password, nextCode(secret))).rejects.toEqual(refusal(409, 'second_factor_off'))
  })

  test('another one can be set up in the same moment: codes of the last say nothing about it', async () => {
    const { client, secret } = await withSecondFactor('chileshe')
    await end(client, password, nextCode(secret))
    const { secret: another } = await client.call(beginSecondFactor, { body: { currentPassword: password } })
    await client.call(confirmSecondFactor, { body: { code: codeOf(another) } })
    expect(await attempt('chileshe', nextCode(another))).toMatchObject({ secondFactor: true })
  })

  test('superadmin does it for another who has lost it, and nobody else does', async () => {
    const { id } = await withSecondFactor('natasha')
    const { client: office } = await admin('office')
    const params = { id }
    await expect(office.call(removeSecondFactor, { params })).rejects.toEqual(refusal(403, 'superadmin_only'))
    await superadmin.call(removeSecondFactor, { params })
    expect(await attempt('natasha')).toMatchObject({ secondFactor: false })
    const { id: family } = await parent(school, 'bupe')
    await expect(superadmin.call(removeSecondFactor, { params: { id: family } })).rejects.toEqual(
      refusal(404, 'user_not_found'),
    )
  })

  test('superadmin does it for superadmin with password and code only', async () => {
    const { id } = await superadmin.call(currentUser)
    await expect(superadmin.call(removeSecondFactor, { params: { id } })).rejects.toEqual(
      refusal(403, 'own_account'),
    )
  })

  test('the reset on the machine does it for superadmin', async () => {
    const own = await startIdentity({ superadminPassword: 'superadmin-secret' })
    await own.identity.ensureSuperadmin()
    await own.database.pool.query(
      `update identity.users set "totpSecret" = 'JBSWY3DPEHPK3PXP', "totpConfirmedAt" = now()`,
    )
    const reset = await own.identity.resetSuperadmin()
    expect(await isSignedIn(await signedIn(own, 'superadmin', reset))).toBe(true)
    await own.close()
  })
})

test('setting it up, turning it off and losing it to superadmin end the sessions that were open', async () => {
  const { id, client } = await admin('elsewhere')
  const another = (code?: string) => signedIn(school, 'elsewhere', password, code)
  const earlier = await another()
  const { secret } = await client.call(beginSecondFactor, { body: { currentPassword: password } })
  await client.call(confirmSecondFactor, { body: { code: nextCode(secret) } })
  expect([await isSignedIn(earlier), await isSignedIn(client)]).toEqual([false, true])
  const later = await another(nextCode(secret))
  await client.call(endSecondFactor, { body: { currentPassword: password, code: nextCode(secret) } })
  expect([await isSignedIn(later), await isSignedIn(client)]).toEqual([false, true])
  await superadmin.call(removeSecondFactor, { params: { id } })
  expect(await isSignedIn(client)).toBe(false)
})

const stored = async (id: number): Promise<string> => {
  const { rows } = await school.database.pool.query('select "totpSecret" from identity.users where id = $1', [
    id,
  ])
  return rows[0].totpSecret
}
const store = (id: number, totpSecret: string) =>
  school.database.pool.query('update identity.users set "totpSecret" = $2 where id = $1', [id, totpSecret])

describe('its secret in the database', () => {
  test('is sealed, and opens for its own account only', async () => {
    const { id, secret } = await withSecondFactor('sealed')
    expect(await stored(id)).toMatch(/^~sealed\.1\.[\w-]{40,}$/)
    expect(await attempt('sealed', nextCode(secret))).toMatchObject({ secondFactor: true })
    const other = await withSecondFactor('robbed')
    await store(other.id, await stored(id))
    await expect(attempt('robbed', nextCode(secret))).rejects.toEqual(wrong)
  })

  test('is sealed with the newest key at a start: one in clear, and one of an older key', async () => {
    const { id, secret } = await withSecondFactor('rotated')
    const byOldKey = secondFactorSecrets(standIn({ signingKeys: ['old-key'] })).seal(id, secret)
    for (const before of [secret, byOldKey]) {
      await store(id, before)
      await school.identity.sealSecondFactors()
      const after = await stored(id)
      expect(after).not.toBe(before)
      expect(secondFactorSecrets(standIn({ signingKeys: ['new-key'] })).open(id, after)).toBe(secret)
      await school.identity.sealSecondFactors()
      expect(await stored(id)).toBe(after)
      expect(await attempt('rotated', nextCode(secret))).toMatchObject({ secondFactor: true })
    }
  })

  test('is lost with its key: recovery codes go on, and with one of them it is set up anew', async () => {
    const { id, client, secret, recoveryCodes } = await withSecondFactor('moved')
    await store(id, secondFactorSecrets(standIn({ signingKeys: ['gone-key'] })).seal(id, secret))
    await school.identity.sealSecondFactors()
    await expect(attempt('moved', nextCode(secret))).rejects.toEqual(wrong)
    expect(await attempt('moved', recoveryCodes[0])).toMatchObject({ secondFactor: true })
    await client.call(endSecondFactor, { body: { currentPassword: password, code: recoveryCodes[1]! } })
    expect(await client.call(beginSecondFactor, { body: { currentPassword: password } })).toMatchObject({
      secret: expect.any(String),
    })
  })
})

describe('the setting requireSecondFactor', () => {
  test('lets an administrator without one do nothing but set it up; families go on', async () => {
    const { client } = await admin('chola')
    const { client: family } = await parent(school, 'luyando')
    const settings = await superadmin.call(getSecurity)
    expect(settings).toMatchObject({ requireSecondFactor: false, maxChildren: 12, maxUnpaidMeals: 40 })
    await superadmin.call(saveSecurity, { body: { ...settings, requireSecondFactor: true } })
    await expect(client.call(listAdmins)).rejects.toEqual(refusal(403, 'second_factor_setup_required'))
    expect(await client.call(currentUser)).toMatchObject({ mustSetUpSecondFactor: true })
    expect(await family.call(currentUser)).toMatchObject({ mustSetUpSecondFactor: false })
    const { secret } = await client.call(beginSecondFactor, { body: { currentPassword: password } })
    await client.call(confirmSecondFactor, { body: { code: nextCode(secret) } })
    expect(await client.call(listAdmins)).not.toHaveLength(0)
    const before = { ...settings, version: undefined }
    expect(await client.call(saveSecurity, { body: before })).toEqual(settings)
  })

  test('is for whoever may change the settings', async () => {
    const { client } = await parent(school, 'thandi')
    await expect(client.call(getSecurity)).rejects.toEqual(refusal(403, 'forbidden'))
    await expect(
      superadmin.call(saveSecurity, {
        body: { requireSecondFactor: false, maxChildren: 0, maxUnpaidMeals: 40 },
      }),
    ).rejects.toEqual(refusal(422, 'validation_failed'))
  })
})
