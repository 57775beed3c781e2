import {
  createAdmin,
  register,
  forgotPassword,
  getCommunication,
  saveCommunication,
} from '#contracts/identity'
import { getMessageSettings, saveMessageSettings } from '#contracts/messages'
import { forAnyAddress } from '#kernel/meal-line'
import { mailboxOf } from '#modules/messaging/outbox.rows'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { parent, refusal, signedIn, verifiedParent } from '../identity/people'
import { eventually } from '../support/eventually'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

const nothing = () => {}
const registered = () => parent(school, 'mwila', { email: 'mwila@example.com' })
const rows = async () =>
  (
    await school.database.pool.query(
      `select id, text, attempts, "sentAt", "givenUpAt" from messaging.mail_outbox order by id`,
    )
  ).rows

/** The message as the family's page shows it. */
const shown = async () => {
  const { rows: users } = await school.database.pool.query<{ id: number }>(
    `select id from identity.users where username = 'mwila'`,
  )
  return (await school.messaging.messagesOf(school.database.pool, users[0]!.id))[0]
}

test('a mail is written with its change, sent by its job, and its text is blanked', async () => {
  await registered()
  const [mail] = await rows()
  expect(mail.text).toContain('Good day,')
  expect(school.world.queue).toEqual([
    { name: 'send-mail', payload: { mailIds: [mail.id] }, id: `mail-${mail.id}` },
  ])
  expect(await school.runJobs()).toBe(0)
  expect(school.world.mails).toEqual([expect.objectContaining({ to: 'mwila@example.com', text: mail.text })])
  expect(await rows()).toEqual([{ ...mail, text: '', sentAt: school.world.now }])
})

test('a change that is refused mails nothing', async () => {
  await registered()
  await school.runJobs()
  const body = { username: 'MWILA', password: 'a-secret', name: 'Mwila', email: 'other@example.com' }
  await expect(school.visitor().call(register, { body })).rejects.toEqual(refusal(409, 'username_taken'))
  expect([await rows(), school.world.queue]).toEqual([[expect.anything()], []])
})

