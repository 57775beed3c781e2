import { currentUser, updateProfile } from '#contracts/identity'
import {
  confirmPhone,
  getUserMessages,
  saveUserMessages,
  verifyPhone,
  stopReminders,
} from '#contracts/messages'
import { africasTalking } from '../../src/adapters/sms'
import type { CallRefused } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { parent, refusal, verifiedParent } from '../identity/people'
import { answering, smsGateway } from '../support/sms-gateway'
import { smsSchool } from './sms-school'

describe('sms', () => {
  const setup = smsSchool()
  const { settings, codeSent, reachedBySms, message, written, nextTry } = setup

  test('a phone is verified by the six digits sent to it, and another phone is not', async () => {
    const { client } = await parent(setup.school, 'mwila', { phone: '0971 234 567' })
    const atFirst = { channel: 'mail', reminders: true, smsOffered: true, remindersOffered: false }
    const unproven = { phoneVerified: false, codeUntil: null, goesTo: [] }
    expect(await client.call(getUserMessages)).toMatchObject({ ...atFirst, ...unproven })
    const choose = () => client.call(saveUserMessages, { body: { channel: 'sms', reminders: true } })
    await expect(choose()).rejects.toEqual(refusal(409, 'phone_not_verified'))
    const confirm = (code: string) => client.call(confirmPhone, { body: { code } })
    await expect(confirm('123456')).rejects.toEqual(refusal(409, 'phone_code_not_asked'))
    await client.call(verifyPhone)
    await setup.school.runJobs()
    const [sms] = setup.gateway.takenSince()
    expect(sms).toMatchObject({ to: '+260971234567', username: 'baobab', from: 'LUNCH', apiKey: 'k' })
    expect(sms!.message).toMatch(/^\d{6} is your code for Baobab School\. It is valid for 10 minutes\.$/)
    const code = sms!.message.slice(0, 6)
    const codeUntil = new Date(setup.school.world.now.getTime() + 600_000).toISOString()
    expect(await client.call(getUserMessages)).toMatchObject({ codeUntil, goesTo: [] })
    const { rows } = await setup.school.database.pool.query('select * from identity.phone_codes')
    expect(JSON.stringify(rows)).not.toContain(code)
    await confirm(code)
    await expect(client.call(verifyPhone)).rejects.toEqual(refusal(409, 'phone_verified_already'))
    expect(await choose()).toMatchObject({
      channel: 'sms',
      phoneVerified: true,
      codeUntil: null,
      goesTo: ['sms'],
    })
    const { name } = await client.call(currentUser)
    await client.call(updateProfile, {
      body: { name, phone: '0966 000 000', currentPassword: 'mwila-secret' },
    })
    expect(await client.call(getUserMessages)).toMatchObject({ phoneVerified: false, goesTo: [] })
  })

  test('a code is of no use after five wrong ones, nor after ten minutes', async () => {
    const { client } = await parent(setup.school, 'chola', { phone: '0977 000 001' })
    const confirm = (code: string) => client.call(confirmPhone, { body: { code } })
    await client.call(verifyPhone)
    const code = await codeSent()
    const wrong = code === '000000' ? '000001' : '000000'
    const answers: unknown[] = []
    for (let tries = 0; tries < 5; tries += 1)
      answers.push(await confirm(wrong).catch((error: CallRefused) => error.body))
    expect(answers.at(0)).toMatchObject({ fields: { code: expect.stringMatching(/try 4 more times$/) } })
    expect(answers.at(-1)).toMatchObject({ message: 'This code is wrong. Please ask for a new one' })
    expect(await client.call(getUserMessages)).toMatchObject({ codeUntil: null })
    await expect(confirm(code)).rejects.toEqual(refusal(409, 'phone_code_expired'))
    await client.call(verifyPhone)
    const second = await codeSent()
    setup.school.minutesPass(10)
    await expect(confirm(second)).rejects.toEqual(refusal(409, 'phone_code_expired'))
  })

  test('codes are refused where the school sends no SMS, and for what is no phone', async () => {
    const { client } = await parent(setup.school, 'no-phone', { phone: 'ask my wife' })
    await expect(client.call(verifyPhone)).rejects.toEqual(refusal(422, 'phone_not_usable'))
    await settings({ sms: false })
    await expect(client.call(verifyPhone)).rejects.toEqual(refusal(409, 'sms_off'))
  })

  test('a message is one SMS for one cause, however often it is asked for and its job runs', async () => {
    const { id } = await reachedBySms('once')
    expect(await setup.school.messaging.messageUser(id, message, 'attempt-once')).toBe(true)
    const again = setup.school.world.queue[0]!
    expect(await setup.school.messaging.messageUser(id, message, 'attempt-once')).toBe(true)
    await setup.school.runJobs()
    setup.school.world.queue.push(again)
    await setup.school.runJobs()
    expect(setup.gateway.takenSince().map((sms) => sms.message)).toEqual([
      'Baobab School: 1 meal (Tue 15 Sept) ordered. https://lunch.example.com',
    ])
    expect(setup.school.world.mails).toEqual([])
    expect(await written(id)).toMatchObject([{ sent: true }])
  })

  test.each([
    ['fails', answering(101, 500)],
    ['names no message', (response) => void response.writeHead(201).end('{}')],
    ['says that it has failed itself', answering(500)],
    ['hangs up', (response) => void response.destroy()],
    ['does not answer', () => undefined],
  ] as [string, typeof setup.gateway.behaves][])(
    'a gateway that took the message and then %s is not handed it again',
    async (what, behaves) => {
      const { id } = await reachedBySms(`unclear-${what.length}`)
      setup.gateway.behaves = behaves
      await setup.school.messaging.messageUser(id, message, `unclear ${what}`)
      expect(await setup.school.runJobs()).toBe(1)
      setup.gateway.behaves = answering(101)
      for (const minutes of [2, 60, 1440]) await nextTry(minutes)
      expect(setup.gateway.takenSince()).toHaveLength(1)
      expect(await written(id)).toEqual([
        { sent: false, givenUp: true, unclear: true, attempts: 0, failure: expect.any(String) },
      ])
      const [shown] = await setup.school.messaging.messagesOf(setup.school.database.pool, id)
      expect(shown).toMatchObject({ channel: 'sms', state: 'unclear', failure: expect.any(String) })
    },
  )

  test('a worker that died between the answer and writing it down has sent it once', async () => {
    const { id } = await reachedBySms('died')
    setup.gateway.behaves = async (response) => {
      // Nobody waits with an open transaction; what the worker is about to write is lost, as if it had died.
      const { rows: open } = await setup.school.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      )
      expect(open).toEqual([])
      await setup.school.database.pool.query(
        `alter table messaging.mail_outbox add constraint nobody_notes check ("sentAt" is null) not valid`,
      )
      return answering(101)(response)
    }
    await setup.school.messaging.messageUser(id, message, 'died')
    expect(await setup.school.runJobs()).toBe(1)
    expect(await written(id)).toMatchObject([{ sent: false, givenUp: false }])
    await setup.school.database.pool.query('alter table messaging.mail_outbox drop constraint nobody_notes')
    setup.gateway.behaves = answering(101)
    // Another worker that looks at once may still find it being sent.
    expect(await nextTry(0.9)).toBe(0)
    expect(await written(id)).toMatchObject([{ givenUp: false }])
    await nextTry(1)
    expect(setup.gateway.takenSince()).toHaveLength(1)
    expect(await written(id)).toMatchObject([{ givenUp: true, unclear: true }])
  })

  test('what the gateway certainly has not taken is tried again, later each time', async () => {
    const { id } = await reachedBySms('refused')
    setup.gateway.behaves = answering(405)
    await setup.school.messaging.messageUser(id, message, 'refused')
    expect(await setup.school.runJobs()).toBe(1)
    expect(await nextTry(0.9)).toBe(0)
    setup.gateway.behaves = answering(101, 401)
    expect(await nextTry(0.1)).toBe(1)
    setup.gateway.behaves = answering(101)
    expect([await nextTry(1.9), setup.gateway.takenSince().length]).toEqual([0, 2])
    await nextTry(0.1)
    expect(setup.gateway.takenSince()).toHaveLength(1)
    expect(await written(id)).toMatchObject([{ sent: true, attempts: 2, failure: null }])
  })

  test('what the gateway refuses without a recipient waits, does not count, and superadmins are told once', async () => {
    const { id } = await reachedBySms('no-recipient')
    setup.gateway.behaves = (response) =>
      void response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ SMSMessageData: { Message: 'InsufficientBalance', Recipients: [] } }))
    const sentToday = async () =>
      (
        await setup.school.database.pool.query(
          'select sent from messaging.sms_days order by day desc limit 1',
        )
      ).rows[0].sent
    const before = await sentToday()
    await setup.school.messaging.messageUser(id, message, 'no-recipient')
    expect(await setup.school.runJobs()).toBe(1)
    const failure = 'the gateway took no recipient (InsufficientBalance)'
    expect(await written(id)).toMatchObject([{ sent: false, givenUp: false, unclear: false, failure }])
    expect(await sentToday()).toBe(before)
    await nextTry(1)
    const told = setup.school.world.mails.filter(({ subject }) => subject === 'The SMS gateway refuses SMS')
    expect(told).toMatchObject([{ to: 'head@example.org', text: expect.stringContaining(failure) }])
    setup.gateway.behaves = answering(101)
    await nextTry(2)
    expect(await written(id)).toMatchObject([{ sent: true, attempts: 2 }])
  })

  test('a mail that its mailbox refuses goes by SMS, with its short words', async () => {
    const { id, client } = await reachedBySms('refused-mail', { email: 'gone@example.org' })
    await client.call(saveUserMessages, { body: { channel: 'mail', reminders: true } })
    setup.gateway.takenSince()
    setup.school.world.mailServerAnswers = () =>
      Promise.reject(Object.assign(new Error('no'), { responseCode: 550, command: 'RCPT TO' }))
    const short = 'Please pay K45.50 with reference LP-1.'
    await setup.school.messaging.messageUser(id, { ...message, short }, 'refused-mail')
    await setup.school.runJobs()
    await setup.school.runJobs()
    expect(setup.gateway.takenSince()).toMatchObject([{ message: expect.stringContaining(short) }])
    expect(await setup.school.messaging.messagesOf(setup.school.database.pool, id)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'mail', state: 'given_up' }),
        expect.objectContaining({ channel: 'sms', state: 'sent' }),
      ]),
    )
    setup.school.world.mailServerAnswers = async () => {}
  })

  test('a number that the gateway will never take is not tried again', async () => {
    const { id } = await reachedBySms('never')
    setup.gateway.behaves = answering(403)
    await setup.school.messaging.messageUser(id, message, 'never')
    await setup.school.runJobs()
    await nextTry(60)
    expect(setup.gateway.takenSince()).toHaveLength(1)
    expect(await written(id)).toMatchObject([{ givenUp: true, unclear: false }])
  })

  test('with a verified phone nobody needs an address to order, where the school has said so', async () => {
    const { id, client } = await reachedBySms('phone-only')
    expect(await setup.school.identity.maySkipEmail(id)).toBe(false)
    expect((await client.call(currentUser)).contactNeeded).toBe('email')
    await settings({ orderWithPhone: true })
    expect(await setup.school.identity.maySkipEmail(id)).toBe(true)
    expect((await client.call(currentUser)).contactNeeded).toBeNull()
  })
})

