import {
  type AdminSort,
  listAdmins,
  setPassword,
  setPermissions,
  updateParent,
  administratorList,
  adminSorts,
} from '#contracts/accounts'
import type { QueryOf } from '#contracts/endpoint'
import {
  type FeatureName,
  createAdmin,
  beginSecondFactor,
  listStudents,
  updateProfile,
  featureNames,
  currentUser,
  contact,
  getCommunication,
  portal,
  saveCommunication,
} from '#contracts/identity'
import { getMessageSettings, saveMessageSettings } from '#contracts/messages'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn, verifiedParent } from './people'

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
        version: expect.any(String),
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

    test('is told to its owner without it, who must choose another before anything else', async () => {
      const email = 'musonda@example.org'
      const { id } = await verifiedParent(school, 'musonda', { email })
      const told = async () => {
        await school.runJobs()
        return school.world.mails.splice(0).map(({ to, subject, text }) => ({ to, subject, text }))
      }
      const { client } = await administrator('registrar.two', ['parents_students'])
      await give(client, id)
      const subject = 'The school has set a new password for your account'
      const [mail, ...others] = await told()
      expect([mail, others]).toEqual([{ to: email, subject, text: expect.any(String) }, []])
      expect(mail!.text).not.toContain('another-secret')
      const asMusonda = await signedIn(school, 'musonda', 'another-secret')
      expect(await asMusonda.call(currentUser)).toMatchObject({ mustChangePassword: true })
      const demanded = refusal(403, 'password_change_required')
      await expect(asMusonda.call(listStudents)).rejects.toEqual(demanded)
      await expect(
        asMusonda.call(beginSecondFactor, { body: { currentPassword: 'another-secret' } }),
      ).rejects.toEqual(demanded)
      const own = { newPassword: 'musonda-own-9', confirmPassword: 'musonda-own-9' }
      await asMusonda.call(updateProfile, { body: { name: 'Musonda', ...own } })
      expect(await asMusonda.call(listStudents)).toEqual([])

      const body = { username: 'musonda', name: 'Musonda', password: 'given-with-contact' }
      await client.call(updateParent, { params: { id }, body: { ...body, email: 'office@example.org' } })
      expect((await told()).filter((one) => one.subject === subject)).toMatchObject([{ to: email }])
      const again = await signedIn(school, 'musonda', body.password)
      await expect(again.call(listStudents)).rejects.toEqual(demanded)
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
  beforeAll(async () => {
    school = await startIdentity()
  })
  beforeEach(() => school.reset())
  afterAll(() => school.close())

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
    const { id } = await school.database.knex('identity.users').first('id')
    const written = await school.database.knex('platform.changes').orderBy('seq', 'desc').first()
    expect(written).toMatchObject({
      actor: 'command:superadmin-reset',
      change: {
        kind: 'accounts',
        what: `Password of {user:${id}} set on the machine, second factor off`,
        old: null,
        new: null,
      },
    })
    const client = await signedIn(school, 'superadmin', reset)
    expect(await client.call(currentUser)).toMatchObject({ mustChangePassword: true })
  })
})

