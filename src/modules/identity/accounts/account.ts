import type { FeatureName, Role } from '#contracts/identity'

/** An account as it is stored; the hashes never leave this module. */
export type Account = {
  id: number
  username: string
  usernameKey: string
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
  emailVerifiedAt: Date | null
  createdAt: Date
  /** Deleted accounts keep their username for the books, and nothing else. */
  deletedAt: Date | null
}

export type NewAccount = Pick<Account, 'username' | 'name' | 'role' | 'createdAt'> & {
  passwordHash: string
  email?: string | null
  phone?: string | null
  features?: FeatureName[]
  isSuperadmin?: boolean
}
