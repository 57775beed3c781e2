import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { Mail } from './mails'

type OutboxMail = {
  id: string
  /** Whose name or address it holds. */
  userId: number | null
  to: string
  replyTo: string | null
  subject: string
  text: string
  attempts: number
  createdAt: Date
  dueAt: Date
  sentAt: Date | null
  givenUpAt: Date | null
}

const firstRetryMs = 30_000
const longestRetryMs = 3_600_000
const giveUpAfterMs = 24 * 3_600_000

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** The rows of `identity.mail_outbox`. A mail's text is blanked as soon as nobody needs it any more. */
export const outboxRows = (knex: Knex) => {
  const outbox = () => knex<OutboxMail>('identity.mail_outbox')
  const unsent = () => outbox().whereNull('sentAt').whereNull('givenUpAt')
  return {
    /** Writes a mail in the transaction of the change that it is about; answers its id. The same id is one mail. */
    add: async (
      mail: Mail,
      { userId, at, id = v7() }: { userId: number; at: Date; id?: string | undefined },
    ): Promise<string> => {
      const row = { id, userId, ...mail, createdAt: at, dueAt: later(at, firstRetryMs) }
      await outbox().insert(row).onConflict('id').ignore()
      return id
    },

    /** The mail, locked until the transaction ends; undefined when it is done with or another worker has it. */
    take: (id: string): Promise<OutboxMail | undefined> =>
      unsent().where({ id }).forUpdate().skipLocked().first(),

    /** Forgets every mail that holds a name or an address of this user, sent or not. */
    removeOf: async (userId: number): Promise<void> => {
      await outbox().where({ userId }).delete()
    },

    markSent: async (id: string, at: Date): Promise<void> => {
      await outbox().where({ id }).update({ sentAt: at, text: '' })
    },

    /** After a failed try: due again later, twice as long each time up to an hour; given up after a day. */
    postpone: async (mail: OutboxMail, at: Date): Promise<void> => {
      const attempts = mail.attempts + 1
      const delay = Math.min(firstRetryMs * 2 ** attempts, longestRetryMs)
      const tooOld = at.getTime() - mail.createdAt.getTime() >= giveUpAfterMs
      await outbox()
        .where({ id: mail.id })
        .update({
          attempts,
          dueAt: later(at, delay),
          ...(tooOld && { givenUpAt: at, text: '' }),
        })
    },

    /** Takes up to 100 mails that are due and makes them due again in half a minute. */
    takeDue: async (at: Date): Promise<string[]> => {
      const due = unsent().where('dueAt', '<=', at).orderBy('dueAt').limit(100).forUpdate().skipLocked()
      const rows = await outbox()
        .whereIn('id', due.select('id'))
        .update({ dueAt: later(at, firstRetryMs) })
        .returning('id')
      return rows.map(({ id }) => id)
    },
  }
}
