import type { UserMessage } from '#kernel/user-message'
import { job, leaveToSweep, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import type { Ports } from '#platform/ports'
import { dayMs } from '#platform/retention'
import { readCommunication } from './message-settings.routes'
import { messageMail } from './letters'
import { outboxRows, type MessagingNeeds, type About, type OutboxMessage, type Written } from './outbox.rows'
import type { Knex } from 'knex'
import { z } from 'zod'

/** Sends one mail of the outbox. Its row, not the queue, says when a failed one is tried again. */
const sendMailJob = job({
  name: 'send-mail',
  payload: z.object({ mailId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})

/** The row, not the queue, schedules retries. */
export const sendSmsJob = job({
  name: 'send-sms',
  payload: z.object({ smsId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})

export type Post = (written: Written, about: About) => Promise<void>

/** Sent after commit only. */
export type WithMail = <Result>(
  change: (transaction: Knex.Transaction, post: Post) => Promise<Result>,
) => Promise<Result>

export const withMail =
  (needs: Ports): WithMail =>
  async (change) => {
    const posted: Pick<OutboxMessage, 'id' | 'channel'>[] = []
    const result = await needs.database.knex.transaction((transaction) =>
      change(transaction, async (written, about) => {
        const id = await outboxRows(transaction).add(written, about, needs.now())
        posted.push({ id, channel: written.channel ?? 'mail' })
      }),
    )
    const enqueued = Promise.all(posted.map((message) => enqueueSending(needs, message)))
    await leaveToSweep(enqueued, 'sending messages', needs.log)
    return result
  }

/** `idOf`: message id per superadmin. */
export const postToSuperadmins =
  ({ publicUrl, schoolName, addressees }: MessagingNeeds, transaction: Knex.Transaction, post: Post) =>
  async (message: UserMessage, idOf?: (userId: number) => string): Promise<void> => {
    for (const recipient of await addressees.superadmins(transaction))
      if (recipient.email)
        await post(messageMail({ to: recipient.email, recipient, message, publicUrl, schoolName }), {
          userId: recipient.id,
          id: idOf?.(recipient.id),
        })
  }

/** Mails go out after commit and cannot be lost. */
export const tellingSuperadmins =
  (needs: MessagingNeeds) =>
  <Result>(
    change: (transaction: Knex.Transaction, tell: (message: UserMessage) => Promise<void>) => Promise<Result>,
  ): Promise<Result> =>
    withMail(needs)((transaction, post) =>
      change(transaction, (message) => postToSuperadmins(needs, transaction, post)(message)),
    )

/** `again` makes another job. */
const enqueueSending = (
  { queue }: Ports,
  { id, channel }: Pick<OutboxMessage, 'id' | 'channel'>,
  again = '',
): Promise<void> =>
  channel === 'sms'
    ? queue.enqueue(sendSmsJob, { smsId: id }, { id: `sms-${id}${again}` })
    : queue.enqueue(sendMailJob, { mailId: id }, { id: `mail-${id}${again}` })

/** Longer than the mailer takes: the worker is dead. */
const sendingLastsMs = 90_000

type Claimed = { mail: OutboxMessage; others: OutboxMessage[]; calledAt: Date }

/** Claims, sends and records in separate steps. Repeated jobs do nothing; a dead worker's mail is sent again, never lost. */
const sendMail =
  (needs: MessagingNeeds) =>
  async ({ mailId }: { mailId: string }): Promise<void> => {
    const claimed = await needs.database.knex.transaction((transaction) => claim(needs, transaction, mailId))
    if (!claimed) return
    const { id, createdAt: writtenAt, to, replyTo } = claimed.mail
    const letter = gathered([claimed.mail, ...claimed.others])
    const failed = await needs.mailer
      .send({ id, writtenAt, to, ...letter, replyTo: replyTo ?? undefined })
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
    if (!failed) return noteSent(needs, claimed)
    await needs.database.knex.transaction((transaction) =>
      noteFailed(needs, transaction, claimed, failed.error),
    )
    throw failed.error
  }

const claim = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  mailId: string,
): Promise<Claimed | null> => {
  const outbox = outboxRows(transaction)
  const mail = await outbox.take(mailId)
  const now = needs.now()
  if (!mail || (mail.calledAt && now.getTime() - mail.calledAt.getTime() < sendingLastsMs)) return null
  if (mail.expiresAt && mail.expiresAt <= now) {
    await outbox.giveUp(mailId, now, { why: 'it is of no use any more', unclear: false })
    return null
  }
  const turn = await turnOf(needs, transaction, mail, now)
  if (!turn) return null
  const others = turn.with.filter(({ expiresAt }) => !expiresAt || expiresAt > now)
  for (const { id } of [mail, ...others])
    await outbox.markCalled(id, now, sendingLastsMs, { unproven: turn.counts && id === mailId })
  return { mail, others, calledAt: now }
}

/** Others are another worker's. */
const noteSent = ({ database, now }: Ports, { mail, others, calledAt }: Claimed): Promise<void> =>
  outboxRows(database.knex).markSent(
    [mail, ...others].map(({ id }) => id),
    calledAt,
    now(),
  )

const noteFailed = async (
  needs: Ports,
  transaction: Knex.Transaction,
  { mail, others, calledAt }: Claimed,
  error: unknown,
): Promise<void> => {
  const outbox = outboxRows(transaction)
  for (const { id } of [mail, ...others]) {
    const message = await outbox.lock(id)
    // Another worker's, or done.
    if (message?.calledAt?.getTime() !== calledAt.getTime()) continue
    if (id === mail.id) await outbox.postpone(message, needs.now(), whyNotSent(error))
    else await outbox.unclaim(id, needs.now())
  }
}

const whyNotSent = (error: unknown): string => {
  const { responseCode, code } = Object(error) as { responseCode?: unknown; code?: unknown }
  if (typeof responseCode === 'number') return `the mail server answered ${responseCode}`
  return `the mail server cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
}

export const mailWork = (needs: MessagingNeeds) => work(sendMailJob, sendMail(needs))

export const mailSweep = (needs: Ports): Sweep => ({
  name: 'mail-outbox',
  run: async () => {
    const at = needs.now()
    for (const message of await outboxRows(needs.database.knex).takeDue(at))
      await enqueueSending(needs, message, `-${at.getTime()}`)
  },
})

const maxPerDay = 5
/** Account mails per mailbox over all accounts; each has five. */
const maxPerAccount = 10
const maxGathered = 50

/** A verified address, or the school's own. */
const isProven = async (
  { byId }: MessagingNeeds['addressees'],
  transaction: Knex.Transaction,
  { userId, to }: OutboxMessage,
): Promise<boolean> => {
  const account = userId === null ? undefined : await byId(transaction, userId)
  const isKnown = account?.emailVerifiedAt || account?.role === 'admin'
  if (isKnown && account.email?.toLowerCase() === to.toLowerCase()) return true
  return (await readCommunication(transaction)).supportEmail.toLowerCase() === to.toLowerCase()
}

/** `with`: sent together; null: not now. */
type Turn = { counts: boolean; with: OutboxMessage[] } | null

/** Limits unverified mailboxes to five mails a day; the rest waits and goes as one mail. */
const turnOf = async (
  { addressees }: MessagingNeeds,
  transaction: Knex.Transaction,
  mail: OutboxMessage,
  now: Date,
): Promise<Turn> => {
  if (await isProven(addressees, transaction, mail)) return { counts: false, with: [] }
  // Serializes counts of one mailbox.
  await transaction.raw(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, [
    `unproven mail ${mail.mailbox}`,
  ])
  const outbox = outboxRows(transaction)
  const since = new Date(now.getTime() - dayMs)
  const until = roomAgainAt(mail, await outbox.sentToUnproven(mail, since, maxPerAccount))
  if (until) {
    await outbox.hold(mail.id, until)
    return null
  }
  return { counts: true, with: mail.held ? await outbox.takeHeld(mail, maxGathered) : [] }
}

const roomAgainAt = (
  { purpose, userId }: OutboxMessage,
  sent: readonly { userId: number | null; at: Date }[],
): Date | null => {
  const counted = purpose === 'message' ? sent : sent.filter((other) => other.userId === userId)
  const inTheWay = counted[maxPerDay - 1] ?? sent[maxPerAccount - 1]
  return inTheWay ? new Date(inTheWay.at.getTime() + dayMs) : null
}

const gathered = (mails: readonly OutboxMessage[]): Pick<OutboxMessage, 'subject' | 'text'> => {
  const [only] = mails
  if (mails.length === 1) return { subject: only!.subject, text: only!.text }
  return {
    subject: `${mails.length} messages: ${only!.subject}`,
    text: mails.map(({ subject, text }) => `*** ${subject} ***\n\n${text}`).join('\n\n'),
  }
}
