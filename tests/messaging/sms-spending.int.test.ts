import { forgotPassword } from '#contracts/identity'
import {
  type MessageSettings,
  confirmPhone,
  getUserMessages,
  saveMessageSettings,
  saveUserMessages,
  verifyPhone,
} from '#contracts/messages'
import { africasTalking } from '../../src/adapters/sms'
import { answering, smsGateway } from '../support/sms-gateway'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { parent, refusal, signedIn } from '../identity/people'

let gateway: Awaited<ReturnType<typeof smsGateway>>
let school: IdentityServer
beforeAll(async () => {
  gateway = await smsGateway()
  const sms = africasTalking({
    url: gateway.url,
    username: 'baobab',
    apiKey: 'k',
    from: 'LUNCH',
    timeoutMs: 1_000,
  })
  school = await startIdentity({ sms, superadminPassword: 'a-long-password' })
  await school.identity.ensureSuperadmin()
  await school.database.pool.query(
    `update identity.users set email = 'head@example.org' where "isSuperadmin"`,
  )
})
afterAll(async () => {
  await school.close()
  await gateway.close()
})
beforeEach(async () => {
  gateway.behaves = answering(101)
  await settings({})
  await school.runJobs()
  gateway.takenSince()
  school.world.mails.length = 0
})

/** Days pass here, and an administrator's session ends within one. */
const settings = async (more: Partial<MessageSettings>) => {
  const office = await signedIn(school, 'superadmin', 'a-long-password')
  return office.call(saveMessageSettings, {
    body: { sms: true, dailyCeiling: 1_000, orderWithPhone: false, reminders: false, ...more },
  })
}

const codeSent = async () => {
  await school.runJobs()
  return /^\d{6}/.exec(gateway.takenSince().at(-1)!.message)![0]
}

/** Somebody with a verified phone who wants SMS. */
const reachedBySms = async (username: string, more: { email?: string } = {}) => {
  const family = await parent(school, username, { phone: '0971 234 567', ...more })
  await family.client.call(verifyPhone)
  await family.client.call(confirmPhone, { body: { code: await codeSent() } })
  await family.client.call(saveUserMessages, { body: { channel: 'sms', reminders: true } })
  await school.runJobs()
  school.world.mails.length = 0
  return family
}

const message = {
  subject: 'Your meals are ordered',
  text: 'Nshima for Chanda',
  bareText: 'A meal',
  short: '1 meal (Tue 15 Sept) ordered.',
}
const written = async (userId: number) =>
  (
    await school.database.pool.query(
      `select "sentAt" is not null as sent, "givenUpAt" is not null as "givenUp", unclear, attempts, failure
       from identity.mail_outbox where "userId" = $1 and channel = 'sms' and subject = $2`,
      [userId, message.subject],
    )
  ).rows

const nextTry = async (minutes: number) => {
  school.minutesPass(minutes)
  await school.sweep()
  return school.runJobs()
}

/** A tenth of a day is kept for temporary passwords. */
const withRoomFor = (messages: number) => {
  let ceiling = messages
  while (ceiling - Math.ceil(ceiling / 10) < messages) ceiling += 1
  return ceiling
}

test('switching SMS on asks for a ceiling', async () => {
  const without = settings({ dailyCeiling: null })
  const message = 'Enter how many SMS a day the school pays for at most'
  await expect(without).rejects.toEqual(
    refusal(422, 'validation_failed', { fields: { dailyCeiling: message } }),
  )
  expect(await settings({ sms: false, dailyCeiling: null })).toMatchObject({ sms: false, dailyCeiling: null })
})

test('SMS go to numbers of Zambia alone, unless the school allows others', async () => {
  const { client, id } = await parent(school, 'abroad', { phone: '+27 82 123 4567' })
  await expect(client.call(verifyPhone)).rejects.toEqual(refusal(422, 'phone_not_usable'))
  expect(await settings({ otherCountries: true })).toMatchObject({ otherCountries: true })
  // What is left out stays.
  expect(await settings({})).toMatchObject({ otherCountries: true })
  await client.call(verifyPhone)
  await client.call(confirmPhone, { body: { code: await codeSent() } })
  await client.call(saveUserMessages, { body: { channel: 'sms', reminders: true } })
  await school.messaging.messageUser(id, message, 'abroad-1')
  await settings({ otherCountries: false })
  await school.runJobs()
  expect(gateway.takenSince()).toEqual([])
  expect(await written(id)).toMatchObject([
    { givenUp: true, failure: 'the school sends no SMS to other countries' },
  ])
  expect(await client.call(getUserMessages)).toMatchObject({ goesTo: [] })
})

test('a day’s last SMS are kept for temporary passwords, and codes have half of the others', async () => {
  school.minutesPass(24 * 60)
  const family = await reachedBySms('forgetful')
  await settings({ dailyCeiling: 10 })
  for (let round = 0; round < 10; round += 1)
    await school.messaging.messageUser(family.id, message, `flood-${round}`)
  await school.runJobs()
  // One was the code that proved the phone.
  expect(gateway.takenSince()).toHaveLength(8)
  await school.visitor().call(forgotPassword, { body: { identifier: 'forgetful' } })
  await school.runJobs()
  expect(gateway.takenSince().map(({ message: text }) => text)).toEqual([
    expect.stringContaining('is a temporary password for forgetful'),
  ])
  const others = await Promise.all(
    [1, 2, 3, 4, 5].map((one) => parent(school, `code-${one}`, { phone: `097700020${one}` })),
  )
  await settings({ dailyCeiling: 10 })
  await school.database.pool.query('update identity.sms_days set sent = 0')
  const asked = await Promise.allSettled(others.map(({ client }) => client.call(verifyPhone)))
  // Five are the share of nine, and one of them was the family's.
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: refusal(409, 'sms_ceiling_reached'),
  })
  // What was too much for the day goes out on the next.
  await nextTry(24 * 60)
  expect(gateway.takenSince().filter(({ message: text }) => text.includes('1 meal'))).toHaveLength(2)
})

test('above the daily ceiling whoever has an address is mailed, the rest waits, and superadmins hear it once', async () => {
  school.minutesPass(24 * 60)
  const mailed = await reachedBySms('mailed', { email: 'mailed@example.org' })
  const waiting = await reachedBySms('waiting')
  const { sentToday, sentIn30Days } = await settings({})
  await settings({ dailyCeiling: withRoomFor(sentToday + 1) })
  await school.messaging.messageUser(waiting.id, message, 'ceiling-1')
  await school.runJobs()
  expect(gateway.takenSince()).toHaveLength(1)
  await school.messaging.messageUser(mailed.id, message, 'ceiling-2')
  await school.messaging.messageUser(waiting.id, message, 'ceiling-3')
  await school.messaging.messageUser(waiting.id, message, 'ceiling-4')
  await school.runJobs()
  await nextTry(1)
  expect(gateway.takenSince()).toEqual([])
  expect(school.world.mails.map(({ to }) => to).toSorted()).toEqual([
    'head@example.org',
    'mailed@example.org',
  ])
  await settings({ dailyCeiling: 100 })
  school.world.now = new Date(school.world.now.getTime() + 24 * 3_600_000)
  await nextTry(24 * 60)
  expect(gateway.takenSince()).toHaveLength(2)
  expect(await settings({})).toMatchObject({
    smsAvailable: true,
    sentToday: 2,
    sentIn30Days: sentIn30Days + 3,
  })
})
