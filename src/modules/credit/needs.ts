import type { Identity } from '#modules/identity/index'
import type { Ngwee } from '#kernel/money'
import type { Ports } from '#platform/ports'

export type CreditNeeds = Ports & {
  identity: Identity
  /** Limit of one administrator per family and day, in ngwee; null for none. */
  refundApprovalAbove: () => Promise<Ngwee | null>
}
