import type { StatementRow } from '../statements/statement-row'
import type { IncomingMoney } from './confirmation.decide'

/** A row of a statement as the money that came in. */
export const moneyOfRow = ({
  id,
  method,
  transactionId,
  at,
  amount,
  payer,
}: StatementRow): IncomingMoney => ({
  transferId: id,
  rowId: id,
  method,
  transactionId,
  paidAt: at,
  amount,
  payer,
  note: null,
})
