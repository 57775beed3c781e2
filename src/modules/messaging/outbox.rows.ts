import type { Addressee, Mail } from './letters'
import type { Knex } from 'knex'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Ports } from '#platform/ports'
import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'
import { createHash } from 'node:crypto'
import { v7 } from 'uuid'

export type MessagingNeeds = Ports & {
  /** Shared by all processes, as the HTTP server's. */
  rateLimits: ConsumeCall | 'off'
  /** As the database or a transaction sees them. */
  addressees: {
    byId: (knex: Knex, userId: number) => Promise<Addressee | undefined>
    superadmins: (knex: Knex) => Promise<Addressee[]>
  }
}

/** One mailbox: ignores plus suffixes and Gmail dots. Phones stay. */
export const mailboxOf = (to: string): string => {
  const [local = '', host] = to.trim().toLowerCase().split('@')
  if (host === undefined) return local
  const name = local.split('+')[0] || local
  return /^(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Messages that somebody can trigger to foreign addresses. */
type Kind = 'verification' | 'temporary-password' | 'guardian-invite' | 'phone-code'

/** Three per hour and address or number. Answers 0, or whole seconds to wait. */
export const consumeMail = async (
  { rateLimits }: MessagingNeeds,
  kind: Kind,
  to: string,
): Promise<number> => {
  if (rateLimits === 'off') return 0
  const key = createHash('sha256').update(mailboxOf(to)).digest('base64url')
  return rateLimits({ name: `mail-${kind}`, points: 3, seconds: 3600 }, key)
}

export type Written = Mail & { channel?: 'mail' | 'sms'; purpose?: Purpose }

/** Codes, passwords and account mails have shares of the day. */
type Purpose = 'message' | 'account' | 'code' | 'password'

/** User, and expiry. The same id (UUID) is one message. */
export type About = { userId: number; id?: string | undefined; expiresAt?: Date | undefined }

export type OutboxMessage = {
  id: string
  channel: 'mail' | 'sms'
  purpose: Purpose
  userId: number | null
  to: string
  mailbox: string | null
  /** Waits to be merged when the mailbox has room. */
  held: boolean
  /** Counts against an unverified mailbox. */
  unproven: boolean
  replyTo: string | null
  subject: string
  text: string
  attempts: number
  createdAt: Date
  dueAt: Date
  /** Since when the server is being called. */
  calledAt: Date | null
  expiresAt: Date | null
  sentAt: Date | null
  givenUpAt: Date | null
  unclear: boolean
  failure: string | null
}

const firstRetryMs = 30_000
const maxRetryMs = 3_600_000
const giveUpAfterMs = 24 * 3_600_000

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** Text is erased once no longer needed. */
export const outboxRows = (knex: Knex) => {
  const outbox = () => knex<OutboxMessage>('identity.mail_outbox')
  const unsent = () => outbox().whereNull('sentAt').whereNull('givenUpAt')
  return {
    add: async (written: Written, { id = v7(), ...about }: About, at: Date): Promise<string> => {
      const mailbox = written.channel === 'sms' ? null : mailboxOf(written.to)
      const row = { id, ...about, ...written, mailbox, createdAt: at, dueAt: later(at, firstRetryMs) }
      await outbox().insert(row).onConflict('id').ignore()
      return id
    },

    /** One statement; sweeps send a hundred at a time. */
    addAll: async (mails: readonly Mail[], at: Date): Promise<void> => {
      if (mails.length === 0) return
      const rows = mails.map((mail) => {
        const mailbox = mailboxOf(mail.to)
        return { id: v7(), userId: null, ...mail, mailbox, createdAt: at, dueAt: at }
      })
      await knex.batchInsert('identity.mail_outbox', rows, 500)
    },

    isKnown: async (ids: readonly string[]): Promise<boolean> =>
      (await outbox()
        .whereIn('id', [...ids])
        .first('id')) !== undefined,

    /** Undefined if done or another worker's. */
    take: (id: string): Promise<OutboxMessage | undefined> =>
      unsent().where({ id }).forUpdate().skipLocked().first(),

    lock: (id: string): Promise<OutboxMessage | undefined> => unsent().where({ id }).forUpdate().first(),

    removeOf: async (userId: number): Promise<void> => {
      await outbox().where({ userId }).delete()
    },

    removeTo: async (address: string): Promise<void> => {
      await outbox()
        .where({ userId: null, mailbox: mailboxOf(address) })
        .delete()
    },

    /** Removes the family from others' messages. */
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

    /** Due again after `lastsMs` unless recorded. */
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

    /** Its carrier mail failed: waits again. */
    unclaim: async (id: string, at: Date): Promise<void> => {
      await outbox().where({ id }).update({ calledAt: null, dueAt: at })
    },

    waitUntil: async (id: string, dueAt: Date): Promise<void> => {
      await outbox().where({ id }).update({ dueAt })
    },

    /** Handed over at `calledAt` and unrecorded. */
    markSent: async (ids: readonly string[], calledAt: Date, at: Date): Promise<void> => {
      await unsent()
        .whereIn('id', [...ids])
        .where({ calledAt })
        .update({ sentAt: at, calledAt: null, failure: null, text: '', held: false })
    },

    /** To unverified mailboxes, or handed over, after `since`; newest first. */
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

    /** Doubles the pause up to an hour; gives up after a day. */
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

    /** Up to 100 due ones, due again in half a minute. */
    takeDue: async (at: Date): Promise<Pick<OutboxMessage, 'id' | 'channel'>[]> => {
      const due = unsent().where('dueAt', '<=', at).orderBy('dueAt').limit(100).forUpdate().skipLocked()
      return outbox()
        .whereIn('id', due.select('id'))
        .update({ dueAt: later(at, firstRetryMs) })
        .returning(['id', 'channel'])
    },
  }
}
