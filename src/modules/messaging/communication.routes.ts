import { contact, getCommunication, saveCommunication } from '#contracts/identity'
import { notFound } from '#platform/http/request'
import { answeredOnce, anyone, rawRoute, route, signedIn, type Route } from '#platform/http/route'
import { settingsRoutes } from '#platform/settings'
import { contactMail, changedLetters } from './letters'
import { communication } from './message-settings.rows'
import type { MessagingNeeds } from './outbox.rows'
import { refusal } from './refusals'
import { tellingSuperadmins, withMail } from './send-mails.commands'

export const communicationRoutes = (needs: MessagingNeeds): Route[] => {
  const { database, now, schoolName } = needs
  return [
    ...settingsRoutes(needs, {
      endpoints: [getCommunication, saveCommunication],
      readers: signedIn,
      stored: communication,
      what: 'Contact details of the school changed',
      told: {
        telling: tellingSuperadmins(needs),
        messages: changedLetters({
          supportEmail: 'The support email address was',
          whatsappNumber: 'The WhatsApp number was',
        }),
      },
    }),

    rawRoute({
      method: 'GET',
      path: '/.well-known/security.txt',
      access: anyone,
      serve: async (context) => {
        const { supportEmail } = await communication.read(database.knex)
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
          const { supportEmail } = await communication.read(transaction)
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
