import type { Knex } from 'knex'

export const ordersWithUnsettledChanges =
  (knex: Knex) =>
  (before: Date): Promise<string[]> =>
    knex('credit.meal_changes')
      .whereRaw('settled <> changed')
      .where('at', '<', before)
      .distinct()
      .pluck('order_id')

export const refundsNotGiven = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.refunds_as_credit')
    .leftJoin('credit.given', 'id', knex.raw(`'refund/' || payout_id`))
    .whereNull('id')
    .distinct()
    .pluck('refund_id')
