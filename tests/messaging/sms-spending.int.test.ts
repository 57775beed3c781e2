import { forgotPassword } from '#contracts/identity'
import { confirmPhone, getUserMessages, saveUserMessages, verifyPhone } from '#contracts/messages'
import { parent, refusal } from '../identity/people'
import { smsSchool } from './sms-school'

const setup = smsSchool()
const { settings, codeSent, reachedBySms, message, written, nextTry } = setup

/** A tenth of a day is kept for temporary passwords. */
const withRoomFor = (messages: number) => {
  let ceiling = messages
  while (ceiling - Math.ceil(ceiling / 10) < messages) ceiling += 1
  return ceiling
}

test('switching SMS on asks for a ceiling', async () => {
  const without = settings({ dailyCeiling: null })
  const message = 'Enter the most SMS the school pays for per day'
  await expect(without).rejects.toEqual(
    refusal(422, 'validation_failed', { fields: { dailyCeiling: message } }),
  )
  expect(await settings({ sms: false, dailyCeiling: null })).toMatchObject({ sms: false, dailyCeiling: null })
})

test('SMS go to numbers of Zambia alone, unless the school allows others', async () => {
  const { client, id } = await parent(setup.school, 'abroad', { phone: '+27 82 123 4567' })
  await expect(client.call(verifyPhone)).rejects.toEqual(refusal(422, 'phone_not_usable'))
  expect(await settings({ otherCountries: true })).toMatchObject({ otherCountries: true })
  // What is left out stays.
  expect(await settings({})).toMatchObject({ otherCountries: true })
  await client.call(verifyPhone)
  await client.call(confirmPhone, { body: { code: await codeSent() } })
  await client.call(saveUserMessages, { body: { channel: 'sms', reminders: true } })
  await setup.school.messaging.messageUser(id, message, 'abroad-1')
  await settings({ otherCountries: false })
  await setup.school.runJobs()
  expect(setup.gateway.takenSince()).toEqual([])
  expect(await written(id)).toMatchObject([
    { givenUp: true, failure: 'the school sends no SMS to other countries' },
  ])
  expect(await client.call(getUserMessages)).toMatchObject({ goesTo: [] })
})

test('a day’s last SMS are kept for temporary passwords, and codes have half of the others', async () => {
  setup.school.minutesPass(24 * 60)
  const family = await reachedBySms('forgetful')
  await settings({ dailyCeiling: 10 })
  for (let round = 0; round < 10; round += 1)
    await setup.school.messaging.messageUser(family.id, message, `flood-${round}`)
  await setup.school.runJobs()
  // One was the code that proved the phone.
  expect(setup.gateway.takenSince()).toHaveLength(8)
  await setup.school.visitor().call(forgotPassword, { body: { identifier: 'forgetful' } })
  await setup.school.runJobs()
  expect(setup.gateway.takenSince().map(({ message: text }) => text)).toEqual([
    expect.stringContaining('is a temporary password for forgetful'),
  ])
  const others = await Promise.all(
    [1, 2, 3, 4, 5].map((one) => parent(setup.school, `code-${one}`, { phone: `097700020${one}` })),
  )
  await settings({ dailyCeiling: 10 })
  await setup.school.database.pool.query('update messaging.sms_days set sent = 0')
  const asked = await Promise.allSettled(others.map(({ client }) => client.call(verifyPhone)))
  // Five are the share of nine, and one of them was the family's.
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: refusal(409, 'sms_ceiling_reached'),
  })
  // What was too much for the day goes out on the next.
  await nextTry(24 * 60)
  expect(setup.gateway.takenSince().filter(({ message: text }) => text.includes('1 meal'))).toHaveLength(2)
})

test('above the daily ceiling whoever has an address is mailed, the rest waits, and superadmins hear it once', async () => {
  setup.school.minutesPass(24 * 60)
  const mailed = await reachedBySms('mailed', { email: 'mailed@example.org' })
  const waiting = await reachedBySms('waiting')
  const { sentToday, sentIn30Days } = await settings({})
  await settings({ dailyCeiling: withRoomFor(sentToday + 1) })
  await setup.school.messaging.messageUser(waiting.id, message, 'ceiling-1')
  await setup.school.runJobs()
  expect(setup.gateway.takenSince()).toHaveLength(1)
  await setup.school.messaging.messageUser(mailed.id, message, 'ceiling-2')
  await setup.school.messaging.messageUser(waiting.id, message, 'ceiling-3')
  await setup.school.messaging.messageUser(waiting.id, message, 'ceiling-4')
  await setup.school.runJobs()
  await nextTry(1)
  expect(setup.gateway.takenSince()).toEqual([])
  expect(setup.school.world.mails.map(({ to }) => to).toSorted()).toEqual([
    'head@example.org',
    'mailed@example.org',
  ])
  await settings({ dailyCeiling: 100 })
  setup.school.world.now = new Date(setup.school.world.now.getTime() + 24 * 3_600_000)
  await nextTry(24 * 60)
  expect(setup.gateway.takenSince()).toHaveLength(2)
  expect(await settings({})).toMatchObject({
    smsAvailable: true,
    sentToday: 2,
    sentIn30Days: sentIn30Days + 3,
  })
})
