import type { Ngwee } from '#kernel/money'
import type { TransferMethod } from '../confirmations/events'

export type Incoming = {
  at: Date
  amount: Ngwee
  payer: string | null
  phone: string | null
  text: string | null
  transactionId: string | null
}

/** The permanent id is also its transfer's. */
export type StatementRow = Incoming & {
  id: string
  statementId: number
  method: TransferMethod
  ignored: boolean
}
