import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { ConsumeCall } from '#platform/http/rate-limits'
import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'
import type { Ports } from '#platform/ports'
import type { Addressee, Mail } from './letters'

export type MessagingNeeds = Ports & {
  /** Shared by all processes, as the HTTP server's. */
  rateLimits: ConsumeCall | 'off'
  addressees: {
    byIds: (knex: Knex, userIds: readonly number[]) => Promise<ReadonlyMap<number, Addressee>>
    superadmins: (knex: Knex) => Promise<Addressee[]>
    /** Leads to the page where the signed-in owner confirms that the address is theirs; signs nobody in. */
    confirmLink: (userId: number, email: string) => string
  }
}

/** One mailbox: ignores plus suffixes and Gmail dots. Phones stay. */
export const mailboxOf = (to: string): string => {
  const [local = '', host] = to.trim().toLowerCase().split('@')
  if (host === undefined) return local
  const name = local.split('+')[0] || local
  return /^(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Somebody can trigger these to addresses of others. */
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

type Written = Mail & { channel?: 'mail' | 'sms'; purpose?: Purpose }

/** `report`: to addresses that the school wrote into its settings. */
type Purpose = 'message' | 'account' | 'code' | 'password' | 'report'

/** The same id (UUID) is one message. */
type About = { userId: number | null; id?: string | undefined; expiresAt?: Date | undefined }

export type NewMessage = { written: Written; about: About }

export type OutboxMessage = {
  id: string
  channel: 'mail' | 'sms'
  purpose: Purpose
  userId: number | null
  to: string
  mailbox: string | null
  held: boolean
  /** Counts against an unverified mailbox. */
  unproven: boolean
  replyTo: string | null
  subject: string
  text: string
  short: string | null
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
  /** Of a letter to an address of the register: the account that has the children now. */
  claimedBy: number | null
}

const firstRetryMs = 30_000
const maxRetryMs = 3_600_000
const giveUpAfterMs = 24 * 3_600_000

const erased = { text: '', short: null }

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** Erases text once it is no longer needed. */
export const outboxRows = (knex: Knex) => {
  const outbox = () => knex<OutboxMessage>('messaging.mail_outbox')
  const unsent = () => outbox().whereNull('sentAt').whereNull('givenUpAt')
  return {
    /** A known id is not written again. */
    add: async (
      messages: readonly NewMessage[],
      at: Date,
    ): Promise<Pick<OutboxMessage, 'id' | 'channel'>[]> => {
      if (messages.length === 0) return []
      const rows = messages.map(({ written, about: { id = v7(), ...about } }) => {
        const mailbox = written.channel === 'sms' ? null : mailboxOf(written.to)
        return { id, ...about, ...written, mailbox, createdAt: at, dueAt: later(at, firstRetryMs) }
      })
      await outbox().insert(rows).onConflict('id').ignore()
      return rows.map(({ id, channel = 'mail' }) => ({ id, channel }))
    },

    /** One statement; sweeps send a hundred at a time. */
    addAll: async (mails: readonly Mail[], claimedBy: number | null, at: Date): Promise<void> => {
      if (mails.length === 0) return
      const rows = mails.map((mail) => {
        const mailbox = mailboxOf(mail.to)
        return { id: v7(), userId: null, claimedBy, ...mail, mailbox, createdAt: at, dueAt: at }
      })
      await knex.batchInsert('messaging.mail_outbox', rows, 500)
    },

    known: async (ids: readonly string[]): Promise<Set<string>> =>
      new Set(
        await outbox()
          .whereRaw('id = any(?::uuid[])', [[...ids]])
          .pluck('id'),
      ),

    /** Those of `ids` that are not done and not another worker's. */
    take: (ids: readonly string[]): Promise<OutboxMessage[]> =>
      unsent()
        .whereRaw('id = any(?::uuid[])', [[...ids]])
        .forUpdate()
        .skipLocked(),

    lock: (id: string): Promise<OutboxMessage | undefined> => unsent().where({ id }).forUpdate().first(),

    removeOf: async (userId: number): Promise<void> => {
      await outbox().where({ userId }).orWhere({ claimedBy: userId }).delete()
    },

    /** Letters to these addresses that belong to nobody yet. */
    claimLetters: async (addresses: readonly string[], claimedBy: number): Promise<void> => {
      await outbox()
        .where({ userId: null, claimedBy: null })
        .whereNot({ purpose: 'report' })
        .whereIn('mailbox', addresses.map(mailboxOf))
        .update({ claimedBy })
    },

    removeTo: async (address: string): Promise<void> => {
      await outbox()
        .where({ userId: null, mailbox: mailboxOf(address) })
        .delete()
    },

    forgetWords: async (words: FamilyWords): Promise<void> => {
      const found: OutboxMessage[] = await mayHold(
        knex('messaging.mail_outbox'),
        "subject || ' ' || text || ' ' || coalesce(short, '')",
        words,
      )
      for (const { id, subject, text, short } of found)
        await outbox()
          .where({ id })
          .update({
            subject: withoutWords(subject, words),
            text: withoutWords(text, words),
            short: short === null ? null : withoutWords(short, words),
          })
    },

    /** Due again after `lastsMs` unless recorded. Those of `unproven` count against their mailboxes. */
    markCalled: async (
      ids: readonly string[],
      at: Date,
      lastsMs: number,
      unproven: readonly string[] = [],
    ): Promise<void> => {
      await outbox()
        .whereRaw('id = any(?::uuid[])', [[...ids]])
        .update({
          calledAt: at,
          dueAt: later(at, lastsMs),
          unproven: knex.raw('id = any(?::uuid[])', [[...unproven]]),
        })
    },

    unclaim: async (id: string, at: Date): Promise<void> => {
      await outbox().where({ id }).update({ calledAt: null, dueAt: at })
    },

    waitUntil: async (id: string, dueAt: Date): Promise<void> => {
      await outbox().where({ id }).update({ dueAt })
    },

    /** Skips messages called again or recorded since `calledAt`. */
    markSent: async (ids: readonly string[], calledAt: Date, at: Date): Promise<void> => {
      await unsent()
        .whereIn('id', [...ids])
        .where({ calledAt })
        .update({ sentAt: at, calledAt: null, failure: null, ...erased, held: false })
    },

    /** Sent or handed over after `since` to these unverified mailboxes, but for `mails`; newest first, at most `atMost` each. */
    sentToUnproven: async (
      mails: readonly OutboxMessage[],
      since: Date,
      atMost: number,
    ): Promise<{ mailbox: string; userId: number | null; at: Date }[]> => {
      const { rows } = await knex.raw<{ rows: { mailbox: string; userId: number | null; at: Date }[] }>(
        `select asked.mailbox, sent.* from unnest(?::text[]) as asked (mailbox) cross join lateral (
           select "userId", coalesce("sentAt", "calledAt") as at from messaging.mail_outbox
           where mailbox = asked.mailbox and unproven and id <> all(?::uuid[]) and coalesce("sentAt", "calledAt") > ?
           order by coalesce("sentAt", "calledAt") desc limit ?) sent`,
        [
          [...new Set(mails.flatMap(({ mailbox }) => mailbox ?? []))],
          mails.map(({ id }) => id),
          since,
          atMost,
        ],
      )
      return rows
    },

    hold: async (mails: readonly { id: string; dueAt: Date }[]): Promise<void> => {
      if (mails.length === 0) return
      await knex.raw(
        `update messaging.mail_outbox mail set held = true, "dueAt" = later."dueAt"
         from unnest(?::uuid[], ?::timestamptz[]) as later (id, "dueAt") where mail.id = later.id`,
        [mails.map(({ id }) => id), mails.map(({ dueAt }) => dueAt)],
      )
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
      await outbox()
        .where({ id })
        .update({ givenUpAt: at, calledAt: null, failure: why, unclear, ...erased })
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
          ...(tooOld && { givenUpAt: at, ...erased }),
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
