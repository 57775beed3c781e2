import type { Identity } from '#modules/identity/index'
import type { Ngwee } from '#kernel/money'
import type { Ports } from '#platform/ports'

/** What credit is made with. */
export type CreditNeeds = Ports & {
  identity: Identity
  /** What one administrator may let go in all to one family on one day, in ngwee; null: without end. */
  refundApprovalAbove: () => Promise<Ngwee | null>
}
