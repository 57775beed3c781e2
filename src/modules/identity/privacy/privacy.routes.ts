import { acceptPrivacy, getPrivacy, getPrivacySettings, savePrivacySettings } from '#contracts/privacy'
import { anyone, route, signedIn, withFeature, type Route } from '#platform/http/route'
import { settingsRoutes } from '#platform/settings'
import type { IdentityNeeds } from '../ports'
import { userRows } from '../users/users.rows'
import { currentNotice, acceptance, privacyOf } from './notice.rows'

export const privacyRoutes = (needs: IdentityNeeds): Route[] => [
  route(getPrivacy, anyone, () => currentNotice(needs)),

  route(acceptPrivacy, signedIn, async ({ body: { version }, user: { userId } }) => {
    const accepted = await acceptance(needs, version)
    const account = await userRows(needs.database.knex).update({ id: userId }, accepted)
    return privacyOf(needs, account!)
  }),

  ...settingsRoutes(needs, {
    endpoints: [getPrivacySettings, savePrivacySettings],
    readers: withFeature('settings'),
    stored: needs.messaging.privacyContact,
    what: 'Privacy settings changed',
  }),
]