test('a gateway that cannot be reached is asked again', async () => {
  const closed = await smsGateway()
  await closed.close()
  const send = africasTalking({ url: closed.url, username: 'baobab', apiKey: 'k' }).send
  const sms = { id: 'a', writtenAt: new Date(), to: '+260971234567', text: 'x' }
  expect(await send(sms)).toMatchObject({ kind: 'not-taken', forGood: false })
})

describe('message user', () => {
  let school: IdentityServer
  beforeAll(async () => {
    school = await startIdentity()
  })
  beforeEach(() => school.reset())
  afterAll(() => school.close())

  const message = {
    subject: 'How to pay',
    text: 'Please pay K45.50 for Chanda.',
    bareText: 'Please pay K45.50.',
  }

  test('a user is written a letter, once for one id', async () => {
    const { id } = await verifiedParent(school, 'mwila', { email: 'mwila@example.com' })
    school.world.mails.length = 0
    expect(await school.messaging.messageUser(id, message, 'attempt-1')).toBe(true)
    expect(await school.messaging.messageUser(id, message, 'attempt-1')).toBe(true)
    await school.runJobs()
    expect(await school.messaging.messageUser(id, message, 'attempt-1')).toBe(true)
    await school.runJobs()
    expect(school.world.mails).toEqual([
      expect.objectContaining({
        to: 'mwila@example.com',
        subject: 'How to pay',
        text: 'Dear mwila Banda,\n\nPlease pay K45.50 for Chanda.\n\nLog in at https://lunch.example.com\n\nKind regards,\nBaobab School\n',
      }),
    ])
    await school.messaging.messageUser(id, message, 'attempt-2')
    await school.runJobs()
    expect(school.world.mails).toHaveLength(2)
  })

  test('letters to several users are one job, one message each, and say who is reached', async () => {
    const mwila = await verifiedParent(school, 'mwila', { email: 'mwila@example.com' })
    const chola = await verifiedParent(school, 'chola', { email: 'chola@example.com' })
    const silent = await parent(school, 'silent')
    await school.runJobs()
    school.world.mails.length = 0
    const letters = [mwila, silent, chola, mwila].map(({ id }, index) => ({
      userId: id,
      message,
      cause: `attempt-${index}`,
    }))
    await school.messaging.messageUser(mwila.id, message, 'attempt-0')
    expect(await school.messaging.messageUsers(letters)).toEqual([true, false, true, true])
    expect(await school.messaging.messageUsers(letters)).toEqual([true, false, true, true])
    expect(school.world.queue.map(({ payload }) => payload)).toEqual([
      { mailIds: [expect.anything()] },
      { mailIds: [expect.anything(), expect.anything()] },
    ])
    await school.runJobs()
    expect(school.world.mails.map(({ to }) => to)).toEqual([
      'mwila@example.com',
      'chola@example.com',
      'mwila@example.com',
    ])
  })

  test('an address that was not verified gets a link to verify it, no name of its owner and no text that people typed', async () => {
    const { id } = await parent(school, 'mwila', { email: 'victim@example.com' })
    await school.messaging.messageUser(id, message, 'attempt-1')
    await school.runJobs()
    expect(school.world.mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Good day,\n\nplease confirm /),
      expect.stringMatching(
        /^Good day,\n\nPlease pay K45\.50\.\n\nConfirm this address: https:\S+\n\nLog in at https:\S+\n\nKind regards,\nBaobab School\n$/,
      ),
    ])
  })

  test('who has no address, or no account, is written nothing', async () => {
    const { id } = await parent(school, 'chola')
    expect(await school.messaging.messageUser(id, message, 'attempt-1')).toBe(false)
    expect(await school.messaging.messageUser(999_999, message, 'attempt-1')).toBe(false)
    expect(school.world.queue).toEqual([])
  })

  test('the link of a reminder stops it for whom it was sent to, and only by a press', async () => {
    const { id, client } = await parent(school, 'stopper')
    const link = new URL(school.identity.stopLinkOf(id))
    expect(link.href.length).toBeLessThan(60)
    const token = link.pathname.split('/').at(-1)!
    const stop = (body: { token: string }) => school.visitor().call(stopReminders, { body })
    await expect(stop({ token: `${token.slice(0, -1)}!` })).rejects.toEqual(refusal(404, 'stop_link_unknown'))
    expect(await client.call(getUserMessages)).toMatchObject({ reminders: true })
    await stop({ token })
    await stop({ token })
    expect(await client.call(getUserMessages)).toMatchObject({ reminders: false })
  })
})
