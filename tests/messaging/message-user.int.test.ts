import { getUserMessages, stopReminders } from '#contracts/messages'
import { type IdentityServer, startIdentity } from '../identity/identity-server'
import { parent, refusal, verifiedParent } from '../identity/people'

let school: IdentityServer
beforeEach(async () => {
  school = await startIdentity()
})
afterEach(() => school.close())

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

test('an address that was not verified gets no name and no text that people typed', async () => {
  const { id } = await parent(school, 'mwila', { email: 'victim@example.com' })
  await school.messaging.messageUser(id, message, 'attempt-1')
  await school.runJobs()
  expect(school.world.mails.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Good day,\n\nplease confirm /),
    'Good day,\n\nPlease pay K45.50.\n\nLog in at https://lunch.example.com\n\nKind regards,\nBaobab School\n',
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
