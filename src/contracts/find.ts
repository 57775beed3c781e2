import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { grade, role } from './identity'
import { orderStatus, payBy, paymentStatus } from './ordering'
import { liveStatus } from './payments-console'
import { statementState } from './statements'

/** A parent or teacher. */
export const familyAccount = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  role,
})

/** The same with the children; `unpaid` is what waits for payment, in kwacha. */
const foundFamily = z.object({
  ...familyAccount.shape,
  students: z.array(z.object({ id: z.number(), name: z.string(), grade })),
  unpaid: z.number(),
})

/** Whose it is; `familyId` null where the asker may not open the family. */
const ofFamily = { username: z.string(), familyId: z.nullable(z.number()) }

/** A checkout of any kind; amounts in kwacha, `unpaid` is what of its meals still waits for payment. */
export const familyPayment = z.object({
  id: z.string(),
  at: z.string(),
  reference: z.string(),
  transactionId: z.nullable(z.string()),
  kind: z.enum(['card', 'free', 'alternative']),
  payBy: z.nullable(payBy),
  status: liveStatus,
  /** The state of payments.md section 5. */
  state: z.string(),
  amount: z.number(),
  /** What came in by card, as far as it is known. */
  receivedAmount: z.nullable(z.number()),
  unpaid: z.number(),
})

const foundPayment = z.object({ ...familyPayment.shape, ...ofFamily })
export type FoundPayment = z.infer<typeof foundPayment>

const foundOrder = z.object({
  id: z.string(),
  at: z.string(),
  ...ofFamily,
  /** The payment it belongs to, as `reference` of a payment. */
  reference: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ name: z.string() }),
  mealDate: z.string(),
  price: z.number(),
  status: orderStatus,
  paymentStatus,
  payBy: z.nullable(payBy),
})

/** A row of a statement; amount in kwacha. */
const foundStatementRow = z.object({
  id: z.uuid(),
  statementId: z.number(),
  at: z.string(),
  amount: z.number(),
  payer: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  text: z.nullable(z.string()),
  transactionId: z.nullable(z.string()),
  /** `open`: it has paid nothing yet. */
  state: statementState,
})
export type FoundStatementRow = z.infer<typeof foundStatementRow>

export const shortestFind = 3
const tooShort = 'Please enter at least 3 characters to search'

/** The features with which somebody may search, and those with which families and payments are shown. */
export const findFeatures = [
  'live_orders',
  'order_recovery',
  'pending_payments',
  'refunds',
  'parents_students',
] as const
export const familyFeatures = ['parents_students', 'refunds', 'pending_payments'] as const
export const paymentFeatures = ['live_orders', 'order_recovery'] as const
export const statementFeatures = ['pending_payments'] as const

/**
 * One search over everything by which somebody may call a payment: our reference, the provider's, an amount, a name, a phone
 * number, an e-mail address. At most 20 of each, unpaid ones and then the newest first; what the asker's features do not
 * show is left out, and who may not see contacts finds by a whole name, number or address alone.
 */
export const find = endpoint('GET', '/api/find', {
  query: z.object({
    q: z.string().check(z.trim(), z.minLength(shortestFind, tooShort), z.maxLength(100)),
  }),
  reply: z.object({
    families: z.array(foundFamily),
    payments: z.array(foundPayment),
    orders: z.array(foundOrder),
    statementRows: z.array(foundStatementRow),
  }),
})
