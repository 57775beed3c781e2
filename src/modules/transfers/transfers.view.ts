import type { Knex } from 'knex'
import unhomoglyph from 'unhomoglyph'
import { v5 } from 'uuid'
import { column, type RowOf } from '#kernel/column'
import { internationalPhone } from '#kernel/phone-number'
import type { Reader } from '#platform/database'
import { rowView } from '#platform/projections/row-view'
import { transferConfirmed, transferUndone, type PaidFamily, type TransferMethod } from './events'

/** As last confirmed; `confirmed` until undone. Amounts in ngwee. */
const transferColumns = {
  id: column<string>('uuid'),
  confirmed: column<boolean>('boolean'),
  confirmation_id: column<string>('uuid'),
  row_id: column<string | null>('uuid'),
  method: column<TransferMethod>('text'),
  transaction_id: column<string | null>('text'),
  transaction_key: column<string | null>('text'),
  paid_at: column<string | Date | null>('timestamptz'),
  amount: column<number>('integer'),
  payer: column<string | null>('text'),
  phone: column<string | null>('text'),
  note: column<string | null>('text'),
  families: column<readonly PaidFamily[]>('jsonb'),
  user_ids: column<number[]>('integer[]'),
  order_ids: column<string[]>('text[]'),
  by_user: column<number>('integer'),
  confirmed_at: column<string | Date>('timestamptz'),
  changed_at: column<string | Date>('timestamptz'),
}
export type TransferRow = RowOf<typeof transferColumns>

export const transfersView = rowView({
  table: 'transfers.transfers',
  columns: transferColumns,
  primaryKey: 'id',
  events: [transferConfirmed, transferUndone],
  key: ({ data }) => data.transferId,
  evolve: (row: TransferRow | null, { type, data }): TransferRow | null => {
    if (type === transferUndone.type) return row && { ...row, confirmed: false, changed_at: data.at }
    const { transactionId, families, at } = data
    return {
      id: data.transferId,
      confirmed: true,
      confirmation_id: data.confirmationId,
      row_id: data.rowId,
      method: data.method,
      transaction_id: transactionId,
      transaction_key: transactionId === null ? null : comparedTransactionId(transactionId),
      paid_at: data.paidAt,
      amount: data.amount,
      payer: data.payer,
      phone: internationalPhone(data.phone ?? ''),
      note: data.note,
      families,
      user_ids: families.map(({ userId }) => userId),
      order_ids: families.flatMap(({ orders }) => orders.map(({ orderId }) => orderId)),
      by_user: data.by,
      confirmed_at: at,
      changed_at: at,
    }
  },
})

const transfers = (knex: Knex) => knex<TransferRow>('transfers.transfers')

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

export const phonesOfOrders = async (
  at: Reader,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> => {
  const { rows } = await at.query<{ id: string; phones: string[] }>(
    `select paid.id, array_agg(coalesce(transfer.phone, row.phone)) as phones
     from transfers.transfers transfer cross join unnest(order_ids) as paid (id) ${rowFoundLater}
     where confirmed and order_ids && $1::text[] and paid.id = any($1)
       and coalesce(transfer.phone, row.phone) is not null
     group by paid.id`,
    [orderIds],
  )
  return new Map(rows.map(({ id, phones }) => [id, phones]))
}

/** Also of one that was undone since. */
export const phoneOfTransfer = async (at: Reader, id: string): Promise<string | null> => {
  const { rows } = await at.query<{ phone: string | null }>(
    `select coalesce(transfer.phone, row.phone) as phone from transfers.transfers transfer ${rowFoundLater}
     where transfer.id = $1 order by 1 limit 1`,
    [id],
  )
  return rows[0]?.phone ?? null
}

// Verified by hand under a transaction id that a statement has since.
const rowFoundLater = `left join transfers.statement_rows row
  on transfer.row_id is null and row.transaction_key = transfer.transaction_key`

const namespace = '5e1d7a34-0c5b-4f6e-8a53-2f4b9c1d7e60'

/** Letters and digits, lookalikes as Latin, O as 0, I and L as 1, no leading zeros or `.0`; '' for no id, as `0` and `-`. */
export const comparedTransactionId = (transactionId: string): string => {
  const visible = transactionId
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]/gu, '')
    .replace(/^([\d,]+)\.0+$/, '$1')
  const signs = visible.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return unhomoglyph(signs).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1').replace(/^0+/, '')
}

/** Stable id of a row's transfer; `key` is unique in its layout. */
export const transferIdFrom = (layout: TransferMethod, key: string): string =>
  v5(`${layout}/${key}`, namespace)

export const typedTransferId = (transactionId: string): string =>
  v5(`typed/${comparedTransactionId(transactionId)}`, namespace)
