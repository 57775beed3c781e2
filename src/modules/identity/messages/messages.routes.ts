import { createHmac, timingSafeEqual, randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import {
  confirmPhone,
  getUserMessages,
  saveUserMessages,
  stopReminders,
  verifyPhone,
  type ShownMessages,
} from '#contracts/messages'
import { internationalPhone } from '#kernel/phone-number'
import type { Messaging } from '#modules/messaging/index'
import { channelsOf, isAllowedNumber, oneSms, type Channel } from '#modules/messaging/published'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { callerKey } from '#platform/http/rate-limits'
import { tooManyRequests } from '#platform/http/request'
import { anyone, onlyRoles, route, type RateLimit } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { deleteUntil, type Retention } from '#platform/retention'
import { noteLastChange, refuseChanged, withVersion } from '#platform/versions'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { entriesOf } from '../students/guardians.rows'
import type { Account } from '../users/account.decide'
import {
  isInForce,
  decideCodeInForce,
  phoneCodeMinutes,
  wrongCode,
  phoneCodeTries,
  type PhoneCode,
} from '../users/credentials.decide'
import { userRows } from '../users/users.rows'

type Commands = ReturnType<typeof messageCommands> & ReturnType<typeof phoneCommands>

const families = onlyRoles('parent', 'teacher')

export const messageRoutes = (commands: Commands) => [
  route(getUserMessages, families, ({ user }) => commands.messagesOfUser(user.userId)),

  route(saveUserMessages, families, ({ user, body, by }) =>
    commands.saveMessagesOfUser(user.userId, body, by),
  ),

  route(
    verifyPhone,
    families,
    async ({ user, ip }) => {
      await commands.sendCode({ userId: user.userId, ip })
      return { message: 'We have sent you a code' }
    },
    { limit: { name: 'phone-verify', points: 5, seconds: 3600, by: 'user' } },
  ),

  route(
    confirmPhone,
    families,
    async ({ user, body }) => {
      await commands.confirmPhone(user.userId, body.code)
      return { message: 'Your phone is verified' }
    },
    { limit: { name: 'phone-confirm', points: 20, seconds: 3600, by: 'user' } },
  ),

  route(
    stopReminders,
    anyone,
    async ({ body }) => {
      await commands.stopReminders(body.token)
      return { message: 'You will get no more reminders' }
    },
    { limit: { name: 'stop-reminders', points: 300, seconds: 300 } },
  ),
]

const messagesRecord = (userId: number): string => `messages:${userId}`

export const messageCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database

  const messagesOfUser = async (userId: number): Promise<ShownMessages> => {
    const [account, settings, code] = await Promise.all([
      userRows(knex).byId(userId),
      needs.messaging.settings(),
      phoneCodeRows(knex).read(userId),
    ])
    const { messageChannel: channel, reminders, phoneVerifiedAt, phone, role } = account!
    return {
      ...withVersion(messagesRecord(userId), { channel, reminders }),
      smsOffered: settings.sms,
      phoneVerified: phoneVerifiedAt !== null,
      codeUntil: isInForce(code, phone, needs.now()) ? code.expiresAt.toISOString() : null,
      goesTo: channelsOf(account!, settings, false),
      remindersOffered: settings.reminders && role === 'parent',
    }
  }

  return {
    messagesOfUser,

    /** Throws `phone_not_verified` for SMS without a verified phone. */
    saveMessagesOfUser: async (
      userId: number,
      { version, ...wish }: BodyOf<typeof saveUserMessages>,
      by: By,
    ): Promise<ShownMessages> => {
      await knex.transaction(async (transaction) => {
        const users = userRows(transaction)
        const account = (await users.lock(userId))!
        const record = messagesRecord(userId)
        const now = { channel: account.messageChannel, reminders: account.reminders }
        await refuseChanged(transaction, { record, version, now, yours: wish })
        const isNew = wish.channel !== account.messageChannel
        if (isNew && wish.channel !== 'mail' && !account.phoneVerifiedAt)
          throw refuse('phone_not_verified', 'Please verify your phone before you choose SMS')
        await users.update({ id: userId }, { messageChannel: wish.channel, reminders: wish.reminders })
        await noteLastChange(transaction, { ...by, at: needs.now() }, [record])
      })
      return messagesOfUser(userId)
    },

    /** Throws `stop_link_unknown`. Repeatable. */
    stopReminders: async (token: string): Promise<void> => {
      const userId = userOfStopToken(token, needs.signingKeys)
      if (userId === null)
        throw refuse(
          'stop_link_unknown',
          'This link is not complete, or too old. You can stop reminders under Messages in your profile',
        )
      await userRows(knex).update({ id: userId }, { reminders: false })
    },
  }
}

