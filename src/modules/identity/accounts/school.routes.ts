import { getSecurity, portal, saveSecurity } from '#contracts/identity'
import { anyone, route, withFeature, type Route } from '#platform/http/route'
import { settingsRoutes } from '#platform/settings'
import type { IdentityNeeds } from '../ports'
import { storedSecurity } from '../users/security.rows'

export const schoolRoutes = (needs: IdentityNeeds): Route[] => [
  route(portal, anyone, async () => ({
    schoolName: needs.schoolName,
    timezone: needs.zone,
    demo: needs.demo,
    makerUrl: needs.makerUrl,
    now: needs.now().toISOString(),
  })),

  ...settingsRoutes(needs, {
    endpoints: [getSecurity, saveSecurity],
    readers: withFeature('settings'),
    stored: storedSecurity,
    what: 'Security settings changed',
  }),
]
