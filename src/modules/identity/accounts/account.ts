import type { FeatureName, Role } from '#contracts/identity'
import type { UserMessages } from '#contracts/messages'

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
  /** Encrypted (`second-factor-secrets.rows.ts`); active once confirmed. */
  totpSecret: string | null
  totpConfirmedAt: Date | null
  totpStep: number
  /** The administrator who made it, and who last set password, features or second factor. */
  madeBy: number | null
  passwordSetBy: number | null
  featuresSetBy: number | null
  secondFactorRemovedBy: number | null
  createdAt: Date
  /** Only the id remains, for the books. */
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
