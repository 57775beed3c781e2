import { register } from '#contracts/identity'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { parent, refusal } from '../identity/people'

let school: IdentityServer
beforeEach(async () => {
  school = await startIdentity()
})
afterEach(() => school.close())

const nothing = () => {}
const registered = () => parent(school, 'mwila', { email: 'mwila@example.com' })
const rows = async () =>
  (
    await school.database.pool.query(
      `select id, text, attempts, "sentAt", "givenUpAt" from identity.mail_outbox order by id`,
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
  [{ responseCode: 550, response: '550 no such user' }, 'the mail server answered 550'],
  [{ code: 'ECONNREFUSED' }, 'the mail server cannot be reached (ECONNREFUSED)'],
])('a mail server that fails with %j is told of as: %s', async (fault, failure) => {
  await registered()
  school.world.mailServerAnswers = () => Promise.reject(Object.assign(new Error('no'), fault))
  expect(await school.runJobs()).toBe(1)
  expect(await shown()).toMatchObject({ state: 'waiting', tries: 1, failure })
})

test('of several mails of one job each that fails waits alone, and the others are sent', async () => {
  const users: number[] = []
  for (const username of ['mwila', 'chola', 'bwalya'])
    users.push((await parent(school, username, { email: `${username}@example.com` })).id)
  await school.runJobs()
  const message = { subject: 'Menu', text: 'It is new.', bareText: 'It is new.' }
  await school.messaging.messageUsers(users.map((userId) => ({ userId, message, cause: `menu-${userId}` })))
  school.world.mails.length = 0
  school.world.mailServerAnswers = () =>
    school.world.mails.length === 2 ? Promise.reject(new Error('no such user')) : Promise.resolve()
  expect(await school.runJobs()).toBe(1)
  const { rows: menus } = await school.database.pool.query(
    `select "to", attempts, "sentAt" is not null as sent from identity.mail_outbox where subject = 'Menu' order by "userId"`,
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
  const message = { subject: 'Accounts', text: 'They were changed.', bareText: 'They were changed.' }
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
