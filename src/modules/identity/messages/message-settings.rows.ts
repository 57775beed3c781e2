import type { Knex } from 'knex'
import type { MessageSettings } from '#contracts/messages'

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
