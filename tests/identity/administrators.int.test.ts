import { listAdmins, setPassword, setPermissions } from '#contracts/accounts'
import { createAdmin, featureNames, type FeatureName } from '#contracts/identity'
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

const administrator = async (username: string, allowedFeatures: FeatureName[]) => {
  const { id } = await superadmin.call(createAdmin, {
    body: { username, password: `${username}-secret`, allowedFeatures },
  })
  return { id, client: await signedIn(school, username) }
}
const listed = async (client: Client, id: number) =>
  (await client.call(listAdmins)).find((one) => one.id === id)!
const grant = (client: Client, id: number, features: FeatureName[]) =>
  client.call(setPermissions, { params: { id }, body: { features } })
const give = (client: Client, id: number, password = 'another-secret') =>
  client.call(setPassword, { params: { id }, body: { password } })

const lacking = (features: string) =>
  refusal(403, 'feature_not_held', {
    message: `You cannot give or take features you do not hold: ${features}`,
  })

describe('the list', () => {
  test('has administrators alone, superadmin first with everything, and what may be done with each', async () => {
    const office = await administrator('office', ['admins', 'menu'])
    const cook = await administrator('cook', ['kitchen'])
    await parent(school, 'chola')
    const [first, ...others] = await office.client.call(listAdmins)
    expect(first).toEqual({
      id: expect.any(Number),
      username: 'superadmin',
      role: 'admin',
      isSuperadmin: true,
      allowedFeatures: featureNames,
      disabled: false,
      secondFactor: false,
      allowed: { features: [], changePassword: false, disable: false, removeSecondFactor: false },
    })
    expect(others.map(({ username }) => username)).toEqual(['cook', 'office'])
    expect((await listed(office.client, cook.id)).allowed).toEqual({
      features: ['menu', 'admins'],
      changePassword: false,
      disable: true,
      removeSecondFactor: false,
    })
    expect((await listed(office.client, office.id)).allowed.features).toEqual([])
    expect((await listed(superadmin, cook.id)).allowed).toEqual({
      features: featureNames,
      changePassword: true,
      disable: true,
      removeSecondFactor: false,
    })
  })
})

describe('permissions', () => {
  test('superadmin gives and takes every feature', async () => {
    const { id, client } = await administrator('bwalya', ['menu'])
    expect(await grant(superadmin, id, ['kitchen', 'refunds'])).toMatchObject({
      allowedFeatures: ['kitchen', 'refunds'],
    })
    await expect(client.call(listAdmins)).rejects.toEqual(refusal(403, 'forbidden'))
  })

  test('another administrator only those they hold; what they lack stays as it was', async () => {
    const giver = await administrator('giver', ['admins', 'menu'])
    const { id } = await administrator('taker', ['kitchen'])
    expect(await grant(giver.client, id, ['kitchen', 'menu'])).toMatchObject({
      allowedFeatures: ['kitchen', 'menu'],
    })
    await expect(grant(giver.client, id, ['menu'])).rejects.toEqual(lacking('kitchen'))
    await expect(grant(giver.client, id, ['kitchen', 'menu', 'refunds'])).rejects.toEqual(lacking('refunds'))
    expect((await listed(superadmin, id)).allowedFeatures).toEqual(['kitchen', 'menu'])
  })

  test('nobody changes their own, and superadmin keeps all', async () => {
    const { id, client } = await administrator('selfish', ['admins', 'menu'])
    await expect(grant(client, id, ['admins'])).rejects.toEqual(
      refusal(403, 'own_permissions', {
        message: 'You cannot modify your own permissions. Contact another admin for permission changes.',
      }),
    )
    const [first] = await superadmin.call(listAdmins)
    await expect(grant(superadmin, first!.id, [])).rejects.toEqual(refusal(409, 'superadmin_keeps_features'))
  })

  test('a parent is no administrator', async () => {
    const { id } = await parent(school, 'mulenga')
    await expect(grant(superadmin, id, ['menu'])).rejects.toEqual(
      refusal(404, 'user_not_found', { message: 'User not found' }),
    )
  })
})

describe('a new password', () => {
  test('of a parent is given by who keeps parents; the parent is signed out and signs in with it', async () => {
    const { client: family, id } = await parent(school, 'bupe')
    const { client } = await administrator('registrar', ['parents_students'])
    expect(await give(client, id)).toEqual({ message: 'Password updated successfully' })
    expect(await isSignedIn(family)).toBe(false)
    expect(await isSignedIn(await signedIn(school, 'bupe', 'another-secret'))).toBe(true)
    await expect(signedIn(school, 'bupe')).rejects.toEqual(refusal(401, 'wrong_credentials'))
  })

  test('of an administrator only superadmin gives, who keeps the session when it is their own', async () => {
    const { id } = await administrator('colleague', ['menu'])
    const { client } = await administrator('boss', ['admins'])
    await expect(give(client, id)).rejects.toEqual(refusal(403, 'password_of_administrator'))
    await give(superadmin, id)
    await signedIn(school, 'colleague', 'another-secret')
    const [self] = await superadmin.call(listAdmins)
    const own = (currentPassword?: string) =>
      superadmin.call(setPassword, {
        params: { id: self!.id },
        body: { password: 'superadmin-another', currentPassword },
      })
    const asksForIt = refusal(422, 'wrong_current_password', {
      fields: { currentPassword: expect.any(String) },
    })
    for (const guess of [undefined, '', 'a-guess']) await expect(own(guess)).rejects.toEqual(asksForIt)
    await own('superadmin-secret')
    expect(await isSignedIn(superadmin)).toBe(true)
  })

  test('is at least 6 characters and for somebody', async () => {
    await expect(give(superadmin, 999_999)).rejects.toEqual(refusal(404, 'user_not_found'))
    const { id } = await parent(school, 'short')
    await expect(give(superadmin, id, '12345')).rejects.toEqual(
      refusal(422, 'validation_failed', { fields: { password: 'Password must be at least 6 characters' } }),
    )
  })
})
