import { getSecurity, portal, saveSecurity } from '#contracts/identity'
import { recordChanges } from '#platform/changes'
import { anyone, route, withFeature, type Route } from '#platform/http/route'
import type { IdentityNeeds } from '../ports'
import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'

export const schoolRoutes = ({ database, schoolName, zone, demo, makerUrl, now }: IdentityNeeds): Route[] => [
  route(portal, anyone, async () => ({
    schoolName,
    timezone: zone,
    demo,
    makerUrl,
    now: now().toISOString(),
  })),

  route(getSecurity, withFeature('settings'), () => readSecurity(database.knex)),

  route(saveSecurity, withFeature('settings'), async ({ body, by }) => {
    await database.knex.transaction(async (transaction) => {
      const old = await writeSecurity(transaction, body)
      await recordChanges(transaction, { ...by, at: now() }, [
        { kind: 'settings', what: 'Security settings changed', old, new: body },
      ])
    })
    return body
  }),
]

type Security = ReplyOf<typeof getSecurity>

const columns = ['requireSecondFactor', 'maxChildren', 'maxUnpaidMeals'] as const

export const readSecurity = async (knex: Knex): Promise<Security> =>
  (await knex<Security>('identity.security').first(...columns))!

const writeSecurity = async (transaction: Knex.Transaction, settings: Security): Promise<Security> => {
  const rows = () => transaction<Security>('identity.security')
  const before = await rows()
    .forUpdate()
    .first(...columns)
  await rows().update(settings)
  return before!
}
