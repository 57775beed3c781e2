import type { Knex } from 'knex'
import type { MessageSettings } from '#contracts/messages'
import type { Reader } from '#platform/database'
import type { SmsRule } from './channels.decide'

const columns = ['sms', 'dailyCeiling', 'otherCountries', 'orderWithPhone', 'reminders'] as const

/** The settings as they are kept. */
export type KeptMessageSettings = Required<MessageSettings>

export const readMessageSettings = async (knex: Knex): Promise<KeptMessageSettings> =>
  (await knex<KeptMessageSettings>('identity.message_settings').first(...columns))!

/** Answers the settings that stood there before. */
export const writeMessageSettings = async (
  transaction: Knex.Transaction,
  settings: MessageSettings,
): Promise<KeptMessageSettings> => {
  const rows = () => transaction<KeptMessageSettings>('identity.message_settings')
  const before = await rows()
    .forUpdate()
    .first(...columns)
  await rows().update(settings)
  return before!
}

/** Where SMS may go, as this connection sees it. */
export const smsRuleAt = async (at: Reader): Promise<SmsRule> => {
  const { rows } = await at.query<SmsRule>('select sms, "otherCountries" from identity.message_settings')
  return rows[0]!
}
