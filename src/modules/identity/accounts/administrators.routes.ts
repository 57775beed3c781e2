import type { Knex } from 'knex'
import {
  administratorList,
  listAdmins,
  setAdminStatus,
  setPassword,
  setPermissions,
  type AdminUser,
  type AdminSort,
} from '#contracts/accounts'
import { type BodyOf, type Direction, listAfter } from '#contracts/endpoint'
import { createAdmin, featureNames, type FeatureName } from '#contracts/identity'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, route, withFeature, type Principal } from '#platform/http/route'
import { refuseChangedRecord, versionOf } from '#platform/versions'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { askOwnPassword, hashNewPassword } from '../sign-in/password.commands'
import { endSessions } from '../sign-in/sessions.rows'
import {
  decidePermissions,
  decideStatus,
  grantable,
  mayChangePassword,
  mayDisable,
  type Account,
  featuresOf,
} from '../users/account.decide'
import { givenPasswordMessage, passwordChosen, passwordGiven } from '../users/credentials.decide'
import { recordAccountChange, userRows } from '../users/users.rows'
import type { registrationCommands } from './registration.commands'

type AdministratorCommands = ReturnType<typeof administratorCommands> &
  Pick<ReturnType<typeof registrationCommands>, 'createAdmin'>

const pageSize = 50

export const administratorRoutes = (commands: AdministratorCommands) => [
  route(listAdmins, withFeature('admins'), ({ user }) => commands.administrators({ user })),

  route(administratorList, withFeature('admins'), async ({ query, user }) => {
    const page = Math.max(1, query.page ?? 1)
    const { sort = 'rank', direction = 'asc', search = '', feature } = query
    const place = { sort, direction, offset: (page - 1) * pageSize, limit: pageSize }
    const { data, total } = await commands.administratorsPage({ search, feature: feature ?? null }, place, {
      user,
    })
    return { data, metadata: pageMetadataOf(total, page, pageSize) }
  }),

  route(
    createAdmin,
    withFeature('admins'),
    async ({ body, user, by }) => {
      const { id, username, role, features } = await commands.createAdmin(body, { user, by })
      return { id, username, role, allowedFeatures: features }
    },
    answeredOnce,
  ),

  route(setPermissions, withFeature('admins'), ({ params, body, user, by }) =>
    commands.setPermissions({ ...params, ...body }, { user, by }),
  ),

  route(setAdminStatus, withFeature('admins'), ({ params, body, user, by }) =>
    commands.setDisabled({ ...params, ...body }, { user, by }),
  ),

  route(setPassword, withFeature('admins', 'parents_students'), async (call) => {
    const { params, body, user, session, by } = call
    const about = { user, sessionId: session.id(), by }
    await commands.setPassword({ ...params, ...body }, about)
    return { message: 'Password updated successfully' }
  }),
]

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }
type Doing = About & { by: By }

const maxAdministrators = 500

