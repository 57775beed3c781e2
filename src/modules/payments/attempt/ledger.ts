import type { Ngwee } from '#kernel/money'
import type { PaymentAttempt, Standing } from './payment-attempt'

/**
 * Where an attempt's money is, in ngwee: `received` + `shortfall` = `ordered` + `held` + `owed` + `paidBack`, always.
 * The provider's `fee` came on top of what was received.
 */
export type Ledger = {
  received: Ngwee
  fee: Ngwee
  ordered: Ngwee
  /** Ordered without having been paid: never more than a person accepted as missing. */
  shortfall: Ngwee
  /** Neither an order nor owed back yet: never anything once the attempt has ended. */
  held: Ngwee
  owed: Ngwee
  paidBack: Ngwee
}

const nothing: Ledger = { received: 0, fee: 0, ordered: 0, shortfall: 0, held: 0, owed: 0, paidBack: 0 }

/** The ledger of an attempt by card; of others, which move no money here, it is empty. */
export const ledgerOf = (attempt: PaymentAttempt): Ledger => {
  if (attempt.status === 'none' || attempt.checkout.kind !== 'card' || !attempt.money) return nothing
  const { fates, checkout, surplus, money } = attempt
  const received = money.amount ?? checkout.total
  const waived = fates.flatMap((fate) => (fate.kind === 'waived' ? [fate] : []))
  const paidBack = sum(waived.map((fate) => fate.paidBack)) + surplus.paidBack
  const owed = sum(waived.map((fate) => fate.owed)) + surplus.owed - paidBack
  const ordered = sum(
    checkout.lines.filter(({ index }) => fates[index]?.kind === 'ordered').map(({ price }) => price),
  )
  const rest = received - ordered - owed - paidBack
  const [held, shortfall] = rest >= 0 ? [rest, 0] : [0, -rest]
  return { received, fee: money.fee, ordered, shortfall, held, owed, paidBack }
}

/** What of the money is neither an order nor owed back. */
export const heldOf = (attempt: Standing): Ngwee => ledgerOf(attempt).held

const sum = (amounts: readonly Ngwee[]): Ngwee => amounts.reduce((total, amount) => total + amount, 0)
