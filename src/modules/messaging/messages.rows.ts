import type { Reader } from '#platform/database'

/**
 * A message that holds a name or an address of a user; `endedAt` is when it was sent, or given up. `unclear`: the SMS
 * gateway may have sent it. `failure` is why the last try came to nothing.
 */
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

/** The latest messages about this user, the newest first, at most 50: those of the last 90 days. */
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
