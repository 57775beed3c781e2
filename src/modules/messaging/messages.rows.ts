import type { Reader } from '#platform/database'

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
     from identity.mail_outbox where "userId" = $1 order by "createdAt" desc, id desc limit 50`,
    [userId],
  )
  return rows
}
