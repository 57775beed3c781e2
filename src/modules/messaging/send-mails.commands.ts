import type { Knex } from 'knex'
import { z } from 'zod'
import type { UserMessage } from '#kernel/meal-line'
import { job, leaveToSweep, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { each, outcomesOf } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import { dayMs } from '#platform/retention'
import { htmlOf, messageMail } from './letters'
import { communication } from './message-settings.rows'
import { outboxRows, type MessagingNeeds, type NewMessage, type OutboxMessage } from './outbox.rows'
import { isRefusedForGood, smsInPlaceOf, whyNotSent } from './refused-mail.rows'

const sendMailJob = job({
  name: 'send-mail',
  payload: z.object({ mailIds: z.array(z.uuid()) }),
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

export type Post = (written: NewMessage['written'], about: NewMessage['about']) => Promise<void>

/** Sends after commit only. */
export type WithMail = <Result>(
  change: (transaction: Knex.Transaction, post: Post) => Promise<Result>,
) => Promise<Result>

export const withMail =
  (needs: Ports): WithMail =>
  (change) =>
    withMessages(needs)((transaction, write) =>
      change(transaction, (written, about) => write([{ written, about }])),
    )

export const withMessages =
  (needs: Ports) =>
  async <Result>(
    change: (
      transaction: Knex.Transaction,
      write: (messages: readonly NewMessage[]) => Promise<void>,
    ) => Promise<Result>,
  ): Promise<Result> => {
    const written: Pick<OutboxMessage, 'id' | 'channel'>[] = []
    const result = await needs.database.knex.transaction((transaction) =>
      change(transaction, async (messages) => {
        written.push(...(await outboxRows(transaction).add(messages, needs.now())))
      }),
    )
    await leaveToSweep(enqueueSending(needs, written), 'sending messages', needs.log)
    return result
  }

export type PostToSuperadmins = (message: UserMessage, idOf?: (userId: number) => string) => Promise<void>

/** `idOf` gives each superadmin's message its id. */
export const postToSuperadmins =
  (needs: MessagingNeeds, transaction: Knex.Transaction, post: Post): PostToSuperadmins =>
  async (message, idOf) => {
    for (const recipient of await needs.addressees.superadmins(transaction))
      if (recipient.email)
        await post(messageMail(needs, recipient, message), {
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

/** The mails in one job, each SMS in its own; `again` makes another job. */
const enqueueSending = async (
  { queue }: Ports,
  messages: readonly Pick<OutboxMessage, 'id' | 'channel'>[],
  again = '',
): Promise<void> => {
  const ofChannel = (wanted: OutboxMessage['channel']) =>
    messages.flatMap(({ id, channel }) => (channel === wanted ? [id] : []))
  const mailIds = ofChannel('mail')
  await Promise.all([
    ...(mailIds.length > 0
      ? [queue.enqueue(sendMailJob, { mailIds }, { id: `mail-${mailIds[0]}${again}` })]
      : []),
    ...ofChannel('sms').map((smsId) => queue.enqueue(sendSmsJob, { smsId }, { id: `sms-${smsId}${again}` })),
  ])
}

/** Longer than the mailer takes: the worker is dead. */
const sendingLastsMs = 90_000
/** So few that the mailer's limit holds for all, and that a crash repeats few. */
const maxAtOnce = 10

type Turn = { mail: OutboxMessage; others: OutboxMessage[]; counts: boolean }
type Claimed = { turns: readonly Turn[]; calledAt: Date }

/** Claims, sends and records in separate steps. Repeated jobs do nothing; a dead worker's mails are sent again, never lost. */
const sendMails =
  (needs: MessagingNeeds) =>
  async ({ mailIds }: { mailIds: readonly string[] }): Promise<void> => {
    const unsent = []
    for (let from = 0; from < mailIds.length; from += maxAtOnce)
      unsent.push(...(await sendSome(needs, mailIds.slice(from, from + maxAtOnce))))
    if (unsent[0]) throw unsent[0].fault
  }

/** Answers those that could not be sent. */
const sendSome = async (needs: MessagingNeeds, mailIds: readonly string[]) => {
  const { knex } = needs.database
  const { turns, calledAt } = await knex.transaction((transaction) => claim(needs, transaction, mailIds))
  const { done, failed } = await outcomesOf(turns, (turn) => send(needs, turn), maxAtOnce)
  if (done.length > 0) await outboxRows(knex).markSent(done.flat(), calledAt, needs.now())
  for (const { item: turn, fault } of failed)
    await withMessages(needs)((transaction, write) =>
      noteFailed(needs, transaction, write, { ...turn, calledAt, error: fault }),
    )
  return failed
}

const idsOf = ({ mail, others }: Turn) => [mail, ...others].map(({ id }) => id)

const send = async ({ mailer, schoolName }: Ports, turn: Turn): Promise<string[]> => {
  const { id, createdAt: writtenAt, to, replyTo } = turn.mail
  const words = gathered([turn.mail, ...turn.others])
  const html = htmlOf(words.text, schoolName)
  await mailer.send({ id, writtenAt, to, ...words, html, replyTo: replyTo ?? undefined })
  return idsOf(turn)
}

const claim = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  mailIds: readonly string[],
): Promise<Claimed> => {
  const outbox = outboxRows(transaction)
  const taken = new Map((await outbox.take(mailIds)).map((mail) => [mail.id, mail]))
  const now = needs.now()
  const isExpired = ({ expiresAt }: OutboxMessage) => expiresAt !== null && expiresAt <= now
  const waiting = mailIds
    .flatMap((id) => taken.get(id) ?? [])
    .filter(({ calledAt }) => !calledAt || now.getTime() - calledAt.getTime() >= sendingLastsMs)
  for (const { id } of waiting.filter(isExpired))
    await outbox.giveUp(id, now, { why: 'it is of no use any more', unclear: false })
  const mails = waiting.filter((mail) => !isExpired(mail))
  const turns = (await turnsOf(needs, transaction, mails, now)).map((turn) => ({
    ...turn,
    others: turn.others.filter((other) => !isExpired(other)),
  }))
  const counting = turns.filter(({ counts }) => counts).map(({ mail }) => mail.id)
  if (turns.length > 0) await outbox.markCalled(turns.flatMap(idsOf), now, sendingLastsMs, counting)
  return { turns, calledAt: now }
}

const noteFailed = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  write: (messages: readonly NewMessage[]) => Promise<void>,
  { mail, others, calledAt, error }: Turn & { calledAt: Date; error: unknown },
): Promise<void> => {
  const outbox = outboxRows(transaction)
  const isForGood = isRefusedForGood(error)
  for (const { id } of [mail, ...others]) {
    const message = await outbox.lock(id)
    // Another worker's, or done.
    if (message?.calledAt?.getTime() !== calledAt.getTime()) continue
    if (isForGood) {
      await outbox.giveUp(id, needs.now(), { why: whyNotSent(error), unclear: false })
      await write(await smsInPlaceOf(needs, transaction, message))
    } else if (id === mail.id) await outbox.postpone(message, needs.now(), whyNotSent(error))
    else await outbox.unclaim(id, needs.now())
  }
}

export const mailWork = (needs: MessagingNeeds) => work(sendMailJob, sendMails(needs))

export const mailSweep = (needs: Ports): Sweep => ({
  name: 'mail-outbox',
  run: async () => {
    const at = needs.now()
    await each(await outboxRows(needs.database.knex).takeDue(at), (message) =>
      enqueueSending(needs, [message], `-${at.getTime()}`),
    )
  },
})

const maxPerDay = 5
/** Over all accounts of a mailbox; each account has five. */
const maxPerAccount = 10
const maxGathered = 50

/** Mails to verified addresses go now; of those to others at most five a day, the rest waits and goes as one mail. */
const turnsOf = async (
  needs: MessagingNeeds,
  transaction: Knex.Transaction,
  mails: readonly OutboxMessage[],
  now: Date,
): Promise<Turn[]> => {
  const proven = await provenMails(needs, transaction, mails)
  const unproven = mails.filter((mail) => !proven.has(mail))
  const counted = await unprovenTurns(transaction, unproven, now)
  const gone = new Set<string>()
  return mails.flatMap((mail) => {
    const turn = proven.has(mail) ? { mail, others: [], counts: false } : counted.get(mail)
    if (!turn || gone.has(mail.id)) return []
    for (const { id } of turn.others) gone.add(id)
    return [turn]
  })
}

const provenMails = async (
  { addressees }: MessagingNeeds,
  transaction: Knex.Transaction,
  mails: readonly OutboxMessage[],
): Promise<Set<OutboxMessage>> => {
  const accounts = await addressees.byIds(transaction, [
    ...new Set(mails.flatMap(({ userId }) => userId ?? [])),
  ])
  const isOwn = ({ userId, to, purpose }: OutboxMessage) => {
    if (purpose === 'report') return true
    const account = userId === null ? undefined : accounts.get(userId)
    const isKnown = account?.emailVerifiedAt || account?.role === 'admin'
    return isKnown && account.email?.toLowerCase() === to.toLowerCase()
  }
  const proven = new Set(mails.filter(isOwn))
  if (proven.size === mails.length) return proven
  const school = (await communication.read(transaction)).supportEmail.toLowerCase()
  return new Set(mails.filter((mail) => proven.has(mail) || mail.to.toLowerCase() === school))
}

const unprovenTurns = async (
  transaction: Knex.Transaction,
  mails: readonly OutboxMessage[],
  now: Date,
): Promise<Map<OutboxMessage, Turn>> => {
  const turns = new Map<OutboxMessage, Turn>()
  if (mails.length === 0) return turns
  const outbox = outboxRows(transaction)
  // Serializes counts of one mailbox; in one order, so that two jobs do not wait for each other.
  const mailboxes = [...new Set(mails.map(({ mailbox }) => `unproven mail ${mailbox}`))].toSorted()
  await transaction.raw(
    `select pg_advisory_xact_lock(hashtextextended(mailbox, 0)) from unnest(?::text[]) mailbox`,
    [mailboxes],
  )
  const sent = await outbox.sentToUnproven(mails, new Date(now.getTime() - dayMs), maxPerAccount)
  const held: { id: string; dueAt: Date }[] = []
  for (const mail of mails) {
    const { id, userId, mailbox } = mail
    const dueAt = roomAgainAt(
      mail,
      sent.filter((other) => other.mailbox === mailbox),
    )
    if (dueAt) {
      held.push({ id, dueAt })
      continue
    }
    turns.set(mail, { mail, others: mail.held ? await outbox.takeHeld(mail, maxGathered) : [], counts: true })
    sent.unshift({ mailbox: mailbox!, userId, at: now })
  }
  await outbox.hold(held)
  return turns
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
  const { subject, text } = mails[0]!
  if (mails.length === 1) return { subject, text }
  return {
    subject: `${mails.length} messages: ${subject}`,
    text: mails.map((mail) => `*** ${mail.subject} ***\n\n${mail.text}`).join('\n\n'),
  }
}
