import type { Ngwee } from '#kernel/money'

/** How money came in, as the books tell it. */
export type TransferMethod = 'airtel' | 'mtn' | 'bank' | 'other'

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
export type StatementRow = Incoming & { id: string; method: TransferMethod; ignored: boolean }

/** A transaction's id as it is compared: without regard to case and spaces. */
export const transactionKey = (transactionId: string): string =>
  transactionId.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase()
