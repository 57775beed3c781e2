import type { Ngwee } from '#kernel/money'
import { cancelledOrders } from './closed-orders.rows'
import type { ClosuresNeeds } from './needs'

type OwedNeeds = Pick<ClosuresNeeds, 'database'> & {
  refunds: ClosuresNeeds['refunds']
  credit: ClosuresNeeds['credit']
  payments: Pick<ClosuresNeeds['payments'], 'owedForClosures'>
}

/**
 * What each of these closures owes, whatever of it went back since, refunds and credit together: for the orders that it
 * cancelled and that were not placed again, and for card money that came later. Of an order whose refund or credit is yet
 * to be opened, a moment after it was cancelled, what was paid for it.
 */
export const owedByClosures = async (
  { database, refunds, credit, payments }: OwedNeeds,
  closureIds: readonly string[],
): Promise<ReadonlyMap<string, Ngwee>> => {
  const orders = await cancelledOrders(database.knex, closureIds)
  const orderIds = orders.map(({ id }) => id)
  const [refunded, given, late] = await Promise.all([
    refunds.amountsOfOrders(orderIds),
    credit.givenForOrders(orderIds),
    payments.owedForClosures(closureIds),
  ])
  const owed = new Map(late)
  for (const { id, closureId, price, isPaid } of orders) {
    const { owed: asCredit, before } = given.get(id) ?? { owed: 0, before: 0 }
    const settled = (refunded.get(id) ?? 0) + asCredit
    const expected = isPaid ? Math.max(0, price - before) : 0
    owed.set(closureId, (owed.get(closureId) ?? 0) + (settled || expected))
  }
  return owed
}
