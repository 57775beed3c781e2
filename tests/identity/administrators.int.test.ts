import {
  type AdminSort,
  listAdmins,
  setPassword,
  setPermissions,
  administratorList,
  adminSorts,
} from '#contracts/accounts'
import { type FeatureName, createAdmin, featureNames, currentUser } from '#contracts/identity'
import type { QueryOf } from '#contracts/endpoint'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

describe('administrators', () => {
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
      await expect(grant(giver.client, id, ['kitchen', 'menu', 'refunds'])).rejects.toEqual(
        lacking('refunds'),
      )
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
      await expect(grant(superadmin, first!.id, [])).rejects.toEqual(
        refusal(409, 'superadmin_keeps_features'),
      )
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
})

describe('administrator list', () => {
  let school: IdentityServer
  let superadmin: Client
  const administrator = async (username: string, allowedFeatures: FeatureName[]) => {
    const password = `${username}-secret`
    await superadmin.call(createAdmin, { body: { username, password, allowedFeatures } })
  }
  beforeAll(async () => {
    school = await startIdentity({ superadminPassword: 'superadmin-secret' })
    await school.identity.ensureSuperadmin()
    superadmin = await signedIn(school, 'superadmin')
    await administrator('Wezi', ['menu', 'kitchen'])
    await administrator('abel', ['menu', 'admins'])
    await administrator('zita', ['refunds'])
    await parent(school, 'chola')
  })
  afterAll(() => school.close())
  afterEach(() => expect(school.faults()).toEqual([]))

  type Asked = QueryOf<typeof administratorList>
  const list = (query: Asked = {}, client = superadmin) => client.call(administratorList, { query })
  const names = async (query: Asked) => (await list(query)).data.map(({ username }) => username)

  const ascending: Record<AdminSort, string[]> = {
    rank: ['superadmin', 'abel', 'Wezi', 'zita'],
    username: ['abel', 'superadmin', 'Wezi', 'zita'],
    features: ['zita', 'Wezi', 'abel', 'superadmin'],
    created: ['superadmin', 'Wezi', 'abel', 'zita'],
  }

  test.each(adminSorts)(
    'administrators are sorted by %s both ways, equal ones as they were made',
    async (sort) => {
      expect(await names({ sort })).toEqual(ascending[sort])
      expect(await names({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
    },
  )

  test('without an order the page is what the whole list begins with', async () => {
    const { data, metadata } = await list()
    expect(data).toEqual(await superadmin.call(listAdmins))
    expect(metadata).toMatchObject({ total: 4, page: 1, pageSize: 50, totalPages: 1 })
    expect((await list({ page: 2 })).data).toEqual([])
  })

  test('they are found by username and by a feature, which superadmin always holds', async () => {
    expect(await names({ search: 'WEZ' })).toEqual(['Wezi'])
    expect(await names({ search: 'chola' })).toEqual([])
    expect(await names({ feature: 'menu' })).toEqual(['superadmin', 'abel', 'Wezi'])
    expect(await names({ feature: 'menu', search: 'e', sort: 'username', direction: 'desc' })).toEqual([
      'Wezi',
      'superadmin',
      'abel',
    ])
    expect((await list({ feature: 'refunds' })).metadata.total).toBe(2)
  })

  test.each([{ sort: 'id' }, { direction: 'up' }, { feature: 'none' }, { page: -1 }])(
    'a query of %j is refused',
    async (query) => {
      await expect(list(query as never)).rejects.toEqual(refusal(422, 'validation_failed'))
    },
  )

  test('what may be done with each is told to the one who asks; without the feature nothing is', async () => {
    const abel = await signedIn(school, 'abel')
    expect((await list({ search: 'wezi' }, abel)).data[0]?.allowed).toEqual({
      features: ['menu', 'admins'],
      changePassword: false,
      disable: true,
      removeSecondFactor: false,
    })
    await expect(list({}, await signedIn(school, 'zita'))).rejects.toEqual(refusal(403, 'forbidden'))
  })
})

describe('superadmin', () => {
  let school: IdentityServer
  beforeEach(async () => {
    school = await startIdentity()
  })
  afterEach(() => school.close())

  test('without a given password superadmin gets one that is told once, also when several processes start', async () => {
    const starts = await Promise.all([1, 2, 3].map(() => school.identity.ensureSuperadmin()))
    const first = starts.filter(({ created }) => created)
    expect(first).toEqual([{ created: true, password: expect.stringMatching(/^\S{14}$/) }])
    expect(starts.filter(({ created }) => !created)).toEqual([
      { created: false, password: null },
      { created: false, password: null },
    ])
    const client = await signedIn(school, 'superadmin', first[0]!.password!)
    expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
  })

  test('there is one superadmin, under whatever name: a start that finds the name free makes no second', async () => {
    await school.identity.ensureSuperadmin()
    await school.database
      .knex('identity.users')
      .where({ isSuperadmin: true })
      .update({ username: 'head', usernameKey: 'head' })
    expect(await school.identity.ensureSuperadmin()).toEqual({ created: false, password: null })
    expect(await school.database.knex('identity.users').where({ isSuperadmin: true })).toHaveLength(1)
  })

  test('a reset gives superadmin another password, to be changed at once, and ends every session', async () => {
    await expect(school.identity.resetSuperadmin()).rejects.toMatchObject({ code: 'user_not_found' })
    const { password } = await school.identity.ensureSuperadmin()
    const before = await signedIn(school, 'superadmin', password!)
    const reset = await school.identity.resetSuperadmin()
    expect(await isSignedIn(before)).toBe(false)
    await expect(signedIn(school, 'superadmin', password!)).rejects.toEqual(refusal(401, 'wrong_credentials'))
    const written = await school.database.knex('platform.changes').orderBy('seq', 'desc').first()
    expect(written).toMatchObject({
      actor: 'command:superadmin-reset',
      change: {
        kind: 'accounts',
        what: 'Password of {user:1} set on the machine, second factor off',
        old: null,
        new: null,
      },
    })
    const client = await signedIn(school, 'superadmin', reset)
    expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
  })
})
