import type { Ngwee, Remedy } from '#kernel/money'

export type LedgerLine = {
  index: number
  price: Ngwee
  credit: Ngwee
  orderId: string | null
  waived: Ngwee | null
}

/**
 * `undecided`: mismatched, not judged yet. `claimed`: treated as paid without payment or judgement. `received` is null if the provider gave
 * no amount; `surplus` is owed back of it, `fee` came on top, `shortfall` was accepted as missing.
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
  /** Last payment or decision. */
  changed_at: string
}

/** `paid`: `at-once` with the checkout, `later` when confirmed by a person. A withdrawn order was never placed. */
export type LedgerOrder = {
  id: string
  attempt_id: string
  line: number
  cycle_id: number
  slot: string
  price: Ngwee
  placed_price: Ngwee
  money: Ngwee
  credit: Ngwee
  paid: 'at-once' | 'later' | 'not-yet'
  /** Null: none, or confirmed before transfers had events. */
  transfer_id: string | null
  status: 'pending' | 'completed' | 'cancelled' | 'refunded' | 'withdrawn'
  remedy: Remedy | null
  changed_at: string
}

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

/** `amount` in all, `owed` still due, `paid_back` returned, `as_credit` of that as credit. */
export type LedgerRefund = {
  id: string
  attempt_id: string
  order_id: string | null
  part: string
  amount: Ngwee
  owed: Ngwee
  paid_back: Ngwee
  as_credit: Ngwee
  status: 'due' | 'withdrawn' | 'paid_back'
  card: 'under_way' | 'unclear' | 'failed' | null
}

export type LedgerCreditAccount = {
  user_id: number
  given: Ngwee
  taken_back: Ngwee
  spent: Ngwee
  paid_out: Ngwee
  held: Ngwee
  balance: Ngwee
}

export type LedgerCreditGiven = {
  id: string
  attempt_id: string | null
  order_id: string | null
  kind: 'cancelled' | 'closed' | 'changed' | 'absent' | 'overpaid' | 'gift'
  amount: Ngwee
  stands: boolean
}

export type CreditLineSpent = { index: number; amount: Ngwee; status: 'held' | 'spent' | 'released' }

export type LedgerCreditSpent = {
  id: string
  attempt_id: string
  order_id: string | null
  lines: CreditLineSpent[]
}

export type Ledger = {
  attempts: ReadonlyMap<string, LedgerAttempt>
  orders: ReadonlyMap<string, LedgerOrder>
  refunds: ReadonlyMap<string, LedgerRefund>
  transfers: ReadonlyMap<string, LedgerTransfer>
  creditAccounts: ReadonlyMap<string, LedgerCreditAccount>
  creditGiven: ReadonlyMap<string, LedgerCreditGiven>
  creditSpent: ReadonlyMap<string, LedgerCreditSpent>
}

export const stands = ({ status }: LedgerOrder): boolean => status === 'pending' || status === 'completed'

/** Price less credit; a cheaper meal may cost less than the credit. */
export const toPayFor = ({ price, credit }: LedgerOrder): Ngwee => Math.max(0, price - credit)
