import { z } from 'zod'
import { transferMethods } from '#contracts/transfers'
import { eventType, type EventOf } from '#kernel/event'
import { orderId, rowId } from '#kernel/id'
import { ngwee, type Proof } from '#kernel/money'

export type TransferMethod = (typeof transferMethods)[number]
const method = z.enum(transferMethods)
const at = z.iso.datetime()

const family = z.strictObject({
  userId: rowId,
  orders: z.array(z.strictObject({ orderId, amount: ngwee })),
  surplus: ngwee,
})
export type PaidFamily = z.infer<typeof family>
const families = z.array(family).min(1)

/**
 * An administrator has confirmed one incoming payment, a row of a statement (`rowId`) or one seen by hand: it pays for
 * these orders. `amount` is the sum of what it is for each family. `confirmationId`: one act of confirming;
 * `others` are further transfers of the same act that pay for the same orders together with it. `paidAt`, `payer` and
 * `phone` as the statement has them; `countedIn`: somebody said that this row is a payment. `by`: the administrator.
 */
export const transferConfirmed = eventType(
  'payments.transfer-confirmed.v1',
  z.strictObject({
    transferId: z.uuid(),
    confirmationId: z.uuid(),
    others: z.array(z.uuid()).optional(),
    rowId: z.uuid().nullable(),
    countedIn: z.literal(true).optional(),
    method,
    transactionId: z.string().nullable(),
    paidAt: at.nullable(),
    amount: ngwee,
    payer: z.string().nullable(),
    phone: z.string().optional(),
    note: z.string().nullable(),
    by: rowId,
    families,
    at,
  }),
)
/** An id that was typed proves nothing until a statement has it, nor does a row that somebody counted in. */
export const proofOf = ({
  rowId,
  countedIn,
  method,
}: Pick<EventOf<typeof transferConfirmed>['data'], 'rowId' | 'countedIn' | 'method'>): Proof => {
  if (rowId !== null) return countedIn ? 'not on any statement' : 'statement'
  return method === 'cash' ? 'till' : 'not on any statement'
}
/** No statement row and no transaction id (paying-and-books section 2); cash has none by nature, the till proves it. */
export const isByHand = ({
  rowId: row,
  transactionId,
  method,
}: {
  rowId: string | null
  transactionId: string | null
  method: TransferMethod
}): boolean => row === null && transactionId === null && method !== 'cash'
/** The confirmation of a transfer was a mistake: its orders are unpaid again, and its surplus is no credit any more. */
export const transferUndone = eventType(
  'payments.transfer-undone.v1',
  z.strictObject({ transferId: z.uuid(), confirmationId: z.uuid(), by: rowId, families, method, at }),
)
