import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { forAnyAddress } from '#kernel/meal-line'
import { addDays, instantAt, longDay, schoolMoment } from '#kernel/school-time'
import { work } from '#platform/jobs/job'
import type { Sms, SmsAnswer } from '#platform/ports'
import { isAllowedNumber } from './channels.decide'
import { messageSettings, ceilingOf, smsDayRows, type KeptMessageSettings } from './message-settings.rows'
import { outboxRows, type OutboxMessage, type MessagingNeeds } from './outbox.rows'
import { postToSuperadmins, withMail, type Post, sendSmsJob } from './send-mails.commands'

/** A call takes 15 s at most: an older one was cut off. */
const callLastsAtMostMs = 60_000

const morning = { hour: 7, minute: 0 }

type Called = { sms: Sms; calledAt: Date; day: string }

/** Sends at most once: commits the call first and retries certain rejections only, no unclear answer (docs/decisions/0035). */
const sendSms =
  (needs: MessagingNeeds) =>
  async ({ smsId }: { smsId: string }): Promise<void> => {
    const called = await beginCall(needs, smsId)
    if (!called) return
    const answer = await needs.sms!.send(called.sms)
    await withMail(needs)(async (transaction, post) => {
      const message = await outboxRows(transaction).lock(smsId)
      if (message?.calledAt?.getTime() === called.calledAt.getTime())
        await note(needs, transaction, post, { message, answer, day: called.day })
    })
    if (answer.kind !== 'taken')
      throw new Error(`An SMS was ${answer.kind === 'unclear' ? 'perhaps sent' : 'not sent'}: ${answer.why}`)
  }

const beginCall = (needs: MessagingNeeds, smsId: string): Promise<Called | null> =>
  withMail(needs)(async (transaction, post) => {
    const outbox = outboxRows(transaction)
    const [message] = await outbox.take([smsId])
    if (!message) return null
    const now = needs.now()
    if (message.calledAt) {
      const isCutOff = now.getTime() - message.calledAt.getTime() >= callLastsAtMostMs
      if (isCutOff)
        await outbox.giveUp(smsId, now, { why: 'the call of the gateway was cut off', unclear: true })
      return null
    }
    const why = await whyNot(needs, transaction, message)
    if (why) {
      await outbox.giveUp(smsId, now, { why, unclear: false })
      return null
    }
    const settings = await messageSettings.read(transaction)
    const day = schoolMoment(now, needs.zone).date
    if (!(await smsDayRows(transaction).take(day, roomFor(settings, message)))) {
      await outbox.waitUntil(smsId, instantAt(addDays(day, 1), morning.hour, morning.minute, needs.zone))
      await tellOfFullDay(needs, transaction, post, { day, ceiling: settings.dailyCeiling! })
      return null
    }
    await outbox.markCalled([smsId], now, callLastsAtMostMs)
    const { id, createdAt: writtenAt, to, text } = message
    return { sms: { id, writtenAt, to, text }, calledAt: now, day }
  })

const roomFor = (settings: KeptMessageSettings, { purpose }: OutboxMessage) =>
  ceilingOf(settings, purpose === 'password' ? 'password' : 'message')

const whyNot = async (
  { sms, now }: MessagingNeeds,
  transaction: Knex.Transaction,
  { expiresAt, to }: OutboxMessage,
): Promise<string | null> => {
  if (expiresAt && expiresAt <= now()) return 'it is of no use any more'
  const settings = await messageSettings.read(transaction)
  if (!sms || !settings.sms) return 'the school sends no SMS any more'
  return isAllowedNumber(to, settings) ? null : 'the school sends no SMS to other countries'
}

const note = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  post: Post,
  { message, answer, day }: { message: OutboxMessage; answer: SmsAnswer; day: string },
): Promise<void> => {
  const { now } = needs
  const outbox = outboxRows(transaction)
  if (answer.kind === 'taken') return outbox.markSent([message.id], message.calledAt!, now())
  if (answer.kind === 'unclear') return outbox.giveUp(message.id, now(), { why: answer.why, unclear: true })
  await smsDayRows(transaction).giveBack(day)
  if (answer.forGood) return outbox.giveUp(message.id, now(), { why: answer.why, unclear: false })
  await outbox.postpone(message, now(), answer.why)
  if (!answer.isAway) await tellOfRefusal(needs, transaction, post, { day, why: answer.why })
}

const refusalNamespace = '5f1b7a0e-3c57-4c8e-9a55-8a3d1f0f4c27'

/** Once a day for one reason: what stops one SMS stops all. */
const tellOfRefusal = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  post: Post,
  { day, why }: { day: string; why: string },
): Promise<void> => {
  const text =
    `the SMS gateway refuses the school's SMS on ${longDay(day)}: ${why}. They wait, are tried again for a day, ` +
    'and do not count. Please look at the account with the gateway: its balance, its key and the sender name.'
  await postToSuperadmins(
    needs,
    transaction,
    post,
  )(forAnyAddress({ subject: 'The SMS gateway refuses SMS', text }), (userId) =>
    v5(`${day}/${why}/${userId}`, refusalNamespace),
  )
}

const ceilingNamespace = '0b7c2f5e-6a0c-4bb5-9a35-1d5c0f6a9e11'

const tellOfFullDay = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  post: Post,
  { day, ceiling }: { day: string; ceiling: number },
): Promise<void> => {
  const text =
    `the school has sent as many SMS on ${longDay(day)} as Settings, Messages allows for a day (${ceiling}, ` +
    'a tenth of them kept for temporary passwords). ' +
    'What is left goes out tomorrow at 07:00; families who have an email address are written by mail until then.'
  const message = forAnyAddress({ subject: 'No more SMS today: the daily ceiling is reached', text })
  await postToSuperadmins(
    needs,
    transaction,
    post,
  )(message, (userId) => v5(`${day}/${userId}`, ceilingNamespace))
}

export const smsWork = (needs: MessagingNeeds) => work(sendSmsJob, sendSms(needs))
