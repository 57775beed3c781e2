import { v5 } from 'uuid'
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

const namespace = '5b1e0c52-6a0f-4c83-8f57-3d1c2a9e7b44'

/** A transaction's id as it is compared: without regard to case and spaces. */
export const transactionKey = (transactionId: string): string =>
  transactionId.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase()

/** The id of the transfer with this transaction id. `layout`: of its statement, or how it was said to be paid. */
export const transferIdOf = (layout: string, transactionId: string): string =>
  v5(`${layout}/id/${transactionKey(transactionId)}`, namespace)

/**
 * These payments of one file with their ids. One without a transaction id is known by its time, amount, payer and text; the
 * nth of those that are equal is the nth payment.
 */
export const withIds = (layout: string, payments: readonly Incoming[]): (Incoming & { id: string })[] => {
  const seen = new Map<string, number>()
  return payments.map((payment) => {
    const { at, amount, payer, text, transactionId } = payment
    if (transactionId !== null) return { ...payment, id: transferIdOf(layout, transactionId) }
    const facts = JSON.stringify([at.toISOString(), amount, payer, text])
    const count = (seen.get(facts) ?? 0) + 1
    seen.set(facts, count)
    return { ...payment, id: v5(`${layout}/facts/${facts}/${count}`, namespace) }
  })
}
