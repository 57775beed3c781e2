import type { MessageSettings, ShownMessageSettings, ShownMessages, UserMessages } from '#contracts/messages'
import { schoolMoment } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { channelsOf } from './channels.decide'
import { readMessageSettings, writeMessageSettings } from './message-settings.rows'
import { isInForce } from './phone-code.decide'
import { phoneCodeRows } from './phone-codes.rows'
import { userOfStopToken } from './reminder-links.commands'
import { smsDayRows } from './sms-days.rows'

type Needs = Pick<IdentityNeeds, 'database' | 'now' | 'signingKeys' | 'sms' | 'zone'>

/** How a user wants to be written to, and what the school sends (families.md section 5). */
export const messageCommands = (needs: Needs) => {
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

  const shownSettings = async (settings: MessageSettings): Promise<ShownMessageSettings> => ({
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
      await knex.transaction(async (transaction) => {
        const old = await writeMessageSettings(transaction, settings)
        await recordChanges(transaction, { ...by, at: needs.now() }, [
          { kind: 'settings', what: 'Message settings changed', old, new: settings },
        ])
      })
      return shownSettings(settings)
    },
  }
}