export const stopPath = '/stop'

// 96 bits: fits an SMS, too many to guess.
const signatureLength = 16

const sign = (body: string, key: string) =>
  createHmac('sha256', key).update(`stop-reminders.${body}`).digest('base64url').slice(0, signatureLength)

/** Valid as long as its key; it only stops reminders. */
export const stopToken = (userId: number, keys: readonly string[]): string => {
  const body = userId.toString(36)
  return `${body}.${sign(body, keys[0]!)}`
}

const userOfStopToken = (token: string, keys: readonly string[]): number | null => {
  const [body = '', signature = '', ...rest] = token.split('.')
  const given = Buffer.from(signature)
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(sign(body, key))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return rest.length === 0 && isSigned ? Number.parseInt(body, 36) : null
}

type Contact = Pick<Account, 'email' | 'phone' | 'phoneVerifiedAt' | 'messageChannel'>

export const reachedBy =
  ({ smsRuleAt }: Messaging) =>
  async (at: Reader, userId: number): Promise<Channel[]> => {
    const { rows } = await at.query<Contact>(
      'select email, phone, "phoneVerifiedAt", "messageChannel" from identity.users where id = $1',
      [userId],
    )
    return rows[0] ? channelsOf(rows[0], await smsRuleAt(at), false) : []
  }

type Reminded = { userId: number; studentIds: number[] }

/** By id after `afterUserId`, at most `atMost`. Only users with a child at the school. */
export const toRemind =
  (knex: Knex) =>
  async (afterUserId: number, atMost: number): Promise<Reminded[]> => {
    const { rows } = await knex.raw<{ rows: Reminded[] }>(
      `select account.id as "userId", array_agg(distinct child.id order by child.id) as "studentIds"
       from identity.users account
       cross join lateral (${entriesOf('account.id')}) entry
       join identity.students child on child.id = entry.id
       where account.id > ? and account.role = 'parent' and account.reminders
         and account."deletedAt" is null and account."disabledAt" is null and child.grade <> 'teacher'
       group by account.id
       having bool_or(child."leftAt" is null and child."mergedInto" is null)
       order by account.id limit ?`,
      [afterUserId, atMost],
    )
    return rows
  }

/** HMAC, not a hash: a million codes are few, and the key is not in the database. */
const hashOf = (about: { userId: number; phone: string; code: string }, key: string) =>
  createHmac('sha256', key).update(`phone-code.${about.userId}.${about.phone}.${about.code}`).digest()

const isCode = (about: Parameters<typeof hashOf>[0], hash: string, keys: readonly string[]) =>
  keys.some((key) => timingSafeEqual(hashOf(about, key), Buffer.from(hash, 'base64url')))

// SMS cost money.
const codesOfAccount: RateLimit = { name: 'phone-codes-account', points: 10, seconds: 86_400 }
const codesOfAddress: RateLimit = { name: 'phone-codes-address', points: 60, seconds: 3600 }

const takeCodeOf = async (
  needs: IdentityNeeds,
  { userId, ip, to }: { userId: number; ip: string; to: string },
): Promise<void> => {
  if (needs.rateLimits === 'off') return
  const waits = [
    await needs.rateLimits(codesOfAccount, `user:${userId}`),
    await needs.rateLimits(codesOfAddress, callerKey(ip)),
    await needs.messaging.consumeMail('phone-code', to),
  ]
  const wait = Math.max(...waits)
  if (wait > 0) throw tooManyRequests(wait)
}

