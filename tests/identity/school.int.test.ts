import {
  contact,
  createAdmin,
  currentUser,
  featureNames,
  getCommunication,
  portal,
  saveCommunication,
} from '#contracts/identity'
import { getMessageSettings, saveMessageSettings } from '#contracts/messages'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal, signedIn } from './people'

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
  await superadmin.call(createAdmin, { body: { username, password: `${username}-secret`, allowedFeatures } })
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
    expect(await office.call(saveCommunication, { body: settings })).toEqual(settings)
    const { client } = await parent(school, 'reader')
    expect(await client.call(getCommunication)).toEqual(settings)
    const none = { supportEmail: '', whatsappNumber: '' }
    expect(await office.call(saveCommunication, { body: none })).toEqual(none)
    expect(await client.call(getCommunication)).toEqual(none)
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

  test('take a real e-mail address or none', async () => {
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
