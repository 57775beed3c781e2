import type { Ngwee } from '#kernel/money'
import type { Remedy } from '#kernel/remedy'

/** One meal of a checkout: what was to pay, and what became of it as the attempt's own history tells it. */
export type LedgerLine = {
  index: number
  price: Ngwee
  /** What of it credit was to pay. */
  credit: Ngwee
  /** The order it became. */
  orderId: string | null
  /** It was given up, and so much is owed back. */
  waived: Ngwee | null
}

/**
 * A payment attempt's money. `none`: none is known. `undecided`: something was paid that does not fit, and nobody has
 * judged it yet. `claimed`: neither paid nor judged, and its meals were treated as paid. `ours`: paid.
 * `received` is null where the provider did not say how much; of it `surplus` is owed back. `fee` came on top of it;
 * `shortfall` was accepted as missing.
 */
export type LedgerAttempt = {
  id: string
  kind: 'card' | 'free' | 'alternative'
  reference: string | null
  total: Ngwee
  money: 'none' | 'claimed' | 'undecided' | 'ours'
  received: Ngwee | null
  fee: Ngwee
  shortfall: Ngwee
  surplus: Ngwee
  lines: LedgerLine[]
  /** When money last came, or something was decided about it. */
  changed_at: string
}

/**
 * An order's money, as its meal slot tells it. `paid`: `at-once` with its checkout, `later` when a person confirmed it.
 * A withdrawn order was never placed.
 */
export type LedgerOrder = {
  id: string
  attempt_id: string
  line: number
  cycle_id: number
  slot: string
  /** What it costs now; a change to another meal changes it. */
  price: Ngwee
  /** What it cost when it was placed. */
  placed_price: Ngwee
  /** What came in for it as money. */
  money: Ngwee
  /** What credit paid of it at its checkout. */
  credit: Ngwee
  paid: 'at-once' | 'later' | 'not-yet'
  /** The transfer that paid for it; null: none, or one that was confirmed before transfers had events. */
  transfer_id: string | null
  status: 'pending' | 'completed' | 'cancelled' | 'refunded' | 'withdrawn'
  /** How what was paid for a cancelled one goes back; null while it is not cancelled. */
  remedy: Remedy | null
  changed_at: string
}

/** A payment outside of the card provider as it was last confirmed, and what it is for each family; `stands`: not undone. */
export type LedgerTransfer = {
  id: string
  confirmation_id: string
  stands: boolean
  amount: Ngwee
  families: readonly {
    userId: number
    orders: readonly { orderId: string; amount: Ngwee }[]
    surplus: Ngwee
  }[]
  changed_at: string
}

/** Money owed back: `amount` in all, of which `owed` has yet to go back and `paid_back` has, `as_credit` of it as credit. */
export type LedgerRefund = {
  id: string
  attempt_id: string
  order_id: string | null
  /** The line's index, or `surplus`. */
  part: string
  amount: Ngwee
  owed: Ngwee
  paid_back: Ngwee
  as_credit: Ngwee
  status: 'due' | 'withdrawn' | 'paid_back'
  /** Where the latest request to pay it back to the card stands; null where there is none, or it was paid back. */
  card: 'under_way' | 'unclear' | 'failed' | null
}

/** A family's credit: all sums are of its events, `balance` is what the last of them says. */
export type LedgerCreditAccount = {
  user_id: number
  given: Ngwee
  taken_back: Ngwee
  spent: Ngwee
  paid_out: Ngwee
  held: Ngwee
  balance: Ngwee
}

/** Credit that was given; null is a gift's attempt. */
export type LedgerCreditGiven = {
  id: string
  attempt_id: string | null
  order_id: string | null
  kind: 'cancelled' | 'closed' | 'changed' | 'absent' | 'overpaid' | 'gift'
  amount: Ngwee
  /** It was not taken back. */
  stands: boolean
}

export type CreditLineSpent = { index: number; amount: Ngwee; status: 'held' | 'spent' | 'released' }

/** Credit that a checkout took for its lines, or an order for a dearer meal (`order_id`). */
export type LedgerCreditSpent = {
  id: string
  attempt_id: string
  order_id: string | null
  lines: CreditLineSpent[]
}

/** The folded streams, by id. */
export type Ledger = {
  attempts: ReadonlyMap<string, LedgerAttempt>
  orders: ReadonlyMap<string, LedgerOrder>
  refunds: ReadonlyMap<string, LedgerRefund>
  transfers: ReadonlyMap<string, LedgerTransfer>
  creditAccounts: ReadonlyMap<string, LedgerCreditAccount>
  creditGiven: ReadonlyMap<string, LedgerCreditGiven>
  creditSpent: ReadonlyMap<string, LedgerCreditSpent>
}

/** The order is to be cooked, or was. */
export const stands = ({ status }: LedgerOrder): boolean => status === 'pending' || status === 'completed'

/** What of the price is to be paid with money; a meal may have become cheaper than what credit paid of the first one. */
export const toPayFor = ({ price, credit }: LedgerOrder): Ngwee => Math.max(0, price - credit)
