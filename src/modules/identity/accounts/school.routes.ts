import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import { getSecurity, portal, saveSecurity } from '#contracts/identity'
import { saveSettings } from '#platform/changes'
import { anyone, route, withFeature, type Route } from '#platform/http/route'
import { withVersion } from '#platform/versions'
import type { IdentityNeeds } from '../ports'

export const schoolRoutes = ({ database, schoolName, zone, demo, makerUrl, now }: IdentityNeeds): Route[] => [
  route(portal, anyone, async () => ({
    schoolName,
    timezone: zone,
    demo,
    makerUrl,
    now: now().toISOString(),
  })),

  route(getSecurity, withFeature('settings'), async () =>
    withVersion(record, await readSecurity(database.knex)),
  ),

  route(saveSecurity, withFeature('settings'), ({ body: { version, ...after }, by }) =>
    database.knex.transaction(async (transaction) => {
      const before = (await security(transaction).forUpdate())!
      const saved = { record, what: 'Security settings changed', version, before, after }
      return saveSettings(transaction, { ...by, at: now() }, saved, () =>
        transaction<Security>('identity.security').update(after),
      )
    }),
  ),
]

const record = 'settings:security'

type Security = Omit<ReplyOf<typeof getSecurity>, 'version'>

const columns = ['requireSecondFactor', 'maxChildren', 'maxUnpaidMeals'] as const

const security = (knex: Knex) => knex<Security>('identity.security').first(...columns)

export const readSecurity = async (knex: Knex): Promise<Security> => (await security(knex))!
