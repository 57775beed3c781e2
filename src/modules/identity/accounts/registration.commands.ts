import type { BodyOf } from '#contracts/endpoint'
import type { createAdmin, register } from '#contracts/identity'
import type { Principal } from '#platform/http/route'
import type { VerifyingMail } from '../sign-in/email-verification.commands'
import { hashPassword, randomPassword } from '../sign-in/password.commands'
import { filled } from './profile.decide'
import { decideGrant } from './rights.decide'
import { userRows } from './users.rows'
import type { IdentityNeeds } from '../needs'
import type { Account } from './account'

type RegistrationNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'superadminPassword'> & VerifyingMail

const superadmin = 'superadmin'

export const registrationCommands = (needs: RegistrationNeeds) => ({
  /** A new parent. Refuses with `username_taken`; an e-mail address is asked to be verified. */
  register: async (input: BodyOf<typeof register>): Promise<Account> => {
    const passwordHash = await hashPassword(input.password)
    return needs.withMail(async (transaction, post) => {
      const account = await userRows(transaction).insert({
        username: input.username,
        name: input.name,
        email: filled(input.email),
        phone: filled(input.phone),
        role: 'parent',
        passwordHash,
        createdAt: needs.now(),
      })
      await needs.verification.askToVerify(account, post)
      return account
    })
  },

  /** A new administrator with some of its maker's features; superadmin may hand out all (DESIGN section 7). */
  createAdmin: async (
    input: BodyOf<typeof createAdmin>,
    about: { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> },
  ): Promise<Account> => {
    const features = decideGrant(about.user, input.allowedFeatures)
    return userRows(needs.database.knex).insert({
      username: input.username,
      name: input.username,
      role: 'admin',
      features,
      passwordHash: await hashPassword(input.password),
      createdAt: needs.now(),
    })
  },

  /** Makes superadmin at the first start. `password` is the one to print once; null when it was given or is old. */
  ensureSuperadmin: async (): Promise<{ created: boolean; password: string | null }> => {
    const users = userRows(needs.database.knex)
    if (await users.byUsername(superadmin)) return { created: false, password: null }
    const generated = needs.superadminPassword === undefined ? randomPassword() : null
    const made = await users.insertUnlessThere({
      username: superadmin,
      name: 'Super Administrator',
      role: 'admin',
      isSuperadmin: true,
      passwordHash: await hashPassword(generated ?? needs.superadminPassword!),
      createdAt: needs.now(),
    })
    return made ? { created: true, password: generated } : { created: false, password: null }
  },
})
