import { getMessageSettings, saveMessageSettings } from '#contracts/messages'
import { schoolMoment } from '#kernel/school-time'
import { withFeature, type Route } from '#platform/http/route'
import { settingsRoutes } from '#platform/settings'
import { changedLetters } from './letters'
import { messageSettings, smsDayRows, type KeptMessageSettings } from './message-settings.rows'
import type { MessagingNeeds } from './outbox.rows'
import { refusal } from './refusals'
import { tellingSuperadmins } from './send-mails.commands'

export const messageSettingsRoutes = (needs: MessagingNeeds): Route[] =>
  settingsRoutes(needs, {
    endpoints: [getMessageSettings, saveMessageSettings],
    readers: withFeature('settings'),
    stored: messageSettings,
    what: 'Message settings changed',
    completed: (given, before) => ({
      ...given,
      otherCountries: given.otherCountries ?? before.otherCountries,
      dailyReport: given.dailyReport ? withoutRepeats(given.dailyReport) : before.dailyReport,
      headReport: given.headReport ? withoutRepeats(given.headReport) : before.headReport,
    }),
    check: ({ after }) => {
      if (after.sms && !needs.sms) throw refusal('sms_unavailable')
    },
    told: {
      telling: tellingSuperadmins(needs),
      messages: changedLetters<KeptMessageSettings>({
        dailyReport: 'Who gets the daily report was',
        headReport: 'Who gets the report of the week was',
      }),
    },
    beside: async () => ({
      smsAvailable: needs.sms !== null,
      ...(await smsDayRows(needs.database.knex).counted(schoolMoment(needs.now(), needs.zone).date)),
    }),
  })

const withoutRepeats = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values(),
]
