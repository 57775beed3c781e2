import type { ReplyOf } from '#contracts/endpoint'
import {
  contact,
  getCommunication,
  getSecurity,
  portal,
  saveCommunication,
  saveSecurity,
} from '#contracts/identity'
import { anyone, route, signedIn, withFeature } from '#platform/http/route'
import type { contactCommands } from './contact.commands'
import type { settingsCommands } from './settings.commands'

type SchoolCommands = ReturnType<typeof contactCommands> & ReturnType<typeof settingsCommands>

export const schoolRoutes = (commands: SchoolCommands, facts: ReplyOf<typeof portal>) => [
  route(portal, anyone, async () => facts),

  route(getCommunication, signedIn, () => commands.readCommunication()),

  route(saveCommunication, withFeature('settings'), ({ body, actor, correlationId }) =>
    commands.saveCommunication(body, { actor, correlationId }),
  ),

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
