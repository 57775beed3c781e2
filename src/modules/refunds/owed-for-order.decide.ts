import { type Ngwee, sum } from '#kernel/money'
import type { Remedy } from '#kernel/remedy'
import type { FamilyCredit } from '#modules/credit/published'

/** Of an order, what decides what is owed for it; `credit` is what of its price was paid by credit at its checkout. */
export type OrderMoney = {
  id: string
  price: Ngwee
  credit: Ngwee
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  paymentStatus: 'confirmed' | 'pending'
  /** How money that was paid for it goes back; null while it is not cancelled. */
  remedy: Remedy | null
}

/**
 * What is owed for an order as money and as credit; nothing while it stands. `received`: the money that came in for it.
 * What was paid by credit comes back as credit, whatever the remedy; what was given for the order already (a cheaper
 * meal, an absence) is deducted, so that never more goes back than was paid.
 */
export const owedForOrder = (
  order: OrderMoney,
  received: Ngwee,
  credit: FamilyCredit,
): { money: Ngwee; credit: Ngwee } => {
  if (order.status === 'pending' || order.status === 'completed') return { money: 0, credit: 0 }
  const money = order.paymentStatus === 'confirmed' ? received : 0
  const all = Math.max(0, money + order.credit + chargedFor(order.id, credit) - givenFor(order.id, credit))
  const asMoney = order.remedy === 'credit' ? 0 : Math.min(order.price, money, all)
  return { money: asMoney, credit: all - asMoney }
}

/** What it took beside its checkout, when it was changed to a dearer meal. */
const chargedFor = (orderId: string, { charged }: FamilyCredit): Ngwee =>
  sum([...charged.values()].filter(({ about }) => about.orderId === orderId).map(({ amount }) => amount))

/** What was given for it while it stood. */
const givenFor = (orderId: string, { given }: FamilyCredit): Ngwee =>
  sum(
    [...given.values()]
      .filter(({ about, kind, takenBack }) => about.orderId === orderId && isBefore(kind) && !takenBack)
      .map(({ amount }) => amount),
  )

const isBefore = (kind: string): boolean => kind === 'changed' || kind === 'absent'
