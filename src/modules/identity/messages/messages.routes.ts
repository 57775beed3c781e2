import {
  confirmPhone,
  getUserMessages,
  saveUserMessages,
  stopReminders,
  verifyPhone,
  type ShownMessages,
  type UserMessages,
} from '#contracts/messages'
import type { Messaging } from '#modules/messaging/index'
import { channelsOf, type Channel } from '#modules/messaging/published'
import type { Reader } from '#platform/database'
import { anyone, onlyRoles, route } from '#platform/http/route'
import type { Account } from '../accounts/account'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { isInForce } from './phone-code.decide'
import { phoneCodeRows } from './phone-codes.rows'
import type { phoneCommands } from './phone.commands'
import type { Knex } from 'knex'
import { createHmac, timingSafeEqual } from 'node:crypto'

type Commands = ReturnType<typeof messageCommands> & ReturnType<typeof phoneCommands>

const families = onlyRoles('parent', 'teacher')

export const messageRoutes = (commands: Commands) => [
  route(getUserMessages, families, ({ user }) => commands.messagesOfUser(user.userId)),

  route(saveUserMessages, families, ({ user, body }) => commands.saveMessagesOfUser(user.userId, body)),

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

/** families.md section 5. */
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
      channel,
      reminders,
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
    saveMessagesOfUser: async (userId: number, wish: UserMessages): Promise<ShownMessages> => {
      await knex.transaction(async (transaction) => {
        const users = userRows(transaction)
        const account = (await users.lock(userId))!
        const isNew = wish.channel !== account.messageChannel
        if (isNew && wish.channel !== 'mail' && !account.phoneVerifiedAt)
          throw refuse('phone_not_verified', 'Please verify your phone before you choose SMS')
        await users.update({ id: userId }, { messageChannel: wish.channel, reminders: wish.reminders })
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

type Row = Pick<Account, 'email' | 'phone' | 'phoneVerifiedAt' | 'messageChannel'>

export const reachedBy =
  ({ smsRuleAt }: Messaging) =>
  async (at: Reader, userId: number): Promise<Channel[]> => {
    const { rows } = await at.query<Row>(
      'select email, phone, "phoneVerifiedAt", "messageChannel" from identity.users where id = $1',
      [userId],
    )
    return rows[0] ? channelsOf(rows[0], await smsRuleAt(at), false) : []
  }

type Reminded = { userId: number; studentIds: number[] }

/** By id after `afterUserId`, at most `atMost`; with a child at the school. */
export const toRemind =
  (knex: Knex) =>
  async (afterUserId: number, atMost: number): Promise<Reminded[]> => {
    const { rows } = await knex.raw<{ rows: Reminded[] }>(
      `select account.id as "userId", array_agg(child.id order by child.id) as "studentIds"
       from identity.users account
       join identity.students child on child."userId" = account.id or coalesce(child."mergedInto", child.id) in
         (select "studentId" from identity.guardians where "userId" = account.id)
       where account.id > ? and account.role = 'parent' and account.reminders
         and account."deletedAt" is null and account."disabledAt" is null and child.grade <> 'teacher'
       group by account.id
       having bool_or(child."leftAt" is null and child."mergedInto" is null)
       order by account.id limit ?`,
      [afterUserId, atMost],
    )
    return rows
  }
