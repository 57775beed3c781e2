import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import { getMessageSettings, saveMessageSettings, type ShownMessageSettings } from '#contracts/messages'
import type { UserMessage } from '#kernel/meal-line'
import { schoolMoment } from '#kernel/school-time'
import { saveSettings } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, withFeature, type Principal, type Route } from '#platform/http/route'
import { withVersion } from '#platform/versions'
import { settingsChangedLetter } from './letters'
import {
  lockMessageSettings,
  readMessageSettings,
  smsDayRows,
  writeMessageSettings,
  type KeptMessageSettings,
} from './message-settings.rows'
import type { MessagingNeeds } from './outbox.rows'
import { refusal } from './refusals'

type SettingsNeeds = MessagingNeeds & {
  tellingSuperadmins: <Result>(
    change: (transaction: Knex.Transaction, tell: (message: UserMessage) => Promise<void>) => Promise<Result>,
  ) => Promise<Result>
}

export const messageSettingsRoutes = (needs: SettingsNeeds): Route[] => [
  route(getMessageSettings, withFeature('settings'), async () =>
    shown(needs, await readMessageSettings(needs.database.knex)),
  ),

  route(saveMessageSettings, withFeature('settings'), ({ body, user, by }) =>
    save(needs, body, { user, by }),
  ),
]

const record = 'settings:messages'

const shown = async (
  needs: MessagingNeeds,
  settings: KeptMessageSettings,
): Promise<ShownMessageSettings> => ({
  ...withVersion(record, settings),
  smsAvailable: needs.sms !== null,
  ...(await smsDayRows(needs.database.knex).counted(schoolMoment(needs.now(), needs.zone).date)),
})

/** Throws `sms_unavailable` without a gateway. */
const save = async (
  needs: SettingsNeeds,
  { version, ...given }: BodyOf<typeof saveMessageSettings>,
  { user, by }: { user: Pick<Principal, 'username'>; by: By },
): Promise<ShownMessageSettings> => {
  if (given.sms && !needs.sms) throw refusal('sms_unavailable')
  const saved = await needs.tellingSuperadmins(async (transaction, tell) => {
    const before = await lockMessageSettings(transaction)
    const after = {
      ...given,
      otherCountries: given.otherCountries ?? before.otherCountries,
      dailyReport: given.dailyReport ? withoutRepeats(given.dailyReport) : before.dailyReport,
    }
    await saveSettings(
      transaction,
      { ...by, at: needs.now() },
      { record, what: 'Message settings changed', version, before, after },
      () => writeMessageSettings(transaction, after),
    )
    if (!isDeepStrictEqual(after.dailyReport, before.dailyReport))
      await tell(settingsChangedLetter('Who gets the daily report was', user.username))
    return after
  })
  return shown(needs, saved)
}

const withoutRepeats = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values(),
]
