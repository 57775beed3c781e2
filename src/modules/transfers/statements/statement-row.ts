import type { Ngwee } from '#kernel/money'
import type { TransferMethod } from '../confirmations/events'

/** One incoming payment as a statement has it. */
export type Incoming = {
  at: Date
  amount: Ngwee
  payer: string | null
  phone: string | null
  text: string | null
  transactionId: string | null
}

/** An incoming payment under the id that it has for ever, which is its transfer's too. */
export type StatementRow = Incoming & {
  id: string
  /** The statement that added it. */
  statementId: number
  method: TransferMethod
  ignored: boolean
}
