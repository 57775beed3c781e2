import { type FeatureName, type Role, featureNames } from '#contracts/identity'
import type { UserMessages } from '#contracts/messages'
import { refuse } from '../refusals'

/** Hashes never leave this module. */
export type Account = {
  id: number
  username: string
  /** Null when deleted, which frees the name. */
  usernameKey: string | null
  name: string
  email: string | null
  phone: string | null
  role: Role
  features: FeatureName[]
  isSuperadmin: boolean
  passwordHash: string | null
  temporaryHash: string | null
  temporaryExpiresAt: Date | null
  mustChangePassword: boolean
  /** Rises with every change of credentials, which ends older sessions. */
  credentialsVersion: number
  disabledAt: Date | null
  emailVerifiedAt: Date | null
  phoneVerifiedAt: Date | null
  messageChannel: UserMessages['channel']
  reminders: boolean
  /** The first address was replaced: only a verified one may reset the password. */
  hadOtherEmail: boolean
  /** Encrypted (`second-factor.routes.ts`); active once confirmed. */
  totpSecret: string | null
  totpConfirmedAt: Date | null
  totpStep: number
  /** The administrator who made it, and who last set password, features or second factor. */
  madeBy: number | null
  passwordSetBy: number | null
  featuresSetBy: number | null
  secondFactorRemovedBy: number | null
  privacyVersion: number | null
  privacyAcceptedAt: Date | null
  createdAt: Date
  /** Only the id remains, for the books. */
  deletedAt: Date | null
}

export type NewAccount = Pick<Account, 'username' | 'name' | 'role' | 'createdAt'> & {
  passwordHash: string
  email?: string | null
  phone?: string | null
  emailVerifiedAt?: Date
  features?: FeatureName[]
  isSuperadmin?: boolean
  mustChangePassword?: boolean
  madeBy?: number
  privacyVersion?: number
  privacyAcceptedAt?: Date
}

type Asker = { userId: number; role: string; features: readonly string[]; isSuperadmin: boolean }

/** Nobody grants features they lack. */
export const decideGrant = <Feature extends string>(
  granter: Asker,
  wanted: readonly Feature[],
): Feature[] => {
  const lacking = wanted.filter((feature) => !granter.isSuperadmin && !granter.features.includes(feature))
  if (lacking.length > 0)
    throw refuse('feature_not_held', `You cannot grant features you do not hold: ${lacking.join(', ')}`)
  return [...new Set(wanted)]
}

const ownPermissions = 'You cannot modify your own permissions. Contact another admin for permission changes.'

type Administrator = { id: number; role: string; features: readonly string[]; isSuperadmin: boolean }

/** administrator.md section 6. */
export const grantable = <Feature extends string>(
  asker: Asker,
  target: Administrator,
  all: readonly Feature[],
): Feature[] => {
  if (target.isSuperadmin || (asker.userId === target.id && !asker.isSuperadmin)) return []
  return all.filter((feature) => asker.isSuperadmin || asker.features.includes(feature))
}

export const decidePermissions = <Feature extends string>(
  asker: Asker,
  target: Administrator | undefined,
  wanted: readonly Feature[],
): Feature[] => {
  if (target?.role !== 'admin') throw refuse('user_not_found', 'User not found')
  if (target.isSuperadmin) throw refuse('superadmin_keeps_features', 'superadmin always holds every feature')
  if (asker.userId === target.id) throw refuse('own_permissions', ownPermissions)
  const changed = [
    ...wanted.filter((feature) => !target.features.includes(feature)),
    ...target.features.filter((feature) => !wanted.some((one) => one === feature)),
  ]
  const lacking = changed.filter((feature) => !asker.isSuperadmin && !asker.features.includes(feature))
  if (lacking.length > 0)
    throw refuse(
      'feature_not_held',
      `You cannot give or take features you do not hold: ${[...new Set(lacking)].join(', ')}`,
    )
  return [...new Set(wanted)]
}

/** What versions of an account are of, and what its forms show. */
export const accountRecord = (id: number): string => `account:${id}`
export const accountShown = ({
  username,
  name,
  email,
  phone,
}: Pick<Account, 'username' | 'name' | 'email' | 'phone'>) => ({
  username,
  name,
  email,
  phone,
})

export const mayDisable = (asker: Asker, target: { id: number; isSuperadmin: boolean }): boolean =>
  !target.isSuperadmin && asker.userId !== target.id

export const decideStatus = <Target extends { id: number; role: string; isSuperadmin: boolean }>(
  asker: Asker,
  target: Target | undefined,
): Target => {
  if (target?.role !== 'admin') throw refuse('user_not_found', 'User not found')
  if (target.isSuperadmin) throw refuse('superadmin_stays_enabled', 'superadmin cannot be disabled')
  if (!mayDisable(asker, target)) throw refuse('own_account', 'You cannot disable your own account')
  return target
}

/** Superadmin changes anyone's, others only parents' and teachers'. */
export const mayChangePassword = (asker: Asker, target: { role: string }): boolean =>
  asker.isSuperadmin ||
  (target.role !== 'admin' &&
    (asker.features.includes('admins') || asker.features.includes('parents_students')))

/** A parent's own id, whatever is sent; administrators name the parent. */
export const decideParentOf = (asker: Asker, named: number | undefined): number => {
  if (asker.role === 'parent') return asker.userId
  if (asker.role !== 'admin' || !(asker.isSuperadmin || asker.features.includes('parents_students')))
    throw refuse('feature_required', 'You do not have permission to add students')
  if (named === undefined) throw refuse('parent_required', 'Choose the parent of this student')
  return named
}

type Ties = Pick<
  Account,
  'id' | 'isSuperadmin' | 'madeBy' | 'passwordSetBy' | 'featuresSetBy' | 'secondFactorRemovedBy'
>

/** These people can sign in; an own new password changes nothing. */
const openedBy = ({ madeBy, passwordSetBy }: Ties) => [madeBy, passwordSetBy]
const changedBy = (account: Ties) => [
  ...openedBy(account),
  account.featuresSetBy,
  account.secondFactorRemovedBy,
]

const withAllAbove = (
  account: Ties,
  handsOn: (account: Ties) => (number | null)[],
  byId: ReadonlyMap<number, Ties>,
): Set<Ties> => {
  const found = new Set([account])
  for (const one of found)
    for (const hand of handsOn(one)) {
      const above = hand === null ? undefined : byId.get(hand)
      if (above) found.add(above)
    }
  return found
}

/**
 * Possibly one person: one made the other's account or last set its credentials or features (transitively), or one administrator made both.
 * Superadmin makes all accounts and ties no two others.
 */
export const areTied = (one: number, other: number, accounts: readonly Ties[]): boolean => {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const [first, second] = [byId.get(one), byId.get(other)]
  if (!first || !second) return one === other
  const opening = withAllAbove(second, openedBy, byId)
  return (
    withAllAbove(first, changedBy, byId).has(second) ||
    withAllAbove(second, changedBy, byId).has(first) ||
    [...withAllAbove(first, openedBy, byId)].some((maker) => !maker.isSuperadmin && opening.has(maker))
  )
}

export const someFamily = (account: Account | undefined): Account => {
  if (!account || account.role === 'admin' || account.deletedAt)
    throw refuse('parent_not_found', 'Parent not found')
  return account
}

/** Superadmin holds every feature without storing it. */
export const featuresOf = (account: Pick<Account, 'features' | 'isSuperadmin'>): FeatureName[] =>
  account.isSuperadmin ? [...featureNames] : account.features
