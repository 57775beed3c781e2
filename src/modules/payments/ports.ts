import type { Catalogue } from '#modules/catalogue/index'
import type { Credit } from '#modules/credit/index'
import type { Cycles } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Ports } from '#platform/ports'
import type { CardProvider } from './providers/provider'

export type PaymentsNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  catalogue: Catalogue
  cycles: Cycles
  credit: Credit
  ordering: Ordering
  /** Null: card payments are off and old ones are not followed. */
  provider: CardProvider | null
  /** Secret path of the push address; null without pushes. */
  pushSecret: string | null
  /** Base address for callers of `origin`, without a final slash. */
  siteOf: (origin: string) => string
  pageOf: (paymentUrl: string, origin: string) => string
  graceMinutes: number
  /** Network addresses and the school have budgets of prompts; accounts and numbers have them anyway. */
  areCallersLimited: boolean
  withdrawnItems: WithdrawnItems
  phonesOfOrders: (orderIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>
  receiptsOfCheckouts: (
    attemptIds: readonly string[],
  ) => Promise<ReadonlyMap<string, { number: string; url: string }>>
}

/**
 * Notes a prompt before it is sent, and answers how to take the note back where none went out. Throws `prompt_at_night`,
 * `too_many_prompts`, `too_many_requests` (versions-budgets-and-proofs.md section 2). `phone` as `+260977123456`, `ip` the caller's.
 */
export type NotePrompt = (asked: {
  userId: number
  phone: string
  ip: string
}) => Promise<() => Promise<void>>

/** Paid lines of withdrawn items (payments.md section 8 rule 1): cooked anyway, or held for an administrator. */
export type WithdrawnItems = 'honour' | 'hold'
