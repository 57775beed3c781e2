import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { messageMail, type Mail, type UserMessage } from './mails'
import { outboxRows } from './outbox.rows'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

type MailNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'mailer' | 'queue' | 'log'>

/** Sends one mail of the outbox. Its row, not the queue, says when a failed one is tried again. */
const sendMailJob = job({
  name: 'send-mail',
  payload: z.object({ mailId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})

/**
 * Posts a mail in the transaction it was made for. `userId` is whose name or address it holds: it is forgotten with
 * them. The same id (a UUID) is one mail, however often it is posted.
 */
export type Post = (mail: Mail, about: { userId: number; id?: string }) => Promise<void>

/** A transaction whose mails are sent when it has committed, and not at all when it has not. */
export type WithMail = <Result>(
  change: (transaction: Knex.Transaction, post: Post) => Promise<Result>,
) => Promise<Result>

export const withMail =
  (needs: MailNeeds): WithMail =>
  async (change) => {
    const posted: string[] = []
    const result = await needs.database.knex.transaction((transaction) =>
      change(transaction, async (mail, about) => {
        posted.push(await outboxRows(transaction).add(mail, { ...about, at: needs.now() }))
      }),
    )
    // The change stands; a queue that is away now only makes its mails later.
    await Promise.all(posted.map((id) => enqueueMail(needs, id, `mail-${id}`))).catch((error: unknown) =>
      needs.log?.warn({ err: error }, 'mails wait for the next sweep'),
    )
    return result
  }

const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'

/**
 * Mails a message to a user, as a letter with salutation and signature. The same `id` is one mail, however often it is
 * asked for. Answers false when there is nobody or no e-mail address to write to.
 */
export const mailUser =
  (needs: Pick<IdentityNeeds, 'database' | 'publicUrl' | 'schoolName'> & { withMail: WithMail }) =>
  async (userId: number, message: UserMessage, id: string): Promise<boolean> => {
    const account = await userRows(needs.database.knex).byId(userId)
    if (!account?.email) return false
    const { publicUrl, schoolName } = needs
    const mail = messageMail({ to: account.email, recipient: account, message, publicUrl, schoolName })
    await needs.withMail((_transaction, post) => post(mail, { userId, id: v5(id, messageNamespace) }))
    return true
  }

/**
 * A transaction that may tell every superadmin who has an address of what it changes: the mails are sent when it has
 * committed, and cannot be lost after that.
 */
export const tellingSuperadmins =
  ({ publicUrl, schoolName, ...needs }: Parameters<typeof mailUser>[0]) =>
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

const enqueueMail = (needs: MailNeeds, mailId: string, id: string) =>
  needs.queue.enqueue(sendMailJob, { mailId }, { id })

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
      if (failed) await outbox.postpone(mail, needs.now())
      else await outbox.markSent(mailId, needs.now())
      return failed
    })
    if (failure) throw failure.error
  }

export const mailWork = (needs: MailNeeds) => work(sendMailJob, sendMail(needs))

/** Enqueues mails that should have been sent by now: their job was lost, or it is time to try again. */
export const mailSweep = (needs: MailNeeds): Sweep => ({
  name: 'mail-outbox',
  run: async () => {
    const at = needs.now()
    for (const id of await outboxRows(needs.database.knex).takeDue(at))
      await enqueueMail(needs, id, `mail-${id}-${at.getTime()}`)
  },
})
