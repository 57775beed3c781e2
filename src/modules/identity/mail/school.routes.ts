import type { ReplyOf } from '#contracts/endpoint'
import {
  contact,
  getCommunication,
  getSecurity,
  portal,
  saveCommunication,
  saveSecurity,
} from '#contracts/identity'
import type { Now } from '#platform/clock'
import { notFound } from '#platform/http/http-refusals'
import { anyone, rawRoute, route, signedIn, withFeature } from '#platform/http/route'
import type { contactCommands } from './contact.commands'
import type { settingsCommands } from './settings.commands'

type SchoolCommands = ReturnType<typeof contactCommands> & ReturnType<typeof settingsCommands>

type Facts = Omit<ReplyOf<typeof portal>, 'now'>

export const schoolRoutes = (commands: SchoolCommands, facts: Facts, now: Now) => [
  route(portal, anyone, async () => ({ ...facts, now: now().toISOString() })),

  route(getCommunication, signedIn, () => commands.readCommunication()),

  route(saveCommunication, withFeature('settings'), ({ body, actor, correlationId }) =>
    commands.saveCommunication(body, { actor, correlationId }),
  ),

  rawRoute({
    method: 'GET',
    path: '/.well-known/security.txt',
    access: anyone,
    serve: async (context) => {
      const { supportEmail } = await commands.readCommunication()
      if (!supportEmail) throw notFound()
      context.type = 'text/plain'
      context.body = securityText(supportEmail, now())
    },
  }),

  route(getSecurity, withFeature('settings'), () => commands.readSecurity()),

  route(saveSecurity, withFeature('settings'), ({ body, actor, correlationId }) =>
    commands.saveSecurity(body, { actor, correlationId }),
  ),

  route(
    contact,
    signedIn,
    async ({ body, user }) => {
      await commands.contactSchool(body, { user })
      return { message: 'Message sent successfully' }
    },
    { limit: { name: 'contact', points: 5, seconds: 600, by: 'user' } },
  ),
]

const securityTextMs = 180 * 24 * 3_600_000

/** Whom to tell of a weakness (RFC 9116). */
const securityText = (email: string, at: Date): string =>
  [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(at.getTime() + securityTextMs).toISOString()}`,
    'Preferred-Languages: en',
    '',
  ].join('\n')
