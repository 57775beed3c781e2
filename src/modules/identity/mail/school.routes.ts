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
import type { Communication } from './communication.rows'
import type { Security } from '../accounts/security.rows'
import type { contactCommands } from './contact.commands'

type SchoolCommands = ReturnType<typeof contactCommands> & {
  readCommunication: () => Promise<Communication>
  writeCommunication: (settings: Communication) => Promise<void>
  readSecurity: () => Promise<Security>
  writeSecurity: (settings: Security) => Promise<Security>
}

export const schoolRoutes = (commands: SchoolCommands, facts: ReplyOf<typeof portal>) => [
  route(portal, anyone, async () => facts),

  route(getCommunication, signedIn, () => commands.readCommunication()),

  route(saveCommunication, withFeature('settings'), async ({ body }) => {
    await commands.writeCommunication(body)
    return commands.readCommunication()
  }),

  route(getSecurity, withFeature('settings'), () => commands.readSecurity()),

  route(saveSecurity, withFeature('settings'), ({ body }) => commands.writeSecurity(body)),

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
