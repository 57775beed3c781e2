import * as z from 'zod/mini'
import { endpoint, idParam } from './endpoint'
import { grade, role } from './identity'
import { orderStatus, payBy, paymentStatus } from './ordering'
import { liveStatus, historyEntry } from './payments-console'
import { statementState } from './transfers'
import { credit } from './credit'
import { guardian } from './accounts'

/** A parent or teacher. */
const familyAccount = z.object({
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
const familyPayment = z.object({
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

export const minFindLength = 3
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
    q: z.string().check(z.trim(), z.minLength(minFindLength, tooShort), z.maxLength(100)),
  }),
  reply: z.object({
    families: z.array(foundFamily),
    payments: z.array(foundPayment),
    orders: z.array(foundOrder),
    statementRows: z.array(foundStatementRow),
  }),
})

/** A meal from today on that is still to be cooked; `lapsesAt`: when it is cancelled unless it is paid for. */
const upcomingMeal = z.object({
  id: z.string(),
  mealDate: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ name: z.string() }),
  price: z.number(),
  status: orderStatus,
  paymentStatus,
  payBy: z.nullable(payBy),
  absent: z.boolean(),
  reference: z.string(),
  lapsesAt: z.nullable(z.string()),
})
export type UpcomingMeal = z.infer<typeof upcomingMeal>

/** Money owed back, or gone back: `owed` of it still has to, since `dueSince`, `givenAsCredit` became credit; `doneAt` is when the last of it went. */
const familyRefund = z.object({
  id: z.string(),
  student: z.object({ name: z.string() }),
  menuItem: z.object({ name: z.string() }),
  amount: z.number(),
  owed: z.number(),
  givenAsCredit: z.optional(z.number()),
  dueSince: z.string(),
  doneAt: z.nullable(z.string()),
  asCredit: z.boolean(),
})

/**
 * A message: `sent` is handed over to the mail server or SMS gateway, `waiting` is tried again, `given_up` never left. Of an
 * `unclear` SMS nobody knows whether the gateway has sent it: it is not sent again.
 */
const message = z.object({
  channel: z.enum(['mail', 'sms']),
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(['sent', 'waiting', 'given_up', 'unclear']),
  /** When it was sent or given up. */
  endedAt: z.nullable(z.string()),
  tries: z.number(),
  /** Why the last try came to nothing. */
  failure: z.nullable(z.string()),
})
export type FamilyMessage = z.infer<typeof message>

/** What the office can do next: where, and what to look for there. */
const helps = ['verify', 'judge', 'retry', 'refund', 'ask'] as const
const help = z.object({ what: z.enum(helps), about: z.string() })
export type FamilyHelp = z.infer<typeof help>

/**
 * Everything about one family that helps whoever calls. `status` says what matters now in plain sentences, the newest first;
 * amounts in kwacha; `upcoming` in the order of the days; `payments` and `history` the newest first, as far as they go.
 */
const familyPage = z.object({
  parent: familyAccount,
  /** Also those of whom this account is a second guardian; `guardians`: the first one first. */
  children: z.array(z.object({ id: z.number(), name: z.string(), grade, guardians: z.array(guardian) })),
  status: z.array(z.string()),
  upcoming: z.array(upcomingMeal),
  money: z.object({
    unpaid: z.number(),
    owedBack: z.number(),
    help: z.nullable(help),
    payments: z.array(z.object({ ...familyPayment.shape, inWords: z.string() })),
    refunds: z.array(familyRefund),
  }),
  credit,
  messages: z.array(message),
  /** On which channels a message goes out as things are; none: nothing reaches this family. */
  reachedBy: z.array(z.enum(['mail', 'sms'])),
  history: z.array(historyEntry),
})
export type FamilyPage = z.infer<typeof familyPage>

export const getFamily = endpoint('GET', '/api/families/:id', { params: idParam, reply: familyPage })
