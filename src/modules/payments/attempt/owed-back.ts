import type { Ngwee } from '#kernel/money'
import type { OwedPart } from './events'
import type { PaymentAttempt } from './payment-attempt'

/** Money of an attempt that will not become an order; `amount` is all of it, whatever went back since. */
export type OwedBack = {
  part: OwedPart
  userId: number
  amount: Ngwee
  student: { name: string; grade: string }
  item: { name: string }
  orderedAt: string
}

/** What an attempt owes back by decisions that stand: lines that were given up, and what was paid above its total. */
export const owedBack = (attempt: PaymentAttempt): OwedBack[] => {
  if (attempt.status === 'none') return []
  const { checkout, fates, surplus } = attempt
  const common = { userId: checkout.userId, orderedAt: checkout.at }
  const lines = checkout.lines.flatMap(({ index, student, item }): OwedBack[] => {
    const fate = fates[index]
    if (fate?.kind !== 'waived' || fate.owed === 0) return []
    return [{ ...common, part: index, amount: fate.owed, student, item: { name: item.name } }]
  })
  const student = checkout.lines[0]?.student
  if (surplus.owed === 0 || !student) return lines
  return [
    ...lines,
    { ...common, part: 'surplus', amount: surplus.owed, student, item: { name: 'Overpayment' } },
  ]
}