export const phoneCommands = (needs: IdentityNeeds) => ({
  /** Throws `sms_off`, `phone_not_usable`, `phone_verified_already`, `sms_ceiling_reached` and `too_many_requests`. */
  sendCode: ({ userId, ip }: { userId: number; ip: string }): Promise<void> =>
    needs.messaging.withMail(async (transaction, post) => {
      const { messaging } = needs
      const account = (await userRows(transaction).lock(userId))!
      const settings = await messaging.settings(transaction)
      if (!needs.sms || !settings.sms) throw refuse('sms_off', 'The school does not send SMS')
      const to = account.phone === null ? null : internationalPhone(account.phone)
      if (account.phone === null || to === null)
        throw refuse('phone_not_usable', 'Save a mobile number in your profile first')
      if (!isAllowedNumber(to, settings))
        throw refuse(
          'phone_not_usable',
          'The school sends SMS to numbers of Zambia (+260) only. Please save such a number in your profile',
        )
      if (account.phoneVerifiedAt) throw refuse('phone_verified_already', 'This phone is already verified')
      const now = needs.now()
      const isFull = await messaging.isSmsDayFull(transaction, settings, 'message')
      if (isFull || !(await messaging.takeSmsCode(transaction, settings)))
        throw refuse('sms_ceiling_reached', 'No more codes can be sent today. Please try again tomorrow')
      await takeCodeOf(needs, { userId, ip, to })
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const about = { userId, phone: account.phone }
      const expiresAt = new Date(now.getTime() + phoneCodeMinutes * 60_000)
      const codeHash = hashOf({ ...about, code }, needs.signingKeys[0]!).toString('base64url')
      await phoneCodeRows(transaction).put({ ...about, codeHash, expiresAt })
      const text = oneSms(
        (school) => `${code} is your code for ${school}. It is valid for ${phoneCodeMinutes} minutes.`,
        needs.schoolName,
      )
      await post(
        { channel: 'sms', purpose: 'code', to, subject: 'Code to verify your phone', text },
        { userId, expiresAt },
      )
    }),

  /** Throws `phone_code_not_asked`, `phone_code_expired`, `phone_code_wrong`. */
  confirmPhone: async (userId: number, code: string): Promise<void> => {
    const triesLeft = await needs.database.knex.transaction(async (transaction) => {
      const account = (await userRows(transaction).lock(userId))!
      const codes = phoneCodeRows(transaction)
      const asked = await codes.lock(userId)
      decideCodeInForce(asked, account.phone, needs.now())
      const { phone, codeHash } = asked!
      if (!isCode({ userId, phone, code }, codeHash, needs.signingKeys)) return codes.countTry(userId)
      await userRows(transaction).update({ id: userId }, { phoneVerifiedAt: needs.now() })
      await codes.remove(userId)
      return null
    })
    // Commits the counted try.
    if (triesLeft !== null) throw wrongCode(triesLeft)
  },
})

type PhoneCodeRow = PhoneCode & { userId: number; codeHash: string }

export const phoneCodeRows = (knex: Knex) => {
  const codes = () => knex<PhoneCodeRow>('identity.phone_codes')
  return {
    put: async (code: Pick<PhoneCodeRow, 'userId' | 'phone' | 'codeHash' | 'expiresAt'>): Promise<void> => {
      await codes()
        .insert({ ...code, triesLeft: phoneCodeTries })
        .onConflict('userId')
        .merge()
    },

    read: (userId: number): Promise<PhoneCodeRow | undefined> => codes().where({ userId }).first(),

    lock: (userId: number): Promise<PhoneCodeRow | undefined> =>
      codes().where({ userId }).forUpdate().first(),

    countTry: async (userId: number): Promise<number> => {
      const [row] = await codes().where({ userId }).decrement('triesLeft', 1).returning('triesLeft')
      return row!.triesLeft
    },

    remove: async (userId: number): Promise<void> => {
      await codes().where({ userId }).delete()
    },
  }
}

export const phoneCodeRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.phone_codes',
  about: 'Codes that verify a phone',
  kept: 'until the phone is verified, 10 minutes at most',
  remove: deleteUntil(pool, 'identity.phone_codes', '"expiresAt" <= $1', now),
})
