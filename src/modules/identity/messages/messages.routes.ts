import {
  confirmPhone,
  getMessageSettings,
  getUserMessages,
  saveMessageSettings,
  saveUserMessages,
  stopReminders,
  verifyPhone,
  type MessageSettings,
  type ShownMessageSettings,
  type ShownMessages,
  type UserMessages,
} from '#contracts/messages'
import { anyone, onlyRoles, route, withFeature } from '#platform/http/route'
import type { phoneCommands } from './phone.commands'
import { schoolMoment } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { channelsOf } from './channels.decide'
import { readMessageSettings, writeMessageSettings, type KeptMessageSettings } from './message-settings.rows'
import { isInForce } from './phone-code.decide'
import { phoneCodeRows } from './phone-codes.rows'
import { smsDayRows } from './sms-days.rows'
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

  route(getMessageSettings, withFeature('settings'), () => commands.readMessageSettings()),

  route(saveMessageSettings, withFeature('settings'), ({ body, by }) =>
    commands.saveMessageSettings(body, by),
  ),
]

/** How a user wants to be written to, and what the school sends (families.md section 5). */
export const messageCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database

  const messagesOfUser = async (userId: number): Promise<ShownMessages> => {
    const [account, settings, code] = await Promise.all([
      userRows(knex).byId(userId),
      readMessageSettings(knex),
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

  const shownSettings = async (settings: KeptMessageSettings): Promise<ShownMessageSettings> => ({
    ...settings,
    smsAvailable: needs.sms !== null,
    ...(await smsDayRows(knex).counted(schoolMoment(needs.now(), needs.zone).date)),
  })

  return {
    messagesOfUser,

    /** Refuses with `phone_not_verified` whoever chooses SMS without having proven the phone. */
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

    /** Refuses with `stop_link_unknown` a link that was not sent by this school. Safe to repeat. */
    stopReminders: async (token: string): Promise<void> => {
      const userId = userOfStopToken(token, needs.signingKeys)
      if (userId === null)
        throw refuse(
          'stop_link_unknown',
          'This link is not complete, or too old. You can stop reminders under Messages in your profile',
        )
      await userRows(knex).update({ id: userId }, { reminders: false })
    },

    readMessageSettings: async (): Promise<ShownMessageSettings> =>
      shownSettings(await readMessageSettings(knex)),

    /** Refuses with `sms_unavailable` to switch SMS on where no gateway is set up. */
    saveMessageSettings: async (settings: MessageSettings, by: By): Promise<ShownMessageSettings> => {
      if (settings.sms && !needs.sms)
        throw refuse('sms_unavailable', 'SMS cannot be switched on: this installation has no SMS gateway')
      const saved = await knex.transaction(async (transaction) => {
        const old = await writeMessageSettings(transaction, settings)
        const changed = { ...old, ...settings, otherCountries: settings.otherCountries ?? old.otherCountries }
        await recordChanges(transaction, { ...by, at: needs.now() }, [
          { kind: 'settings', what: 'Message settings changed', old, new: changed },
        ])
        return changed
      })
      return shownSettings(saved)
    },
  }
}

/** Where the link of a reminder leads: a page with one button. */
export const stopPath = '/stop'

// 96 bits: short enough for an SMS, too many to try.
const signatureLength = 16

const sign = (body: string, key: string) =>
  createHmac('sha256', key).update(`stop-reminders.${body}`).digest('base64url').slice(0, signatureLength)

/** The token of a user's link that stops reminders. It is good as long as its key is; all it can do is that. */
export const stopToken = (userId: number, keys: readonly string[]): string => {
  const body = userId.toString(36)
  return `${body}.${sign(body, keys[0]!)}`
}

/** Whose token it is; null where it was not made here. */
const userOfStopToken = (token: string, keys: readonly string[]): number | null => {
  const [body = '', signature = '', ...rest] = token.split('.')
  const given = Buffer.from(signature)
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(sign(body, key))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return rest.length === 0 && isSigned ? Number.parseInt(body, 36) : null
}
