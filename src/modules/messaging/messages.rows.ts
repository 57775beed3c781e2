import type { Reader } from '#platform/database'
import type { Measure } from '#platform/module'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

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
