import { getSecurity, portal, saveSecurity } from '#contracts/identity'
import { recordChanges } from '#platform/changes'
import { anyone, route, withFeature, type Route } from '#platform/http/route'
import type { IdentityNeeds } from '../needs'
import { readSecurity, writeSecurity } from './security.rows'

export const schoolRoutes = ({ database, schoolName, zone, demo, now }: IdentityNeeds): Route[] => [
  route(portal, anyone, async () => ({ schoolName, timezone: zone, demo, now: now().toISOString() })),

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
