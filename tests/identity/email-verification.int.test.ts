import { currentUser, sendVerification, updateProfile, verifyEmail } from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal } from './people'

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

describe('an e-mail address', () => {
  test('is verified by a press on the page of the link that registration mails, once or twice', async () => {
    const { client, link } = await registeredWith('luyando')
    expect([link.origin, link.pathname]).toEqual(['https://lunch.example.com', '/verify-email'])
    expect(await isVerified(client)).toBe(false)
    await press(client, link)
    await press(client, link)
    expect(await isVerified(client)).toBe(true)
  })

  test.each(['GET', 'HEAD', 'PUT'])('is not verified by a %s, with a session or without', async (method) => {
    const { client, link } = await registeredWith(`scanned.${method.toLowerCase()}`)
    for (const who of [client, school.visitor()])
      for (const path of ['/verify-email', '/api/email-verification']) {
        const answer = await who.fetch(`${path}${link.search}`, { method })
        expect([404, 405]).toContain(answer.status)
      }
    expect(await isVerified(client)).toBe(false)
  })

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