describe('the school', () => {
  let school: IdentityServer
  let superadmin: Client
  beforeAll(async () => {
    school = await startIdentity({ superadminPassword: 'superadmin-secret' })
    await school.identity.ensureSuperadmin()
    superadmin = await signedIn(school, 'superadmin')
  })
  afterAll(() => school.close())
  afterEach(() => expect(school.faults()).toEqual([]))

  const admin = async (username: string, ...allowedFeatures: (typeof featureNames)[number][]) => {
    await superadmin.call(createAdmin, {
      body: { username, password: `${username}-secret`, allowedFeatures },
    })
    return signedIn(school, username)
  }

  test('the portal tells anyone which school this is', async () => {
    expect(await school.visitor().call(portal)).toEqual({
      schoolName: 'Baobab School',
      timezone: 'Africa/Lusaka',
      demo: false,
      now: school.world.now.toISOString(),
    })
  })

  const securityText = () => school.visitor().fetch('/.well-known/security.txt', {})

  describe('where to tell of weaknesses', () => {
    test('is not told while the school has given no address', async () => {
      expect((await securityText()).status).toBe(404)
    })

    test('is the support address, good for half a year', async () => {
      const office = await admin('security.office', 'settings')
      const settings = { supportEmail: 'help@school.example', whatsappNumber: '' }
      await office.call(saveCommunication, { body: settings })
      const answer = await securityText()
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect((await answer.text()).split('\n')).toEqual([
        'Contact: mailto:help@school.example',
        `Expires: ${new Date(school.world.now.getTime() + 180 * 86_400_000).toISOString()}`,
        'Preferred-Languages: en',
        '',
      ])
      await office.call(saveCommunication, { body: { ...settings, supportEmail: '' } })
    })
  })

  describe('contacting the school', () => {
    const message = { name: 'Mwila Banda', email: 'mwila@example.com', message: 'Is there soup on Friday?' }

    test('is refused clearly while the school has given no address', async () => {
      const { client } = await parent(school, 'early')
      await expect(client.call(contact, { body: message })).rejects.toEqual(
        refusal(409, 'contact_unavailable', {
          message: 'The school has not set a support email address yet. Please contact the school office.',
        }),
      )
      expect(school.world.queue).toEqual([])
    })

    test('mails the support address, and answers go to the sender', async () => {
      await superadmin.call(saveCommunication, {
        body: { supportEmail: 'office@example.com', whatsappNumber: '260971000000' },
      })
      const { client } = await parent(school, 'mwila')
      expect(await client.call(contact, { body: message })).toEqual({ message: 'Message sent successfully' })
      await school.runJobs()
      expect(school.world.mails.at(-1)).toMatchObject({
        to: 'office@example.com',
        replyTo: 'mwila@example.com',
        subject: 'Message from Mwila Banda to Baobab School',
        text: 'Mwila Banda (username mwila, mwila@example.com) wrote:\n\nIs there soup on Friday?\n',
      })
    })

    test('needs a name, an address, ten characters and a sign-in', async () => {
      const { client } = await parent(school, 'brief')
      await expect(
        client.call(contact, { body: { name: ' ', email: 'no', message: '  too short ' } }),
      ).rejects.toEqual(
        refusal(422, 'validation_failed', {
          fields: {
            name: 'Name is required',
            email: 'Please enter a valid email address',
            message: 'Message must be at least 10 characters long',
          },
        }),
      )
      await expect(school.visitor().call(contact, { body: message })).rejects.toEqual(
        refusal(401, 'not_signed_in'),
      )
    })
  })

  describe('communication settings', () => {
    const settings = { supportEmail: 'help@example.com', whatsappNumber: '260971111111' }

    test('are saved by who holds settings and read by everybody signed in', async () => {
      const office = await admin('settings-office', 'settings')
      expect(await office.call(saveCommunication, { body: settings })).toMatchObject(settings)
      const { client } = await parent(school, 'reader')
      expect(await client.call(getCommunication)).toMatchObject(settings)
      const none = { supportEmail: '', whatsappNumber: '' }
      expect(await office.call(saveCommunication, { body: none })).toMatchObject(none)
      expect(await client.call(getCommunication)).toMatchObject(none)
    })

    test('are refused to others', async () => {
      const { client } = await parent(school, 'curious')
      const kitchen = await admin('kitchen', 'kitchen')
      for (const somebody of [client, kitchen])
        await expect(somebody.call(saveCommunication, { body: settings })).rejects.toEqual(
          refusal(403, 'forbidden'),
        )
      await expect(school.visitor().call(getCommunication)).rejects.toEqual(refusal(401, 'not_signed_in'))
    })

    test('take a real email address or none', async () => {
      await expect(
        superadmin.call(saveCommunication, { body: { supportEmail: 'office', whatsappNumber: '' } }),
      ).rejects.toEqual(
        refusal(422, 'validation_failed', { fields: { supportEmail: 'Please enter a valid email address' } }),
      )
    })
  })

  test('SMS are not switched on where no gateway is set up, and nothing is saved', async () => {
    const before = await superadmin.call(getMessageSettings)
    expect(before).toMatchObject({ smsAvailable: false, sms: false })
    const body = { sms: true, dailyCeiling: 1_000, orderWithPhone: false, reminders: !before.reminders }
    await expect(superadmin.call(saveMessageSettings, { body })).rejects.toEqual(
      refusal(409, 'sms_unavailable', {
        message: 'SMS cannot be switched on: this installation has no SMS gateway',
      }),
    )
    expect(await superadmin.call(getMessageSettings)).toEqual(before)
  })

  const make = (username: string, password = 'long-enough') =>
    superadmin.call(createAdmin, { body: { username, password, allowedFeatures: [] } })

  describe('making administrators', () => {
    test('hands out features that the maker holds', async () => {
      const deputy = await admin('deputy', 'admins', 'menu')
      const made = await deputy.call(createAdmin, {
        body: { username: 'cook', password: 'cook-secret', allowedFeatures: ['menu', 'menu'] },
      })
      expect(made).toEqual({
        id: expect.any(Number),
        username: 'cook',
        role: 'admin',
        allowedFeatures: ['menu'],
      })
      const cook = await signedIn(school, 'cook')
      expect(await cook.call(currentUser)).toMatchObject({
        role: 'admin',
        isSuperadmin: false,
        allowedFeatures: ['menu'],
      })
    })

    test('refuses features that the maker lacks, and makes nobody', async () => {
      const deputy = await admin('deputy2', 'admins')
      await expect(
        deputy.call(createAdmin, {
          body: { username: 'thief', password: 'thief-secret', allowedFeatures: ['refunds'] },
        }),
      ).rejects.toEqual(refusal(403, 'feature_not_held'))
      await expect(signedIn(school, 'thief')).rejects.toEqual(refusal(401, 'wrong_credentials'))
    })

    test('is not for administrators without the feature, nor for parents', async () => {
      const body = { username: 'nobody', password: 'nobody-secret', allowedFeatures: [] }
      const { client } = await parent(school, 'ambitious')
      for (const somebody of [client, await admin('menu-only', 'menu')])
        await expect(somebody.call(createAdmin, { body })).rejects.toEqual(refusal(403, 'forbidden'))
    })

    test('keeps usernames unique and long enough', async () => {
      await parent(school, 'taken')
      await expect(make('TAKEN')).rejects.toEqual(refusal(409, 'username_taken'))
      await expect(make('SuperAdmin')).rejects.toEqual(refusal(409, 'username_taken'))
      await expect(make('ab', 'short')).rejects.toEqual(
        refusal(422, 'validation_failed', {
          fields: {
            username: 'Username must be at least 3 characters',
            password: 'Password must be at least 6 characters',
          },
        }),
      )
    })
  })

  describe('superadmin', () => {
    test('holds every feature there is', async () => {
      expect(await superadmin.call(currentUser)).toMatchObject({
        username: 'superadmin',
        role: 'admin',
        isSuperadmin: true,
        allowedFeatures: [...featureNames],
      })
    })

    test('is made once, with the given password, which is not told again', async () => {
      expect(await school.identity.ensureSuperadmin()).toEqual({ created: false, password: null })
      expect(await signedIn(school, 'superadmin')).toBeDefined()
    })
  })
})
