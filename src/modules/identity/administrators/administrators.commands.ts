import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { featureNames, type FeatureName } from '#contracts/identity'
import type { AdminUser, setPassword } from '#contracts/administrators'
import type { BodyOf } from '#contracts/endpoint'
import type { Principal } from '#platform/http/route'
import { administratorsPage, type AdminPage, type AdminsFound } from './administrators.rows'
import { passwordChosen } from '../accounts/credentials.decide'
import { askOwnPassword, hashNewPassword, type OwnPasswordNeeds } from '../sign-in/password.commands'
import { endSessions } from '../sign-in/sessions.rows'
import { refuse } from '../refusals'
import {
  decidePermissions,
  decideStatus,
  grantable,
  mayChangePassword,
  mayDisable,
} from '../accounts/rights.decide'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import type { Account } from '../accounts/account'
import { featuresOf } from '../accounts/directory.rows'

type AdministratorNeeds = OwnPasswordNeeds & Pick<IdentityNeeds, 'database'>

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }
type Doing = About & { by: By }

const mostAdministrators = 500

/** Who runs the console, with which rights (administrator.md sections 2.10 and 6). */
export const administratorCommands = (needs: AdministratorNeeds) => ({
  administrators: async (about: About): Promise<AdminUser[]> =>
    (await userRows(needs.database.knex).administrators(mostAdministrators)).map((account) =>
      asAdminUser(account, about),
    ),

  /** One page of the administrators found. */
  administratorsPage: async (
    found: AdminsFound,
    page: AdminPage,
    about: About,
  ): Promise<{ data: AdminUser[]; total: number }> => {
    const { accounts, total } = await administratorsPage(needs.database.knex, found, page)
    return { data: accounts.map((account) => asAdminUser(account, about)), total }
  },

  /** Sets all features of an administrator at once. Refuses the own ones and those that the asker lacks. */
  setPermissions: async (
    input: { id: number; features: readonly FeatureName[] },
    about: Doing,
  ): Promise<AdminUser> =>
    needs.database.knex.transaction(async (transaction) => {
      const users = userRows(transaction)
      const target = await users.lock(input.id)
      const features = decidePermissions(about.user, target, input.features)
      const what = `Rights of ${accountNamed(input.id)} changed`
      const values = { old: { features: target!.features }, new: { features } }
      await recordAccountChange(transaction, needs, about.by, what, values)
      return asAdminUser((await users.update({ id: input.id }, { features }))!, about)
    }),

  /** Takes an administrator everything they can open, at once, until they are enabled again. */
  setDisabled: async (input: { id: number; disabled: boolean }, about: Doing): Promise<AdminUser> =>
    needs.database.knex.transaction(async (transaction) => {
      const users = userRows(transaction)
      const target = decideStatus(about.user, await users.lock(input.id))
      const disabledAt = input.disabled ? (target.disabledAt ?? needs.now()) : null
      const after = (await users.update({ id: target.id }, { disabledAt }))!
      if (input.disabled) await endSessions(transaction, target.id)
      const what = `Administrator ${accountNamed(target.id)} ${input.disabled ? 'disabled' : 'enabled'}`
      const values = { old: { disabled: target.disabledAt !== null }, new: { disabled: input.disabled } }
      await recordAccountChange(transaction, needs, about.by, what, values)
      return asAdminUser(after, about)
    }),

  /**
   * A new password for somebody, who is signed out everywhere. Superadmin's own asks for the one in force, and the session
   * that sets it stays.
   */
  setPassword: async (
    input: { id: number } & BodyOf<typeof setPassword>,
    about: Doing & { sessionId: string | null },
  ): Promise<void> => {
    await needs.database.knex.transaction(async (transaction) => {
      const users = userRows(transaction)
      const target = await users.lock(input.id)
      if (!target || target.deletedAt) throw refuse('user_not_found', 'User not found')
      if (!mayChangePassword(about.user, target))
        throw refuse('password_of_administrator', "Only superadmin can change an administrator's password")
      const own = about.user.userId === target.id
      if (own) await askOwnPassword(needs, target, input.currentPassword)
      const hash = await hashNewPassword(input.password, target.role)
      await users.update({ id: target.id }, passwordChosen(hash))
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
})
