import type { Knex } from 'knex'
import type { MessageSettings } from '#contracts/messages'

const columns = ['sms', 'dailyCeiling', 'orderWithPhone', 'reminders'] as const

export const readMessageSettings = async (knex: Knex): Promise<MessageSettings> =>
  (await knex<MessageSettings>('identity.message_settings').first(...columns))!

/** Answers the settings that stood there before. */
export const writeMessageSettings = async (
  transaction: Knex.Transaction,
  settings: MessageSettings,
): Promise<MessageSettings> => {
  const rows = () => transaction<MessageSettings>('identity.message_settings')
  const before = await rows()
    .forUpdate()
    .first(...columns)
  await rows().update(settings)
  return before!
}
