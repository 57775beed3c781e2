import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { schoolMoment } from '#kernel/school-time'
import type { UserMessage } from '#kernel/user-message'
import { messageMail, smsText, type Addressee } from './letters'
import { withMail, type Post } from './mail.job'
import { outboxRows, type MessagingNeeds } from './outbox.rows'
import { channelsOf, smsNumber, type Channel, type SmsRule } from './channels.decide'
import { readMessageSettings, ceilingOf, smsDayRows } from './message-settings.routes'
import type { Reader } from '#platform/database'
import type { Measure } from '#platform/module'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'

const idOf = (cause: string, channel: Channel) =>
  v5(channel === 'mail' ? cause : `${channel}/${cause}`, messageNamespace)

/**
 * On the chosen channels: a letter by mail, short text by SMS. One message per `cause` and channel, however often called. False if nothing
 * reaches the user.
 */
export const messageUser =
  (needs: MessagingNeeds) =>
  async (userId: number, message: UserMessage, cause: string): Promise<boolean> => {
    const { knex } = needs.database
    const account = await needs.addressees.byId(knex, userId)
    if (!account || account.deletedAt) return false
    const ids = { mail: idOf(cause, 'mail'), sms: idOf(cause, 'sms') }
    if (await outboxRows(knex).isKnown(Object.values(ids))) return true
    return withMail(needs)(async (transaction, post) =>
      postMessage(needs, transaction, post)(account, message, ids),
    )
  }

/** In the caller's transaction; without `ids` always new. False if nothing reaches the user. */
export const postMessage =
  (needs: Ports, transaction: Knex.Transaction, post: Post) =>
  async (account: Addressee, message: UserMessage, ids?: Record<Channel, string>): Promise<boolean> => {
    const settings = await readMessageSettings(transaction)
    const today = schoolMoment(needs.now(), needs.zone).date
    const isDayFull =
      settings.sms && (await smsDayRows(transaction).isFull(today, ceilingOf(settings, 'message')))
    const channels = channelsOf(account, settings, isDayFull)
    for (const channel of channels) {
      const written =
        channel === 'mail' ? mailOf(needs, account, message) : smsOf(needs, account, message, settings)
      await post(written, { userId: account.id, id: ids?.[channel] })
    }
    return channels.length > 0
  }

const mailOf = ({ publicUrl, schoolName }: Ports, account: Addressee, message: UserMessage) =>
  messageMail({ to: account.email!, recipient: account, message, publicUrl, schoolName })

const smsOf = (
  { publicUrl, schoolName }: Ports,
  account: Addressee,
  { subject, short = `${subject}.` }: UserMessage,
  settings: SmsRule,
) => ({
  channel: 'sms' as const,
  to: smsNumber(account, settings)!,
  subject,
  text: smsText({ schoolName, short, publicUrl }),
})

/** `endedAt`: sent or given up; `unclear`: perhaps sent by SMS; `failure`: last error. */
type Message = {
  channel: 'mail' | 'sms'
  to: string
  subject: string
  at: Date
  state: 'sent' | 'waiting' | 'given_up' | 'unclear'
  endedAt: Date | null
  tries: number
  failure: string | null
}

/** Newest first, at most 50 of the last 90 days. */
export const messagesOf = async (at: Reader, userId: number): Promise<Message[]> => {
  const { rows } = await at.query<Message>(
    `select channel, "to", subject, failure, "createdAt" as at, attempts as tries, coalesce("sentAt", "givenUpAt") as "endedAt",
       case when "sentAt" is not null then 'sent' when unclear then 'unclear' when "givenUpAt" is not null then 'given_up' else 'waiting' end
         as state
     from identity.mail_outbox where "userId" = $1 order by "createdAt" desc, id desc limit 50`,
    [userId],
  )
  return rows
}

export const mailMeasures = ({ database: { knex }, now }: Ports): Measure[] => {
  const outbox = (channel: 'mail' | 'sms') => knex('identity.mail_outbox').where({ channel })
  const waiting = () => outbox('mail').whereNull('sentAt').whereNull('givenUpAt')
  const givenUp = async (channel: 'mail' | 'sms') => {
    const yesterday = new Date(now().getTime() - dayMs)
    const row = await outbox(channel).where('givenUpAt', '>', yesterday).count({ count: '*' }).first()
    return Number(row?.count)
  }
  return [
    {
      name: 'tuckshop_mails_waiting',
      help: 'Mails that are written and not sent yet',
      value: async () => Number((await waiting().count({ count: '*' }).first())?.count),
    },
    {
      name: 'tuckshop_mails_oldest_waiting_seconds',
      help: 'Age of the oldest mail that is not sent yet, 0 without one; of those to unverified addresses what waits for its day is left out',
      value: async () => {
        const oldest = await waiting().where({ held: false }).min({ since: 'createdAt' }).first()
        return oldest?.since ? Math.max(0, (now().getTime() - oldest.since.getTime()) / 1000) : 0
      },
    },
    {
      name: 'tuckshop_mails_given_up',
      help: 'Mails that were given up within the last 24 hours',
      value: () => givenUp('mail'),
    },
    {
      name: 'tuckshop_sms_given_up',
      help: 'SMS of the last 24 hours that were given up, or of which nobody knows whether they were sent',
      value: () => givenUp('sms'),
    },
  ]
}

/** Outlives every job that could resend it (failed ones stay 60 days). */
const mailsKeptDays = 90

export const messagingRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const before = () => new Date(now().getTime() - mailsKeptDays * dayMs)
  return [
    {
      name: 'identity.mail_outbox',
      kept: `${mailsKeptDays} days after it was sent or given up; unsent ones stay`,
      remove: deleteUntil(pool, 'identity.mail_outbox', 'coalesce("sentAt", "givenUpAt") < $1', before),
    },
    {
      name: 'identity.sms_days',
      kept: `${mailsKeptDays} days`,
      remove: deleteUntil(pool, 'identity.sms_days', 'day < $1', before),
    },
  ]
}
