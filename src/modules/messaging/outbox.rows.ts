import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'
import type { Mail } from './letters'
import type { MessagingNeeds } from './needs'
import type { Knex } from 'knex'
import { createHash } from 'node:crypto'
import { v7 } from 'uuid'

/**
 * Whose mailbox an address is: what stands behind a plus, and the dots of Gmail, make other addresses but no other
 * mailbox. A phone number is its own.
 */
export const mailboxOf = (to: string): string => {
  const [local = '', host] = to.trim().toLowerCase().split('@')
  if (host === undefined) return local
  const name = local.split('+')[0] || local
  return /^(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Messages that somebody can cause to an address or a number that need not be theirs. */
type Kind = 'verification' | 'temporary-password' | 'guardian-invite' | 'phone-code'

/**
 * Takes one message of this kind from the budget of an address or number: three an hour, whoever causes them. Answers 0, or the whole
 * seconds until it may have another.
 */
export const consumeMail = async (
  { rateLimits }: MessagingNeeds,
  kind: Kind,
  to: string,
): Promise<number> => {
  if (rateLimits === 'off') return 0
  const key = createHash('sha256').update(mailboxOf(to)).digest('base64url')
  return rateLimits({ name: `mail-${kind}`, points: 3, seconds: 3600 }, key)
}

/** What is written to somebody: a mail, or an SMS whose `to` is a number in the international form. */
export type Written = Mail & { channel?: 'mail' | 'sms'; purpose?: Purpose }

/** What it is for: codes, temporary passwords and what proves or guards an account have shares of the day. */
type Purpose = 'message' | 'account' | 'code' | 'password'

/** Whose name or address a message holds, and from when on it is of no use. The same id (a UUID) is one message. */
export type About = { userId: number; id?: string | undefined; expiresAt?: Date | undefined }

export type OutboxMessage = {
  id: string
  channel: 'mail' | 'sms'
  purpose: Purpose
  /** Whose name or address it holds. */
  userId: number | null
  to: string
  /** Whose mailbox a mail goes to. */
  mailbox: string | null
  /** Waits for the mailbox to have room again, to be gathered with the others that wait for it. */
  held: boolean
  /** Counts as one of a mailbox that nobody has verified. */
  unproven: boolean
  replyTo: string | null
  subject: string
  text: string
  attempts: number
  createdAt: Date
  dueAt: Date
  /** Since when the mail server or the SMS gateway is being asked. */
  calledAt: Date | null
  expiresAt: Date | null
  sentAt: Date | null
  givenUpAt: Date | null
  /** Given up because it may have been sent. */
  unclear: boolean
  /** Why the last try came to nothing. */
  failure: string | null
}

const firstRetryMs = 30_000
const maxRetryMs = 3_600_000
const giveUpAfterMs = 24 * 3_600_000

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/**
 * The rows of `identity.mail_outbox`, mails and SMS. A message's text is blanked as soon as nobody needs it any more.
 */
export const outboxRows = (knex: Knex) => {
  const outbox = () => knex<OutboxMessage>('identity.mail_outbox')
  const unsent = () => outbox().whereNull('sentAt').whereNull('givenUpAt')
  return {
    /** Writes a message in the transaction of the change that it is about; answers its id. */
    add: async (written: Written, { id = v7(), ...about }: About, at: Date): Promise<string> => {
      const mailbox = written.channel === 'sms' ? null : mailboxOf(written.to)
      const row = { id, ...about, ...written, mailbox, createdAt: at, dueAt: later(at, firstRetryMs) }
      await outbox().insert(row).onConflict('id').ignore()
      return id
    },

    /** Writes many mails to people without accounts in one statement; the next sweeps send them, a hundred at a time. */
    addAll: async (mails: readonly Mail[], at: Date): Promise<void> => {
      if (mails.length === 0) return
      const rows = mails.map((mail) => {
        const mailbox = mailboxOf(mail.to)
        return { id: v7(), userId: null, ...mail, mailbox, createdAt: at, dueAt: at }
      })
      await knex.batchInsert('identity.mail_outbox', rows, 500)
    },

    /** Whether one of these was written before. */
    isKnown: async (ids: readonly string[]): Promise<boolean> =>
      (await outbox()
        .whereIn('id', [...ids])
        .first('id')) !== undefined,

    /** The message, locked until the transaction ends; undefined when it is done with or another worker has it. */
    take: (id: string): Promise<OutboxMessage | undefined> =>
      unsent().where({ id }).forUpdate().skipLocked().first(),

    /** The message, locked until the transaction ends; undefined when it is done with. */
    lock: (id: string): Promise<OutboxMessage | undefined> => unsent().where({ id }).forUpdate().first(),

    /** Forgets every message that holds a name or an address of this user, sent or not. */
    removeOf: async (userId: number): Promise<void> => {
      await outbox().where({ userId }).delete()
    },

    /** Forgets mails to this address that are about no account. */
    removeTo: async (address: string): Promise<void> => {
      await outbox()
        .where({ userId: null, mailbox: mailboxOf(address) })
        .delete()
    },

    /** What was written to others names this family no more. */
    forgetWords: async (words: FamilyWords): Promise<void> => {
      const found: OutboxMessage[] = await mayHold(
        knex('identity.mail_outbox'),
        "subject || ' ' || text",
        words,
      )
      for (const { id, subject, text } of found)
        await outbox()
          .where({ id })
          .update({ subject: withoutWords(subject, words), text: withoutWords(text, words) })
    },

    /** Its server is asked from now on; due again after `lastsMs`, when nobody has written down what came of it. */
    markCalled: async (
      id: string,
      at: Date,
      lastsMs: number,
      more: { unproven?: boolean } = {},
    ): Promise<void> => {
      await outbox()
        .where({ id })
        .update({ calledAt: at, dueAt: later(at, lastsMs), ...more })
    },

    /** One that was to go out with another that could not be sent waits for its turn again. */
    unclaim: async (id: string, at: Date): Promise<void> => {
      await outbox().where({ id }).update({ calledAt: null, dueAt: at })
    },

    waitUntil: async (id: string, dueAt: Date): Promise<void> => {
      await outbox().where({ id }).update({ dueAt })
    },

    /** Those of these messages that were handed over at `calledAt` and that nobody has noted since. */
    markSent: async (ids: readonly string[], calledAt: Date, at: Date): Promise<void> => {
      await unsent()
        .whereIn('id', [...ids])
        .where({ calledAt })
        .update({ sentAt: at, calledAt: null, failure: null, text: '', held: false })
    },

    /** When the latest mails beside this one went to a mailbox whose owner nobody knows, or were handed over, after `since`, the newest first. */
    sentToUnproven: (
      { id, mailbox }: OutboxMessage,
      since: Date,
      atMost: number,
    ): Promise<{ userId: number | null; at: Date }[]> =>
      outbox()
        .where({ mailbox, unproven: true })
        .whereNot({ id })
        .whereRaw('coalesce("sentAt", "calledAt") > ?', [since])
        .orderByRaw('coalesce("sentAt", "calledAt") desc')
        .limit(atMost)
        .select('userId', knex.raw('coalesce("sentAt", "calledAt") as at')),

    hold: async (id: string, dueAt: Date): Promise<void> => {
      await outbox().where({ id }).update({ held: true, dueAt })
    },

    /** What waits for a mailbox beside this message, locked, the oldest first. */
    takeHeld: ({ id, mailbox }: OutboxMessage, atMost: number): Promise<OutboxMessage[]> =>
      unsent()
        .where({ mailbox, held: true })
        .whereNot({ id })
        .orderBy('createdAt')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),

    giveUp: async (
      id: string,
      at: Date,
      { why, unclear }: { why: string; unclear: boolean },
    ): Promise<void> => {
      await outbox().where({ id }).update({ givenUpAt: at, calledAt: null, failure: why, unclear, text: '' })
    },

    /** After a failed try: due again later, twice as long each time up to an hour; given up after a day. */
    postpone: async (message: OutboxMessage, at: Date, why: string): Promise<void> => {
      const attempts = message.attempts + 1
      const delay = Math.min(firstRetryMs * 2 ** attempts, maxRetryMs)
      const tooOld = at.getTime() - message.createdAt.getTime() >= giveUpAfterMs
      await outbox()
        .where({ id: message.id })
        .update({
          attempts,
          dueAt: later(at, delay),
          calledAt: null,
          unproven: false,
          failure: why,
          ...(tooOld && { givenUpAt: at, text: '' }),
        })
    },

    /** Takes up to 100 messages that are due and makes them due again in half a minute. */
    takeDue: async (at: Date): Promise<Pick<OutboxMessage, 'id' | 'channel'>[]> => {
      const due = unsent().where('dueAt', '<=', at).orderBy('dueAt').limit(100).forUpdate().skipLocked()
      return outbox()
        .whereIn('id', due.select('id'))
        .update({ dueAt: later(at, firstRetryMs) })
        .returning(['id', 'channel'])
    },
  }
}
