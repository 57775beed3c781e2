import * as transfers from '#modules/transfers/published'
import { rowView } from '#platform/projections/row-view'
import type { LedgerTransfer } from './ledger'

export const ledgerTransfersView = rowView({
  table: 'audit.ledger_transfers',
  columns: {
    id: 'uuid',
    confirmation_id: 'uuid',
    stands: 'boolean',
    amount: 'bigint',
    families: 'jsonb',
    changed_at: 'timestamptz',
  },
  primaryKey: 'id',
  events: [transfers.transferConfirmed, transfers.transferUndone],
  key: ({ data }) => data.transferId,
  evolve: (row: LedgerTransfer | null, { type, data }): LedgerTransfer | null => {
    if (type === transfers.transferUndone.type) return row && { ...row, stands: false, changed_at: data.at }
    const { transferId: id, confirmationId: confirmation_id, amount, families, at: changed_at } = data
    return { id, confirmation_id, stands: true, amount, families, changed_at }
  },
})
