import type { Knex } from 'knex'
import type { CardRefund } from './card-refund'
import type { CardRefundRow } from './card-refunds.view'

const cardRefunds = (knex: Knex) => knex<CardRefundRow>('refunds.card_refunds')

export const cardRefundsOf = async (
  knex: Knex,
  refundIds: readonly string[],
): Promise<ReadonlyMap<string, CardRefund>> => {
  const rows = await cardRefunds(knex).whereIn('refund_id', [...refundIds])
  return new Map(rows.map(({ refund_id, card }) => [refund_id, card]))
}

export const cardRefundsToFollow = (
  knex: Knex,
): Promise<{ refundId: string; requestId: string; since: string }[]> =>
  cardRefunds(knex)
    .whereIn('state', ['requested', 'pending'])
    .orderBy('refund_id')
    .select({
      refundId: 'refund_id',
      requestId: knex.raw(`card->>'requestId'`),
      since: knex.raw(`card->>'since'`),
    })

export const cardRefundsToCheck = async (knex: Knex): Promise<number> =>
  Number((await cardRefunds(knex).where({ state: 'check' }).count({ count: '*' }).first())?.count)
