import type { AuditKind } from '#contracts/audit'
import type { Ngwee } from '#kernel/money'

/** One event of the log in words, and what it belongs to; `amount` in ngwee. */
export type EntryRow = {
  event_id: string
  position: string
  at: string | Date
  actor: string
  /** Who it was, where it was no user. */
  who: string | null
  kind: AuditKind
  what: string
  amount: Ngwee | null
  /** The amount is the price of the order, which the event does not carry. */
  takes_order_price: boolean
  details: Record<string, string>
  attempt_id: string | null
  order_id: string | null
  /** The meal slot, where the event is about a day that is kept and not about an order. */
  slot: string | null
}

/** An entry as it is shown: `amount` in ngwee, the order's price where the event does not say; and its link. */
export type ShownEntry = Omit<EntryRow, 'at' | 'takes_order_price' | 'slot'> & {
  at: Date
  number: number | null
  hash: string | null
}
