import type { FeatureName, Role } from '#contracts/identity'
import type { UserMessages } from '#contracts/messages'

/** An account as it is stored; the hashes never leave this module. */
export type Account = {
  id: number
  username: string
  /** Null when the account is deleted: it keeps no name that a living one could take. */
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
  /** Moves with every change of what opens the account; a session of an earlier version is over. */
  credentialsVersion: number
  /** Since when it opens nothing, until it is enabled again. */
  disabledAt: Date | null
  emailVerifiedAt: Date | null
  /** Since when the phone is known to be its owner's. */
  phoneVerifiedAt: Date | null
  messageChannel: UserMessages['channel']
  /** Wants to be reminded where nothing is ordered for next week. */
  reminders: boolean
  /** An earlier address was replaced or removed: only a verified one may open the account from now on. */
  hadOtherEmail: boolean
  /** The second factor's secret, sealed (`second-factor-secrets.rows.ts`); it counts once it is confirmed. */
  totpSecret: string | null
  totpConfirmedAt: Date | null
  totpStep: number
  /** The other administrators who made it and who were the last to set its password and features and to remove its second factor. */
  madeBy: number | null
  passwordSetBy: number | null
  featuresSetBy: number | null
  secondFactorRemovedBy: number | null
  createdAt: Date
  /** Of a deleted account nothing is left but its id, by which the books know it. */
  deletedAt: Date | null
}

export type NewAccount = Pick<Account, 'username' | 'name' | 'role' | 'createdAt'> & {
  passwordHash: string
  email?: string | null
  phone?: string | null
  features?: FeatureName[]
  isSuperadmin?: boolean
  mustChangePassword?: boolean
  madeBy?: number
}
