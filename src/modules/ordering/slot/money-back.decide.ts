import { decimalFromNgwee, isUnproven, sum, type Ngwee, type Proof, type Remedy } from '#kernel/money'
import { entriesFor, type FamilyCredit } from '#modules/credit/published'

export type OrderMoney = {
  id: string
  price: Ngwee
  credit: Ngwee
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  paymentStatus: 'confirmed' | 'pending'
  remedy: Remedy | null
}

export type MoneyBack = { money: Ngwee; credit: Ngwee }

type Paid = { proof: Proof | null }
type RemedyPolicy = (paid: Paid) => Remedy | null

/** Only an administrator's word says that it came in. */
const unprovenMoneyBecomesCredit: RemedyPolicy = ({ proof }) => (isUnproven(proof) ? 'credit' : null)

const remedyPolicies = [unprovenMoneyBecomesCredit]

/** The first policy that says something, else what was asked for. */
export const remedyCarriedOut = (paid: Paid, asked: Remedy | null | undefined) =>
  remedyPolicies.flatMap((policy) => policy(paid) ?? []).at(0) ?? asked

/** Of credit that an order's money becomes. */
export const originOf = ({ proof, paidBy }: Paid & { paidBy: string | null }) => ({
  ...(proof && { proof }),
  ...(paidBy && { transferId: paidBy }),
})

/** Ngwee; zero while active. Credit returns as credit. Credit given before is deducted, so that never more goes back than was paid. */
export const owedForOrder = (order: OrderMoney, received: Ngwee, credit: FamilyCredit): MoneyBack => {
  if (order.status === 'pending' || order.status === 'completed') return { money: 0, credit: 0 }
  const money = order.paymentStatus === 'confirmed' ? received : 0
  const all = Math.max(0, money + order.credit + chargedFor(order.id, credit) - givenFor(order.id, credit))
  const asMoney = order.remedy === 'credit' ? 0 : Math.min(order.price, money, all)
  return { money: asMoney, credit: all - asMoney }
}

/** What was paid for an order that stands again; `credit` had been given while it was cancelled. */
export const keptForOrder = (order: OrderMoney, received: Ngwee, credit: FamilyCredit): MoneyBack => {
  const back = owedForOrder({ ...order, status: 'cancelled', remedy: 'credit' }, received, credit)
  const last = entriesFor(order.id, credit).at(-1)
  const asCredit = Math.min(back.credit, last?.takenBack ? last.amount : 0)
  return { money: back.credit - asCredit, credit: asCredit }
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

export const addedUp = (backs: readonly MoneyBack[]): MoneyBack => ({
  money: sum(backs.map(({ money }) => money)),
  credit: sum(backs.map(({ credit }) => credit)),
})

/** "K16.00 will be refunded and K20.00 goes to your credit"; null where nothing goes back. */
export const moneyBackText = ({ money, credit }: MoneyBack, refunded = 'will be refunded'): string | null =>
  [
    ...(money > 0 ? [`K${decimalFromNgwee(money)} ${refunded}`] : []),
    ...(credit > 0 ? [`K${decimalFromNgwee(credit)} goes to your credit`] : []),
  ].join(' and ') || null
