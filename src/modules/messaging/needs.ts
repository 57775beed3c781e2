import type { Knex } from 'knex'
import type { UserMessages } from '#contracts/messages'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Ports } from '#platform/ports'

/** What is known of somebody who is written to. */
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

/** What messaging is made with. */
export type MessagingNeeds = Ports & {
  /** As the HTTP server's: the budgets shared by all processes. */
  rateLimits: ConsumeCall | 'off'
  /** Who the users are, as the database or a transaction shows them now. */
  addressees: {
    byId: (knex: Knex, userId: number) => Promise<Addressee | undefined>
    superadmins: (knex: Knex) => Promise<Addressee[]>
  }
}
