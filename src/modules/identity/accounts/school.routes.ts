import { getSecurity, portal, saveSecurity } from '#contracts/identity'
import { saveSettings } from '#platform/changes'
import { anyone, route, withFeature, type Route } from '#platform/http/route'
import { withVersion } from '#platform/versions'
import type { IdentityNeeds } from '../ports'
import { lockSecurity, readSecurity, writeSecurity } from '../users/security.rows'

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
      const before = await lockSecurity(transaction)
      const saved = { record, what: 'Security settings changed', version, before, after }
      return saveSettings(transaction, { ...by, at: now() }, saved, () => writeSecurity(transaction, after))
    }),
  ),
]

const record = 'settings:security'