export const administratorCommands = (needs: IdentityNeeds) => ({
  administrators: async (about: About): Promise<AdminUser[]> =>
    (await userRows(needs.database.knex).administrators(maxAdministrators)).map((account) =>
      asAdminUser(account, about),
    ),

  administratorsPage: async (
    found: AdminsFound,
    page: AdminPage,
    about: About,
  ): Promise<{ data: AdminUser[]; total: number }> => {
    const { accounts, total } = await administratorsPage(needs.database.knex, found, page)
    return { data: accounts.map((account) => asAdminUser(account, about)), total }
  },

  /** Throws for own features and for features that the caller lacks. */
  setPermissions: async (
    { id, version, ...input }: { id: number } & BodyOf<typeof setPermissions>,
    about: Doing,
  ): Promise<AdminUser> =>
    needs.database.knex.transaction(async (transaction) => {
      const users = userRows(transaction)
      const target = await users.lock(id)
      const wanted = listAfter(target?.features ?? [], { ...input, whole: input.features })
      const features = decidePermissions(about.user, target, wanted)
      await refuseChangedAdmin(transaction, target!, version, { features })
      const what = `Rights of ${accountNamed(id)} changed`
      const values = { old: { features: target!.features }, new: { features }, record: adminRecord(id) }
      await recordAccountChange(transaction, needs, about.by, what, values)
      const changed = { features, featuresSetBy: about.user.userId }
      return asAdminUser((await users.update({ id }, changed))!, about)
    }),

  setDisabled: async (
    input: { id: number } & BodyOf<typeof setAdminStatus>,
    about: Doing,
  ): Promise<AdminUser> =>
    needs.database.knex.transaction(async (transaction) => {
      const users = userRows(transaction)
      const target = decideStatus(about.user, await users.lock(input.id))
      const disabledAt = input.disabled ? (target.disabledAt ?? needs.now()) : null
      await refuseChangedAdmin(transaction, target, input.version, { disabledAt })
      const after = (await users.update({ id: target.id }, { disabledAt }))!
      if (input.disabled) await endSessions(transaction, target.id)
      const what = `Administrator ${accountNamed(target.id)} ${input.disabled ? 'disabled' : 'enabled'}`
      const values = {
        old: { disabled: target.disabledAt !== null },
        new: { disabled: input.disabled },
        record: adminRecord(target.id),
      }
      await recordAccountChange(transaction, needs, about.by, what, values)
      return asAdminUser(after, about)
    }),

  /** Ends the user's sessions, who is told and must change it. Superadmin's own needs the current password and keeps this session. */
  setPassword: async (
    input: { id: number } & BodyOf<typeof setPassword>,
    about: Doing & { sessionId: string | null },
  ): Promise<void> => {
    await needs.messaging.withMail(async (transaction, post) => {
      const users = userRows(transaction)
      const target = await users.lock(input.id)
      if (!target || target.deletedAt) throw refuse('user_not_found', 'User not found')
      if (!mayChangePassword(about.user, target))
        throw refuse('password_of_administrator', "Only superadmin can change an administrator's password")
      const own = about.user.userId === target.id
      if (own) await askOwnPassword(needs, target, input.currentPassword)
      const hash = await hashNewPassword(needs, input.password, target.role)
      const set = own ? passwordChosen(hash) : { ...passwordGiven(hash), passwordSetBy: about.user.userId }
      await users.update({ id: target.id }, set)
      if (!own) await needs.messaging.postMessage(transaction, post)(target, givenPasswordMessage)
      await recordAccountChange(transaction, needs, about.by, `Password of ${accountNamed(target.id)} set`)
      await endSessions(transaction, target.id, own ? about.sessionId : null)
    })
  },
})

const asAdminUser = (account: Account, { user }: About): AdminUser => ({
  id: account.id,
  username: account.username,
  role: account.role,
  allowedFeatures: featuresOf(account),
  isSuperadmin: account.isSuperadmin,
  disabled: account.disabledAt !== null,
  secondFactor: account.totpConfirmedAt !== null,
  allowed: {
    features: grantable(user, account, featureNames),
    changePassword: mayChangePassword(user, account),
    disable: mayDisable(user, account),
    removeSecondFactor: user.isSuperadmin && user.userId !== account.id && account.totpConfirmedAt !== null,
  },
  version: versionOf(adminRecord(account.id), adminShown(account)),
})

const adminRecord = (id: number): string => `administrator:${id}`

const adminShown = (account: Account) => ({
  features: featuresOf(account).toSorted(),
  disabled: account.disabledAt !== null,
})

const refuseChangedAdmin = (
  transaction: Knex.Transaction,
  target: Account,
  version: string | undefined,
  yours: Partial<Account>,
): Promise<void> =>
  refuseChangedRecord(transaction, {
    record: adminRecord(target.id),
    version,
    before: target,
    change: yours,
    shown: adminShown,
  })

type AdminsFound = { search: string; feature: FeatureName | null }

type AdminPage = { sort: AdminSort; direction: Direction; offset: number; limit: number }

// Superadmin has no stored features and sorts above all.
const orders: Record<AdminSort, readonly string[]> = {
  rank: ['not "isSuperadmin"', '"usernameKey"'],
  username: ['"usernameKey"'],
  features: ['"isSuperadmin"', 'cardinality(features)'],
  created: ['"createdAt"'],
}

const administratorsPage = async (
  knex: Knex,
  { search, feature }: AdminsFound,
  { sort, direction, offset, limit }: AdminPage,
): Promise<{ accounts: Account[]; total: number }> => {
  const found = knex<Account>('identity.users')
    .where('role', 'admin')
    .whereRaw(`strpos(${foldedSql('username')}, ?) > 0`, [foldedSearch(search)])
  if (feature !== null)
    found.where((either) => either.where('isSuperadmin', true).orWhereRaw('? = any(features)', [feature]))
  const order = [...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', ')
  const [accounts, counted] = await Promise.all([
    found.clone().orderByRaw(order).offset(offset).limit(limit),
    found.clone().count({ total: '*' }).first(),
  ])
  return { accounts, total: Number(counted?.total) }
}
