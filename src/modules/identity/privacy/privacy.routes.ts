import { acceptPrivacy, getPrivacy, getPrivacySettings, savePrivacySettings } from '#contracts/privacy'
import { saveSettings } from '#platform/changes'
import { anyone, route, signedIn, withFeature, type Route } from '#platform/http/route'
import { withVersion } from '#platform/versions'
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

  route(getPrivacySettings, withFeature('settings'), async () =>
    withVersion(record, await needs.messaging.privacyContact(needs.database.knex)),
  ),

  route(savePrivacySettings, withFeature('settings'), ({ body: { version, ...after }, by }) =>
    needs.database.knex.transaction(async (transaction) => {
      const before = await needs.messaging.privacyContact(transaction, { lock: true })
      const saved = { record, what: 'Privacy settings changed', version, before, after }
      return saveSettings(transaction, { ...by, at: needs.now() }, saved, () =>
        needs.messaging.writePrivacyContact(transaction, after),
      )
    }),
  ),
]

const record = 'settings:privacy'
