import type { Knex } from 'knex'
import { work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import type { UserMessage } from '#kernel/user-message'
import { messageMail } from './mails'
import { sendMailJob, sendSmsJob } from './sending.job'
import { outboxRows, type About, type OutboxMessage, type Written } from './outbox.rows'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

type MailNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'mailer' | 'queue' | 'log'>

/** Posts a message in the transaction it was made for. The same id (a UUID) is one message, however often it is posted. */
export type Post = (written: Written, about: About) => Promise<void>

/** A transaction whose messages are sent when it has committed, and not at all when it has not. */
export type WithMail = <Result>(
  change: (transaction: Knex.Transaction, post: Post) => Promise<Result>,
) => Promise<Result>

export const withMail =
  (needs: MailNeeds): WithMail =>
  async (change) => {
    const posted: Pick<OutboxMessage, 'id' | 'channel'>[] = []
    const result = await needs.database.knex.transaction((transaction) =>
      change(transaction, async (written, about) => {
        const id = await outboxRows(transaction).add(written, about, needs.now())
        posted.push({ id, channel: written.channel ?? 'mail' })
      }),
    )
    // The change stands; a queue that is away now only makes its messages later.
    await Promise.all(posted.map((message) => enqueueSending(needs, message))).catch((error: unknown) =>
      needs.log?.warn({ err: error }, 'messages wait for the next sweep'),
    )
    return result
  }

/**
 * A transaction that may tell every superadmin who has an address of what it changes: the mails are sent when it has
 * committed, and cannot be lost after that.
 */
export const tellingSuperadmins =
  ({
    publicUrl,
    schoolName,
    ...needs
  }: Pick<IdentityNeeds, 'publicUrl' | 'schoolName'> & { withMail: WithMail }) =>
  <Result>(
    change: (transaction: Knex.Transaction, tell: (message: UserMessage) => Promise<void>) => Promise<Result>,
  ): Promise<Result> =>
    needs.withMail((transaction, post) =>
      change(transaction, async (message) => {
        for (const recipient of await userRows(transaction).superadmins())
          if (recipient.email)
            await post(messageMail({ to: recipient.email, recipient, message, publicUrl, schoolName }), {
              userId: recipient.id,
            })
      }),
    )

/** `again` makes another job than the first one of that message. */
const enqueueSending = (
  { queue }: Pick<MailNeeds, 'queue'>,
  { id, channel }: Pick<OutboxMessage, 'id' | 'channel'>,
  again = '',
): Promise<void> =>
  channel === 'sms'
    ? queue.enqueue(sendSmsJob, { smsId: id }, { id: `sms-${id}${again}` })
    : queue.enqueue(sendMailJob, { mailId: id }, { id: `mail-${id}${again}` })

/** Sends what is still unsent, once: the row stays locked meanwhile, so a second job for it finds nothing to do. */
const sendMail =
  (needs: MailNeeds) =>
  async ({ mailId }: { mailId: string }): Promise<void> => {
    const failure = await needs.database.knex.transaction(async (transaction) => {
      const outbox = outboxRows(transaction)
      const mail = await outbox.take(mailId)
      if (!mail) return null
      const { id, createdAt: writtenAt, to, subject, text, replyTo } = mail
      const message = { id, writtenAt, to, subject, text, replyTo: replyTo ?? undefined }
      const failed = await needs.mailer.send(message).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (failed) await outbox.postpone(mail, needs.now(), whyNotSent(failed.error))
      else await outbox.markSent(mailId, needs.now())
      return failed
    })
    if (failure) throw failure.error
  }

/** For the family's page. What the server wrote may name other people, so it stays in the log. */
const whyNotSent = (error: unknown): string => {
  const { responseCode, code } = Object(error) as { responseCode?: unknown; code?: unknown }
  if (typeof responseCode === 'number') return `the mail server answered ${responseCode}`
  return `the mail server cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
}

export const mailWork = (needs: MailNeeds) => work(sendMailJob, sendMail(needs))

/** Enqueues messages that should have been sent by now: their job was lost, or it is time to try again. */
export const mailSweep = (needs: MailNeeds): Sweep => ({
  name: 'mail-outbox',
  run: async () => {
    const at = needs.now()
    for (const message of await outboxRows(needs.database.knex).takeDue(at))
      await enqueueSending(needs, message, `-${at.getTime()}`)
  },
})
