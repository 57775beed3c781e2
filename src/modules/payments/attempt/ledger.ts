import { moneyOf } from '#kernel/meal-line'
import { type Ngwee, sum } from '#kernel/money'
import { toPayFor } from './credit-lines'
import type { LineClosure, OwedPart } from './events'
import type { PaymentAttempt, StartedAttempt } from './payment-attempt'

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
  const { outcomes, checkout, surplus, money } = attempt
  const received = money.amount ?? toPayFor(checkout.lines)
  const waived = outcomes.flatMap((outcome) => (outcome.kind === 'waived' ? [outcome] : []))
  const paidBack = sum(waived.map((outcome) => outcome.paidBack)) + surplus.paidBack
  const owed = sum(waived.map((outcome) => outcome.owed)) + surplus.owed - paidBack
  const ordered = sum(checkout.lines.filter(({ index }) => outcomes[index]?.kind === 'ordered').map(moneyOf))
  const rest = received - ordered - owed - paidBack
  const [held, shortfall] = rest >= 0 ? [rest, 0] : [0, -rest]
  return { received, fee: money.fee, ordered, shortfall, held, owed, paidBack }
}

/** What of the money is neither an order nor owed back. */
export const heldOf = (attempt: StartedAttempt): Ngwee => ledgerOf(attempt).held

/** Money of an attempt that will not become an order; `amount` is all of it, whatever went back since. */
export type OwedBack = {
  part: OwedPart
  userId: number
  amount: Ngwee
  student: { name: string; grade: string }
  item: { name: string }
  orderedAt: string
  /** The closure of the line's day, when that is why. */
  closure?: LineClosure | undefined
}

/** What an attempt owes back by decisions that stand: lines that were given up, and what was paid above its total. */
export const owedBack = (attempt: PaymentAttempt): OwedBack[] => {
  if (attempt.status === 'none') return []
  const { checkout, outcomes, surplus } = attempt
  const common = { userId: checkout.userId, orderedAt: checkout.at }
  const lines = checkout.lines.flatMap(({ index, student, item }): OwedBack[] => {
    const outcome = outcomes[index]
    if (outcome?.kind !== 'waived' || outcome.owed === 0) return []
    const { owed: amount, closure } = outcome
    return [
      { ...common, part: index, amount, student, item: { name: item.name }, ...(closure && { closure }) },
    ]
  })
  const student = checkout.lines[0]?.student
  if (surplus.owed === 0 || !student) return lines
  return [
    ...lines,
    { ...common, part: 'surplus', amount: surplus.owed, student, item: { name: 'Overpayment' } },
  ]
}

/**
 * What money was received for a line that became an order: what of its price credit did not pay, but for a card payment that a person accepted although
 * money was missing. What was missing is taken from the last lines of the cart, once and for all whatever becomes of the
 * others, so that never more goes back than came in (payments.md section 4, R13).
 */
export const paidForLine = (attempt: PaymentAttempt, index: number): Ngwee => {
  if (attempt.status === 'none') return 0
  const { lines } = attempt.checkout
  const line = lines.find((one) => one.index === index)
  if (!line) return 0
  const after = lines.filter((one) => one.index > index)
  const missing = Math.max(0, attempt.shortfall - toPayFor(after))
  return moneyOf(line) - Math.min(moneyOf(line), missing)
}
