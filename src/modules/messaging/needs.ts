import type { Knex } from 'knex'
import type { UserMessages } from '#contracts/messages'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Ports } from '#platform/ports'

export type Addressee = {
  id: number
  name: string
  username: string
  role: 'parent' | 'teacher' | 'admin'
  email: string | null
  emailVerifiedAt: Date | null
  phone: string | null
  phoneVerifiedAt: Date | null
  messageChannel: UserMessages['channel']
  deletedAt: Date | null
}

export type MessagingNeeds = Ports & {
  /** Shared by all processes, as the HTTP server's. */
  rateLimits: ConsumeCall | 'off'
  /** As the database or a transaction sees them. */
  addressees: {
    byId: (knex: Knex, userId: number) => Promise<Addressee | undefined>
    superadmins: (knex: Knex) => Promise<Addressee[]>
  }
}
