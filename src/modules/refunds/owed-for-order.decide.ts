import { type Ngwee, sum } from '#kernel/money'
import type { Remedy } from '#kernel/remedy'
import type { FamilyCredit } from '#modules/credit/published'

export type OrderMoney = {
  id: string
  price: Ngwee
  credit: Ngwee
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  paymentStatus: 'confirmed' | 'pending'
  remedy: Remedy | null
}

/**
 * Money and credit owed for an order; zero while active. Credit returns as credit, whatever the remedy. Credit given before (cheaper meal,
 * absence) is deducted, so never more goes back than was paid.
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

const chargedFor = (orderId: string, { charged }: FamilyCredit): Ngwee =>
  sum([...charged.values()].filter(({ about }) => about.orderId === orderId).map(({ amount }) => amount))

const givenFor = (orderId: string, { given }: FamilyCredit): Ngwee =>
  sum(
    [...given.values()]
      .filter(({ about, kind, takenBack }) => about.orderId === orderId && isBefore(kind) && !takenBack)
      .map(({ amount }) => amount),
  )

const isBefore = (kind: string): boolean => kind === 'changed' || kind === 'absent'
