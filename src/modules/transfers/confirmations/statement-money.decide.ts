import type { StatementRow } from '../statements/statement-row'
import type { IncomingMoney } from './confirmation.decide'

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
