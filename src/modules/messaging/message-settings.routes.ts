import {
  getMessageSettings,
  saveMessageSettings,
  type MessageSettings,
  type ShownMessageSettings,
} from '#contracts/messages'
import { schoolMoment } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { route, withFeature, type Route } from '#platform/http/route'
import type { SmsRule } from './channels.decide'
import type { MessagingNeeds } from './needs'
import { refusal } from './refusals'
import { smsDayRows } from './sms-days.rows'
import type { Knex } from 'knex'

export const messageSettingsRoutes = (needs: MessagingNeeds): Route[] => [
  route(getMessageSettings, withFeature('settings'), async () =>
    shown(needs, await readMessageSettings(needs.database.knex)),
  ),

  route(saveMessageSettings, withFeature('settings'), ({ body, by }) => save(needs, body, by)),
]

const shown = async (
  needs: MessagingNeeds,
  settings: KeptMessageSettings,
): Promise<ShownMessageSettings> => ({
  ...settings,
  smsAvailable: needs.sms !== null,
  ...(await smsDayRows(needs.database.knex).counted(schoolMoment(needs.now(), needs.zone).date)),
})

/** Throws `sms_unavailable` without a gateway. */
const save = async (
  needs: MessagingNeeds,
  settings: MessageSettings,
  by: By,
): Promise<ShownMessageSettings> => {
  if (settings.sms && !needs.sms) throw refusal('sms_unavailable')
  const saved = await needs.database.knex.transaction(async (transaction) => {
    const old = await writeMessageSettings(transaction, settings)
    const changed = { ...old, ...settings, otherCountries: settings.otherCountries ?? old.otherCountries }
    await recordChanges(transaction, { ...by, at: needs.now() }, [
      { kind: 'settings', what: 'Message settings changed', old, new: changed },
    ])
    return changed
  })
  return shown(needs, saved)
}

const columns = ['sms', 'dailyCeiling', 'otherCountries', 'orderWithPhone', 'reminders'] as const

export type KeptMessageSettings = Required<MessageSettings>

export const readMessageSettings = async (knex: Knex): Promise<KeptMessageSettings> =>
  (await knex<KeptMessageSettings>('identity.message_settings').first(...columns))!

/** Answers the settings that stood there before. */
const writeMessageSettings = async (
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

export const smsRuleAt = async (at: Reader): Promise<SmsRule> => {
  const { rows } = await at.query<SmsRule>('select sms, "otherCountries" from identity.message_settings')
  return rows[0]!
}
