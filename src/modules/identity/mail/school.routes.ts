import type { ReplyOf, BodyOf } from '#contracts/endpoint'
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
import { anyone, rawRoute, route, signedIn, withFeature, type Principal } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { readCommunication, writeCommunication, type Communication } from './communication.rows'
import type { WithMail } from './mail.job'
import { contactMail } from './mails'
import { refuse } from '../refusals'
import type { Knex } from 'knex'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { readSecurity, writeSecurity, type Security } from '../accounts/security.rows'

type SchoolCommands = ReturnType<typeof contactCommands> & ReturnType<typeof settingsCommands>

type Facts = Omit<ReplyOf<typeof portal>, 'now'>

export const schoolRoutes = (commands: SchoolCommands, facts: Facts, now: Now) => [
  route(portal, anyone, async () => ({ ...facts, now: now().toISOString() })),

  route(getCommunication, signedIn, () => commands.readCommunication()),

  route(saveCommunication, withFeature('settings'), ({ body, by }) => commands.saveCommunication(body, by)),

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

  route(saveSecurity, withFeature('settings'), ({ body, by }) => commands.saveSecurity(body, by)),

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

type ContactNeeds = Ports & { withMail: WithMail }

export const contactCommands = (needs: ContactNeeds) => ({
  /** Mails the message to the school's support address; refused while the school has set none. */
  contactSchool: (
    input: BodyOf<typeof contact>,
    about: { user: Pick<Principal, 'userId' | 'username'> },
  ): Promise<void> =>
    needs.withMail(async (transaction, post) => {
      const { supportEmail } = await readCommunication(transaction)
      if (supportEmail === '')
        throw refuse(
          'contact_unavailable',
          'The school has not set a support email address yet. Please contact the school office.',
        )
      const { userId, username } = about.user
      const mail = contactMail({ to: supportEmail, username, from: input, schoolName: needs.schoolName })
      await post(mail, { userId })
    }),
})

/** How people reach the school, and what it demands of accounts. */
export const settingsCommands = ({ database: { knex }, now }: Ports) => {
  const saving =
    <Settings extends Record<string, unknown>>(
      what: string,
      write: (transaction: Knex.Transaction, settings: Settings) => Promise<Settings>,
    ) =>
    async (settings: Settings, by: By): Promise<Settings> => {
      await knex.transaction(async (transaction) => {
        const old = await write(transaction, settings)
        await recordChanges(transaction, { ...by, at: now() }, [
          { kind: 'settings', what, old, new: settings },
        ])
      })
      return settings
    }
  return {
    readCommunication: (): Promise<Communication> => readCommunication(knex),
    readSecurity: (): Promise<Security> => readSecurity(knex),
    saveCommunication: saving('Contact details of the school changed', writeCommunication),
    saveSecurity: saving('Security settings changed', writeSecurity),
  }
}
