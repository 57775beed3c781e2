import type { Knex } from 'knex'
import { v5 } from 'uuid'
import type { UserMessage } from '#kernel/meal-line'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { partOfAccount, type FamilyPart } from '#platform/family-data'
import type { Measure } from '#platform/module'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { channelsOf, smsNumber, type Channel, type SmsRule } from './channels.decide'
import { letter, messageMail, smsText, type Addressee } from './letters'
import {
  noteReported,
  messageSettings,
  ceilingOf,
  smsDayRows,
  type ReportKind,
} from './message-settings.rows'
import { outboxRows, type MessagingNeeds, type NewMessage } from './outbox.rows'
import { withMessages, type Post } from './send-mails.commands'

const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'

const idOf = (cause: string, channel: Channel) =>
  v5(channel === 'mail' ? cause : `${channel}/${cause}`, messageNamespace)

type Letter = { userId: number; message: UserMessage; cause: string }

/** A letter by mail, short text by SMS: one message per `cause` and channel, however often called. False if nothing reaches the user. */
export const messageUser =
  (needs: MessagingNeeds) =>
  async (userId: number, message: UserMessage, cause: string): Promise<boolean> => {
    const [isReached] = await messageUsers(needs)([{ userId, message, cause }])
    return isReached!
  }

/** The same for several letters, all or none; answers for each whether something reaches its user. */
export const messageUsers =
  (needs: MessagingNeeds) =>
  async (letters: readonly Letter[]): Promise<boolean[]> => {
    const { knex } = needs.database
    const accounts = await needs.addressees.byIds(knex, [...new Set(letters.map(({ userId }) => userId))])
    const addressed = letters.flatMap(({ userId, message, cause }) => {
      const account = accounts.get(userId)
      const ids = { mail: idOf(cause, 'mail'), sms: idOf(cause, 'sms') }
      return account && !account.deletedAt ? [{ cause, account, message, ids }] : []
    })
    const reached = new Set(addressed.map(({ cause }) => cause))
    const known = await outboxRows(knex).known(addressed.flatMap(({ ids }) => Object.values(ids)))
    const unwritten = addressed.filter(({ ids }) => !known.has(ids.mail) && !known.has(ids.sms))
    if (unwritten.length > 0)
      await withMessages(needs)(async (transaction, write) => {
        const messagesTo = await addressing(needs, transaction)
        const written: NewMessage[] = []
        for (const { cause, account, message, ids } of unwritten) {
          const messages = messagesTo(account, message, ids)
          if (messages.length === 0) reached.delete(cause)
          written.push(...messages)
        }
        await write(written)
      })
    return letters.map(({ cause }) => reached.has(cause))
  }

export type PostMessage = (account: Addressee, message: UserMessage) => Promise<boolean>

/** In the caller's transaction; without `ids` always new. False if nothing reaches the user. */
export const postMessage =
  (needs: MessagingNeeds, transaction: Knex.Transaction, post: Post): PostMessage =>
  async (account, message) => {
    const messages = (await addressing(needs, transaction))(account, message)
    for (const { written, about } of messages) await post(written, about)
    return messages.length > 0
  }

const addressing = async (needs: MessagingNeeds, transaction: Knex.Transaction) => {
  const settings = await messageSettings.read(transaction)
  const today = schoolMoment(needs.now(), needs.zone).date
  const isDayFull =
    settings.sms && (await smsDayRows(transaction).isFull(today, ceilingOf(settings, 'message')))
  return (account: Addressee, message: UserMessage, ids?: Record<Channel, string>): NewMessage[] =>
    channelsOf(account, settings, isDayFull).map((channel) => ({
      written:
        channel === 'mail' ? messageMail(needs, account, message) : smsOf(needs, account, message, settings),
      about: { userId: account.id, id: ids?.[channel] },
    }))
}

type Report = { subject: string; paragraphs: readonly string[] }

/** To the addresses of the settings, at most once a day; null notes that the day has nothing to say. */
export const mailReport =
  (needs: MessagingNeeds) =>
  (kind: ReportKind, day: SchoolDate, report: Report | null): Promise<void> =>
    withMessages(needs)(async (transaction, write) => {
      if (!(await noteReported(transaction, kind, day)) || report === null) return
      const { [kind]: addresses } = await messageSettings.read(transaction)
      const { schoolName, publicUrl } = needs
      const subject = `${schoolName}: ${report.subject}`
      const paragraphs = [...report.paragraphs, `Log in at ${publicUrl}`]
      const text = letter('Good morning,', paragraphs, schoolName)
      await write(
        addresses.map((to) => ({
          written: { to, subject, text, purpose: 'report' as const },
          about: { userId: null },
        })),
      )
    })

const smsOf = (
  { publicUrl, schoolName }: Ports,
  account: Addressee,
  { subject, bareSubject = subject, short = `${bareSubject}.` }: UserMessage,
  settings: SmsRule,
) => ({
  channel: 'sms' as const,
  to: smsNumber(account, settings)!,
  subject: bareSubject,
  text: smsText({ schoolName, short, publicUrl }),
})

/** `endedAt`: sent or given up; `unclear`: perhaps sent by SMS; `failure`: last error. */
export type Message = {
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
     from messaging.mail_outbox where "userId" = $1 order by "createdAt" desc, id desc limit 50`,
    [userId],
  )
  return rows
}

/** Long enough for a weekend. */
const undeliveredForMs = 3 * dayMs
const stuckMs = 60 * 60_000

/** Accounts that a message of the last days did not reach, or has not for an hour, nor any later one. Newest first, at most 500. */
export const undeliveredTo = async (at: Reader, now: Date): Promise<number[]> => {
  const { rows } = await at.query<{ id: number }>(
    `select failed."userId" as id from messaging.mail_outbox failed
     where failed."userId" is not null and not failed.unclear
       and (failed."givenUpAt" > $1
         or (failed."sentAt" is null and failed."givenUpAt" is null and failed.attempts > 0 and failed."createdAt" < $2))
       and not exists (select from messaging.mail_outbox later
         where later."userId" = failed."userId" and later."sentAt" > failed."createdAt")
     group by failed."userId" order by max(failed."createdAt") desc limit 500`,
    [new Date(now.getTime() - undeliveredForMs), new Date(now.getTime() - stuckMs)],
  )
  return rows.map(({ id }) => id)
}

export const mailMeasures = ({ database: { knex }, now }: Ports): Measure[] => {
  const outbox = (channel: 'mail' | 'sms') => knex('messaging.mail_outbox').where({ channel })
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

/** Without the words, which may hold links and passwords. */
export const messageParts: FamilyPart[] = [
  partOfAccount(
    'messages',
    `select channel, "to", subject, "createdAt", "sentAt", "givenUpAt", failure
     from messaging.mail_outbox where "userId" = $1 order by "createdAt" desc limit $2`,
  ),
]

/** Outlives every job that could resend it (failed ones stay 60 days). */
const mailsKeptDays = 90

export const messagingRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const before = () => new Date(now().getTime() - mailsKeptDays * dayMs)
  return [
    {
      name: 'messaging.mail_outbox',
      about: 'Emails and SMS to you: address, subject and time; the text goes once it is sent',
      kept: `${mailsKeptDays} days after it was sent or given up; unsent ones stay`,
      remove: deleteUntil(pool, 'messaging.mail_outbox', 'coalesce("sentAt", "givenUpAt") < $1', before),
    },
    {
      name: 'messaging.sms_days',
      kept: `${mailsKeptDays} days`,
      remove: deleteUntil(pool, 'messaging.sms_days', 'day < $1', before),
    },
  ]
}
