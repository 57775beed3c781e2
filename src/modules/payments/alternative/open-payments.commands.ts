import type { OpenPayment } from '#contracts/open-payments'
import { payWays, type PayWay } from '#contracts/ordering'
import { moneyOf } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import type { PaymentsNeeds, UnpaidOrder } from '../needs'
import { paymentReply } from './instructions'
import { firstLapse, lapsingFrom } from './lapsing'
import { referencesOf } from './references.rows'
import { readLapsingSince, readPaymentBypass } from './settings.rows'

type Needs = Pick<PaymentsNeeds, 'database' | 'now' | 'zone'> & {
  ordering: Pick<PaymentsNeeds['ordering'], 'unpaidOrdersOf' | 'orderReplies'>
}

/** What a user has yet to pay outside of the card provider, by checkout, the oldest first. */
export const openPaymentsOf = async (needs: Needs, userId: number): Promise<OpenPayment[]> => {
  const { knex } = needs.database
  const unpaid = await needs.ordering.unpaidOrdersOf(userId)
  const attemptIds = [...new Set(unpaid.map(({ attemptId }) => attemptId))]
  const [references, settings, since, replies] = await Promise.all([
    referencesOf(knex, attemptIds),
    readPaymentBypass(knex),
    readLapsingSince(knex),
    needs.ordering.orderReplies(
      unpaid.map(({ id }) => id),
      needs.now(),
    ),
  ])
  const lapsing = lapsingFrom(since, needs.now(), needs.zone)
  return attemptIds.flatMap((attemptId) => {
    const orders = unpaid.filter((order) => order.attemptId === attemptId)
    const reference = references.get(attemptId)
    const [first] = orders
    const amount = orders.reduce((sum, order) => sum + moneyOf(order), 0)
    // What is left of a checkout may be free, or paid by credit.
    if (reference === undefined || !first || amount === 0) return []
    const { instructions } = paymentReply({ reference, amount, payBy: chosenWay(first) }, settings)
    const ids = new Set(orders.map(({ id }) => id))
    return [
      {
        reference,
        amount: kwachaFromNgwee(amount),
        payBy: first.payBy ?? 'other',
        placedAt: first.placedAt.toISOString(),
        lapsesAt: firstLapse(orders, lapsing)?.toISOString() ?? null,
        orders: replies.filter(({ id }) => ids.has(id)),
        instructions,
      },
    ]
  })
}

const chosenWay = ({ payBy }: UnpaidOrder): PayWay | undefined => payWays.find((way) => way === payBy)
