import { moneyOf } from '#kernel/meal-line'
import { type Ngwee, sum } from '#kernel/money'
import { toPayFor } from './credit-lines'
import type { LineClosure, OwedPart } from './events'
import type { PaymentAttempt, StartedAttempt } from './payment-attempt'

/** In ngwee. Invariant: `received` + `shortfall` = `ordered` + `held` + `owed` + `paidBack`. `fee` came on top. */
export type Ledger = {
  received: Ngwee
  fee: Ngwee
  ordered: Ngwee
  /** Ordered without payment, up to what a person accepted as missing. */
  shortfall: Ngwee
  /** Neither ordered nor owed; zero once ended. */
  held: Ngwee
  owed: Ngwee
  paidBack: Ngwee
}

const nothing: Ledger = { received: 0, fee: 0, ordered: 0, shortfall: 0, held: 0, owed: 0, paidBack: 0 }

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

export const heldOf = (attempt: StartedAttempt): Ngwee => ledgerOf(attempt).held

export type OwedBack = {
  part: OwedPart
  userId: number
  amount: Ngwee
  student: { name: string; grade: string }
  item: { name: string }
  orderedAt: string
  closure?: LineClosure | undefined
}

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
 * Received for an ordered line: its price less credit and accepted shortfall. The shortfall is taken from the cart's last lines, once and
 * for all, so that never more goes back than came in (payments.md section 4, R13).
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