/** Runs the jobs until the mail server has the first mail, and lets it wait for the answer. */
const sendingFirst = async () => {
  let answer = nothing
  let first = Promise.resolve(0)
  await new Promise<void>((isSending) => {
    school.world.mailServerAnswers = () => {
      isSending()
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    first = school.runJobs()
  })
  return { answer: () => answer(), first }
}

test('a second job for a mail sends nothing, neither while the first is sending nor afterwards', async () => {
  await registered()
  const [job] = school.world.queue
  const { answer, first } = await sendingFirst()
  school.world.queue.push(job!)
  school.world.mailServerAnswers = async () => {}
  expect(await school.runJobs()).toBe(0)
  answer()
  expect(await first).toBe(0)
  school.world.queue.push(job!)
  expect(await school.runJobs()).toBe(0)
  expect(school.world.mails).toHaveLength(1)
})

test('no transaction is open while the mail server is asked', async () => {
  await registered()
  const { answer, first } = await sendingFirst()
  const { rows: open } = await school.database.pool.query(
    `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  answer()
  expect([open, await first]).toEqual([[], 0])
})

test('a mail whose worker died while it was sent is sent once more, and the late answer changes nothing', async () => {
  await registered()
  const { answer, first } = await sendingFirst()
  school.world.mailServerAnswers = async () => {}
  const triesWithin = async (minutes: number) => {
    school.minutesPass(minutes)
    await school.sweep()
    return school.runJobs()
  }
  expect([await triesWithin(1), school.world.mails.length]).toEqual([0, 1])
  expect([await triesWithin(1), school.world.mails.length]).toEqual([0, 2])
  const [one, again] = school.world.mails
  expect(again).toEqual(one)
  const sent = await rows()
  expect(sent).toMatchObject([{ text: '', attempts: 0, sentAt: school.world.now }])
  school.minutesPass(60)
  answer()
  await first
  await school.sweep()
  expect([await rows(), school.world.queue]).toEqual([sent, []])
})

test('with the queue away the change stands, and the sweep finds its mail after half a minute', async () => {
  school.world.queueIsDown = true
  await registered()
  school.world.queueIsDown = false
  await school.sweep()
  expect(school.world.queue).toEqual([])
  school.minutesPass(0.5)
  await school.sweep()
  await school.sweep()
  expect(school.world.queue).toHaveLength(1)
  await school.runJobs()
  expect(school.world.mails).toHaveLength(1)
  school.minutesPass(60)
  await school.sweep()
  expect(school.world.queue).toEqual([])
})

test('each sweep asks with a job id of its own, so that a queue which remembers the failed one takes it', async () => {
  await registered()
  const ids = [school.world.queue[0]!.id]
  for (let round = 0; round < 2; round += 1) {
    school.minutesPass(1)
    school.world.queue.length = 0
    await school.sweep()
    ids.push(school.world.queue[0]!.id)
  }
  expect(new Set(ids).size).toBe(3)
})

test('a mail server that is away is asked again, later each time', async () => {
  school.world.mailServerIsDown = true
  await registered()
  expect(await school.runJobs()).toBe(1)
  const triesWithin = async (minutes: number) => {
    school.minutesPass(minutes)
    await school.sweep()
    return school.runJobs()
  }
  expect([await triesWithin(0.9), await triesWithin(0.1)]).toEqual([0, 1])
  expect([await triesWithin(1.9), await triesWithin(0.1)]).toEqual([0, 1])
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 3, sentAt: null })])
  expect(await shown()).toMatchObject({
    state: 'waiting',
    tries: 3,
    failure: 'the mail server cannot be reached',
  })
  school.world.mailServerIsDown = false
  expect(await triesWithin(4)).toBe(0)
  expect(school.world.mails).toHaveLength(1)
  expect(await shown()).toMatchObject({ state: 'sent', failure: null })
})

test.each([
  [{ responseCode: 450, response: '450 busy' }, 'the mail server answered 450'],
  [{ responseCode: 535, command: 'AUTH PLAIN', response: '535 5.7.8 no' }, 'the mail server answered 535'],
  [{ responseCode: 553, command: 'MAIL FROM', response: '553 sender' }, 'the mail server answered 553'],
  [
    { responseCode: 550, command: 'RCPT TO', response: '550 5.7.1 relaying denied' },
    'the mail server answered 550',
  ],
  [{ code: 'ECONNREFUSED' }, 'the mail server cannot be reached (ECONNREFUSED)'],
])('a mail server that fails with %j is told of as: %s', async (fault, failure) => {
  await registered()
  school.world.mailServerAnswers = () => Promise.reject(Object.assign(new Error('no'), fault))
  expect(await school.runJobs()).toBe(1)
  expect(await shown()).toMatchObject({ state: 'waiting', tries: 1, failure })
})

test.each([550, 551, 553, 554, 556])(
  'an address that is refused with %i is given up at once',
  async (code) => {
    await registered()
    const fault = { responseCode: code, command: 'RCPT TO', response: `${code} 5.1.1 no such user` }
    school.world.mailServerAnswers = () => Promise.reject(Object.assign(new Error('no'), fault))
    await school.runJobs()
    expect(await shown()).toMatchObject({ state: 'given_up', failure: `the mail server answered ${code}` })
    expect(await rows()).toEqual([expect.objectContaining({ text: '', givenUpAt: school.world.now })])
  },
)

test('of several mails of one job each that fails waits alone, and the others are sent', async () => {
  const users: number[] = []
  for (const username of ['mwila', 'chola', 'bwalya'])
    users.push((await parent(school, username, { email: `${username}@example.com` })).id)
  await school.runJobs()
  const message = forAnyAddress({ subject: 'Menu', text: 'It is new.' })
  await school.messaging.messageUsers(users.map((userId) => ({ userId, message, cause: `menu-${userId}` })))
  school.world.mails.length = 0
  school.world.mailServerAnswers = () =>
    school.world.mails.length === 2 ? Promise.reject(new Error('no such user')) : Promise.resolve()
  expect(await school.runJobs()).toBe(1)
  const { rows: menus } = await school.database.pool.query(
    `select "to", attempts, "sentAt" is not null as sent from messaging.mail_outbox where subject = 'Menu' order by "userId"`,
  )
  expect(menus).toEqual([
    { to: 'mwila@example.com', attempts: 0, sent: true },
    { to: 'chola@example.com', attempts: 1, sent: false },
    { to: 'bwalya@example.com', attempts: 0, sent: true },
  ])
})

test('after a day of trying it is given up, and its text is blanked', async () => {
  school.world.mailServerIsDown = true
  await registered()
  school.minutesPass(24 * 60)
  expect(await school.runJobs()).toBe(1)
  expect(await rows()).toEqual([
    expect.objectContaining({ text: '', sentAt: null, givenUpAt: school.world.now }),
  ])
  school.world.mailServerIsDown = false
  school.minutesPass(24 * 60)
  await school.sweep()
  expect(school.world.queue).toEqual([])
})

test('a mail to the superadmins stands or falls with the change that it tells of', async () => {
  await school.identity.ensureSuperadmin()
  await school.database.pool.query(
    `update identity.users set email = 'head@example.org' where "isSuperadmin"`,
  )
  const message = forAnyAddress({ subject: 'Accounts', text: 'They were changed.' })
  const changing = (fails: boolean) =>
    school.messaging.tellingSuperadmins(async (_transaction, tell) => {
      await tell(message)
      if (fails) throw new Error('The change failed')
    })
  await expect(changing(true)).rejects.toThrow('The change failed')
  expect(await rows()).toEqual([])
  school.world.queueIsDown = true
  await changing(false)
  expect(await rows()).toMatchObject([{ text: expect.stringContaining('They were changed.'), sentAt: null }])
})

const letter = (number: number) => ({
  subject: `Receipt ${number}`,
  text: `Dear child, receipt ${number}`,
  bareText: `Your payment ${number} has arrived.`,
})

const sent = async () => {
  await school.runJobs()
  return school.world.mails.splice(0)
}

const write = async (userId: number, from: number, to: number) => {
  for (let number = from; number <= to; number += 1)
    await school.messaging.messageUser(userId, letter(number), `letter-${userId}-${number}`)
}

test('five mails a day go to an address that nobody has verified, and the others in one mail the day after', async () => {
  const { id } = await parent(school, 'stranger', { email: 'victim@example.com' })
  await write(id, 1, 40)
  const atFirst = await sent()
  expect(atFirst.map(({ subject }) => subject)).toEqual([
    'Please confirm your email address for Baobab School',
    ...[1, 2, 3, 4].map((number) => `Receipt ${number}`),
  ])
  school.minutesPass(23 * 60)
  await school.sweep()
  expect(await sent()).toEqual([])
  school.minutesPass(61)
  await school.sweep()
  const [gathered, ...more] = await sent()
  expect(more).toEqual([])
  expect(gathered!.subject).toMatch(/^36 messages: Receipt \d+$/)
  for (let number = 5; number <= 40; number += 1)
    expect(gathered!.text).toContain(
      `*** Receipt ${number} ***\n\nGood day,\n\nYour payment ${number} has arrived.`,
    )
  const { rows } = await school.database.pool.query(
    `select count(*)::int as waiting from messaging.mail_outbox where "sentAt" is null`,
  )
  expect(rows).toEqual([{ waiting: 0 }])
})

test('mails of one job are counted one after another, and those that wait go as one mail', async () => {
  const { id } = await parent(school, 'stranger', { email: 'victim@example.com' })
  await sent()
  const letters = Array.from({ length: 7 }, (_, number) => ({
    userId: id,
    message: letter(number),
    cause: `letter-${number}`,
  }))
  await school.messaging.messageUsers(letters)
  const [job] = school.world.queue
  expect((await sent()).map(({ subject }) => subject)).toEqual([0, 1, 2, 3].map((n) => `Receipt ${n}`))
  school.minutesPass(24 * 60 + 1)
  school.world.queue.push(job!)
  expect((await sent()).map(({ subject }) => subject)).toEqual(['3 messages: Receipt 4'])
})

test('mails that go out at the same moment are counted too', async () => {
  const { id } = await parent(school, 'stranger', { email: 'victim@example.com' })
  await write(id, 1, 9)
  const jobs = school.world.queue.splice(0)
  const answers: (() => void)[] = []
  school.world.mailServerAnswers = () => new Promise((resolve) => void answers.push(resolve))
  const handle = school.messaging.jobs.find(({ job }) => job.name === 'send-mail')!.handle
  const sending = jobs.map(({ payload, id: jobId }) => handle(payload, { jobId, attempt: 1 }))
  await eventually(async () => {
    const { rows } = await school.database.pool.query(
      `select count(*)::int as held from messaging.mail_outbox where held`,
    )
    return rows[0].held === 5
  })
  expect(school.world.mails).toHaveLength(5)
  school.world.mailServerAnswers = async () => {}
  for (const answer of answers) answer()
  await Promise.all(sending)
  expect(school.world.mails).toHaveLength(5)
})

test('the address is one mailbox, whoever registers with it and however it is written', async () => {
  const ids: number[] = []
  for (const [index, email] of [
    'v.ictim@gmail.com',
    'victim+1@gmail.com',
    'VICTIM+2@googlemail.com',
  ].entries())
    ids.push((await parent(school, `stranger.${index}`, { email })).id)
  for (const id of ids) await write(id, 1, 4)
  expect(await sent()).toHaveLength(5)
})

test('an account has five of the mails that prove or guard it, and all accounts of a mailbox have ten', async () => {
  for (const username of ['one', 'two', 'three'])
    await parent(school, username, { email: 'victim@example.com' })
  for (let round = 0; round < 8; round += 1) {
    for (const identifier of ['one', 'two', 'three'])
      await school.visitor().call(forgotPassword, { body: { identifier } })
    await school.runJobs()
    school.minutesPass(6)
  }
  const mails = await sent()
  expect(mails.filter(({ subject }) => subject.startsWith('Please confirm'))).toHaveLength(3)
  expect(mails.filter(({ subject }) => subject.startsWith('Your temporary'))).toHaveLength(7)
})

test('who has verified the address gets every mail at once, beside a stranger who typed it', async () => {
  const { id } = await verifiedParent(school, 'owner', { email: 'owner@example.com' })
  const stranger = await parent(school, 'stranger', { email: 'owner@example.com' })
  await sent()
  await write(stranger.id, 1, 9)
  await write(id, 11, 22)
  const subjects = (await sent()).map(({ subject }) => subject)
  expect(subjects.filter((subject) => /Receipt \d$/.test(subject)).length).toBeLessThanOrEqual(5)
  expect(subjects.filter((subject) => /Receipt [12]\d$/.test(subject))).toHaveLength(12)
})

test('mail to the school’s own address is not counted', async () => {
  await school.database.pool.query(`update messaging.communication set "supportEmail" = 'office@example.com'`)
  const { id } = await parent(school, 'office-friend', { email: 'office@example.com' })
  await write(id, 1, 9)
  expect(await sent()).toHaveLength(10)
  await school.database.pool.query(`update messaging.communication set "supportEmail" = ''`)
})

test.each([
  [' Mwila@Example.COM ', 'mwila@example.com'],
  ['m.w.ila+lunch@gmail.com', 'mwila@gmail.com'],
  ['m.wila+lunch@example.com', 'm.wila@example.com'],
  ['+@example.com', '+@example.com'],
  ['+260971234567', '+260971234567'],
])('%s is the mailbox %s', (to, mailbox) => expect(mailboxOf(to)).toBe(mailbox))

test('superadmin is told who changed whom families and reports are written to, without the values', async () => {
  const { password } = await school.identity.ensureSuperadmin()
  await school.database
    .knex('identity.users')
    .where({ isSuperadmin: true })
    .update({ email: 'head@example.org', emailVerifiedAt: school.world.now, mustChangePassword: false })
  const superadmin = await signedIn(school, 'superadmin', password!)
  const username = 'teller-of-settings'
  const body = { username, password: `${username}-secret`, allowedFeatures: ['settings' as const] }
  await superadmin.call(createAdmin, { body })
  const office = await signedIn(school, username)
  const told = async (change: () => Promise<unknown>) => {
    await school.runJobs()
    school.world.mails.length = 0
    await change()
    await school.runJobs()
    for (const { to, text } of school.world.mails) {
      expect(to).toBe('head@example.org')
      expect(text).toContain('changed by teller-of-settings.')
      expect(text).not.toMatch(/thief|26097999/)
    }
    return school.world.mails.map(({ subject }) => subject)
  }
  const { version: _version, ...before } = await office.call(getCommunication)
  const save = (change: object) => office.call(saveCommunication, { body: { ...before, ...change } })
  expect(await told(() => save({ supportEmail: 'thief@example.com' }))).toEqual([
    'The support email address was changed',
  ])
  expect(await told(() => save({ supportEmail: 'thief@example.com', whatsappNumber: '260979999' }))).toEqual([
    'The WhatsApp number was changed',
  ])
  expect(await told(() => save({ supportEmail: 'thief@example.com', whatsappNumber: '260979999' }))).toEqual(
    [],
  )
  const { sms, dailyCeiling, orderWithPhone, reminders } = await office.call(getMessageSettings)
  const messages = { sms, dailyCeiling, orderWithPhone, reminders, dailyReport: ['thief@example.com'] }
  expect(await told(() => office.call(saveMessageSettings, { body: messages }))).toEqual([
    'Who gets the daily report was changed',
  ])
  expect(await told(() => office.call(saveMessageSettings, { body: messages }))).toEqual([])
  await save({})
})
