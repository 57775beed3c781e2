import { forgotPassword } from '#contracts/identity'
import { mailboxOf } from '#modules/messaging/outbox.rows'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { eventually } from '../support/eventually'
import { parent, verifiedParent } from '../identity/people'

let school: IdentityServer
beforeEach(async () => {
  school = await startIdentity()
})
afterEach(() => school.close())

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
    `select count(*)::int as waiting from identity.mail_outbox where "sentAt" is null`,
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
      `select count(*)::int as held from identity.mail_outbox where held`,
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
  await school.database.pool.query(`update identity.communication set "supportEmail" = 'office@example.com'`)
  const { id } = await parent(school, 'office-friend', { email: 'office@example.com' })
  await write(id, 1, 9)
  expect(await sent()).toHaveLength(10)
})

test.each([
  [' Mwila@Example.COM ', 'mwila@example.com'],
  ['m.w.ila+lunch@gmail.com', 'mwila@gmail.com'],
  ['m.wila+lunch@example.com', 'm.wila@example.com'],
  ['+@example.com', '+@example.com'],
  ['+260971234567', '+260971234567'],
])('%s is the mailbox %s', (to, mailbox) => expect(mailboxOf(to)).toBe(mailbox))
