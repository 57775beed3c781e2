import type { Knex } from 'knex'

/** The orders of changes that have been settled and not made since before `before`, or made and not settled. */
export const ordersWithUnsettledChanges =
  (knex: Knex) =>
  (before: Date): Promise<string[]> =>
    knex('credit.meal_changes')
      .whereRaw('settled <> changed')
      .where('at', '<', before)
      .distinct()
      .pluck('order_id')

/** The refunds that became credit which was not given yet. */
export const refundsNotGiven = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.refunds_as_credit')
    .leftJoin('credit.given', 'id', knex.raw(`'refund/' || payout_id`))
    .whereNull('id')
    .distinct()
    .pluck('refund_id')
