import { contact, getCommunication, saveCommunication } from '#contracts/identity'
import { saveSettings } from '#platform/changes'
import { notFound } from '#platform/http/request'
import {
  answeredOnce,
  anyone,
  rawRoute,
  route,
  signedIn,
  withFeature,
  type Route,
} from '#platform/http/route'
import { withVersion } from '#platform/versions'
import { contactMail, settingsChangedLetter } from './letters'
import { lockCommunication, readCommunication, writeCommunication } from './message-settings.rows'
import type { MessagingNeeds } from './outbox.rows'
import { refusal } from './refusals'
import { tellingSuperadmins, withMail } from './send-mails.commands'

const record = 'settings:communication'

export const communicationRoutes = (needs: MessagingNeeds): Route[] => {
  const { database, now, schoolName } = needs
  return [
    route(getCommunication, signedIn, async () =>
      withVersion(record, await readCommunication(database.knex)),
    ),

    route(saveCommunication, withFeature('settings'), ({ body: { version, ...after }, user, by }) =>
      tellingSuperadmins(needs)(async (transaction, tell) => {
        const before = await lockCommunication(transaction)
        const saved = { record, what: 'Contact details of the school changed', version, before, after }
        const reply = await saveSettings(transaction, { ...by, at: now() }, saved, () =>
          writeCommunication(transaction, after),
        )
        if (after.supportEmail !== before.supportEmail)
          await tell(settingsChangedLetter('The support email address was', user.username))
        if (after.whatsappNumber !== before.whatsappNumber)
          await tell(settingsChangedLetter('The WhatsApp number was', user.username))
        return reply
      }),
    ),

    rawRoute({
      method: 'GET',
      path: '/.well-known/security.txt',
      access: anyone,
      serve: async (context) => {
        const { supportEmail } = await readCommunication(database.knex)
        if (!supportEmail) throw notFound()
        context.type = 'text/plain'
        context.body = securityText(supportEmail, now())
      },
    }),

    route(
      contact,
      signedIn,
      async ({ body, user: { userId, username } }) => {
        await withMail(needs)(async (transaction, post) => {
          const { supportEmail } = await readCommunication(transaction)
          if (supportEmail === '') throw refusal('contact_unavailable')
          await post(contactMail({ to: supportEmail, username, from: body, schoolName }), { userId })
        })
        return { message: 'Message sent successfully' }
      },
      { ...answeredOnce, limit: { name: 'contact', points: 5, seconds: 600, by: 'user' } },
    ),
  ]
}

const securityTextMs = 180 * 24 * 3_600_000

/** RFC 9116. */
const securityText = (email: string, at: Date): string =>
  [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(at.getTime() + securityTextMs).toISOString()}`,
    'Preferred-Languages: en',
    '',
  ].join('\n')
