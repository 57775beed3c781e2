import type { Knex } from 'knex'
import { comparedTransactionId } from './transfer-id.rows'
import type { TransferRow } from './transfers.view'

const transfers = (knex: Knex) => knex<TransferRow>('payments.transfers')

export const transfersChangedBetween = async (
  knex: Knex,
  from: Date,
  until: Date,
): Promise<{ id: string; changedAt: Date }[]> => {
  const rows = await transfers(knex)
    .whereBetween('changed_at', [from, until])
    .orderBy(['changed_at', 'id'])
    .select('id', 'changed_at')
  return rows.map(({ id, changed_at }) => ({ id, changedAt: new Date(changed_at) }))
}

export const confirmedWithTransaction = (knex: Knex, transactionId: string): Promise<string[]> =>
  transfers(knex)
    .where({ confirmed: true, transaction_key: comparedTransactionId(transactionId) })
    .pluck('id')

export const transfersOfUser = (knex: Knex, userId: number): Promise<string[]> =>
  transfers(knex)
    .whereRaw('user_ids @> ?::int[]', [[userId]])
    .pluck('id')
