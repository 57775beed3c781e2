import * as z from 'zod/mini'
import { guardian } from './accounts'
import { bookMethods } from './books'
import { credit } from './credit'
import { endpoint, idParam } from './endpoint'
import { grade, role, type FeatureName } from './identity'
import { orderStatus, payBy, paymentStatus } from './ordering'
import { paidFrom } from './payments'
import { liveStatus, historyEntry } from './payments-console'
import { planSeen } from './plan'
import { statementState } from './transfers'

const familyAccount = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  role,
})

const foundFamily = z.object({
  ...familyAccount.shape,
  students: z.array(z.object({ id: z.number(), name: z.string(), grade })),
  unpaid: z.number(),
})

/** `familyId` is null where the caller may not open the family. */
const ofFamily = { username: z.string(), familyId: z.nullable(z.number()) }

/** Any checkout; amounts in kwacha, `unpaid` is what its meals still cost. */
const familyPayment = z.object({
  id: z.string(),
  at: z.string(),
  reference: z.string(),
  transactionId: z.nullable(z.string()),
  kind: z.enum(['card', 'free', 'alternative']),
  payBy: z.nullable(payBy),
  paidFrom,
  status: liveStatus,
  state: z.string(),
  amount: z.number(),
  receivedAmount: z.nullable(z.number()),
  unpaid: z.number(),
})

const foundPayment = z.object({ ...familyPayment.shape, ...ofFamily })

const foundOrder = z.object({
  id: z.string(),
  at: z.string(),
  ...ofFamily,
  reference: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ name: z.string() }),
  mealDate: z.string(),
  price: z.number(),
  status: orderStatus,
  paymentStatus,
  payBy: z.nullable(payBy),
})

const foundStatementRow = z.object({
  id: z.uuid(),
  statementId: z.number(),
  at: z.string(),
  amount: z.number(),
  payer: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  text: z.nullable(z.string()),
  transactionId: z.nullable(z.string()),
  state: statementState,
})

export const minFindLength = 3
const tooShort = 'Please enter at least 3 characters to search'

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

/** At most 20 of each kind, unpaid first, then newest. Without access to contacts only whole names, numbers and addresses match. */
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

/** Not yet cooked, from today on; `lapsesAt` is when an unpaid meal is cancelled. */
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

/** `owed` is still due since `dueSince`; `givenAsCredit` became credit; `doneAt` is when the last part went back. */
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

/** `given_up` was never sent; `unclear` may have been sent and is not retried. */
const message = z.object({
  channel: z.enum(['mail', 'sms']),
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(['sent', 'waiting', 'given_up', 'unclear']),
  endedAt: z.nullable(z.string()),
  tries: z.number(),
  failure: z.nullable(z.string()),
})
export type FamilyMessage = z.infer<typeof message>

const helps = ['verify', 'judge', 'retry', 'refund', 'ask'] as const
const help = z.object({ what: z.enum(helps), about: z.string() })
export type FamilyHelp = z.infer<typeof help>

/** `status` is sentences about the present. Amounts in kwacha. Lists are limited and newest first, but `upcoming` is by date. */
const familyPage = z.object({
  parent: familyAccount,
  /** Includes children of whom this account is a second guardian; first guardian first. `discountPercentage`: for who may order for them. */
  children: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      grade,
      guardians: z.array(guardian),
      discountPercentage: z.optional(z.number()),
    }),
  ),
  status: z.array(z.string()),
  upcoming: z.array(upcomingMeal),
  money: z.object({
    unpaid: z.number(),
    owedBack: z.number(),
    help: z.nullable(help),
    /** `receipts` are receipt numbers; `unpaidOrders` can be confirmed. */
    payments: z.array(
      z.object({
        ...familyPayment.shape,
        inWords: z.string(),
        receipts: z.array(z.string()),
        unpaidOrders: z.array(z.object({ id: z.string(), amount: z.number() })),
      }),
    ),
    refunds: z.array(familyRefund),
  }),
  credit,
  ...planSeen,
  messages: z.array(message),
  reachedBy: z.array(z.enum(['mail', 'sms'])),
  history: z.array(historyEntry),
})
export type FamilyPage = z.infer<typeof familyPage>
export type FamilyPayment = FamilyPage['money']['payments'][number]

export const getFamily = endpoint('GET', '/api/families/:id', { params: idParam, reply: familyPage })

/** Whoever holds one of these has the page "Today". */
export const moneyFeatures = [
  'live_orders',
  'refunds',
  'order_recovery',
  'pending_payments',
  'history',
] as const

/** Of the sections that somebody holds, in their order: Today comes in place of the first of several, if that is one of money. */
export const beginsWithToday = ([first, ...more]: readonly FeatureName[]): boolean =>
  more.length > 0 && moneyFeatures.some((feature) => feature === first)

const waitingKinds = [
  'payments_to_decide',
  'unpaid_today',
  'approvals',
  'card_refunds_to_check',
  'statement_rows',
  'unpaid_families',
  'unpaid_payments',
  'refunds_due',
  'undelivered',
  'days_to_close',
] as const
export type WaitingKind = (typeof waitingKinds)[number]

/** Counted for whoever holds one of the features. */
export const waitingFeatures: Record<WaitingKind, readonly FeatureName[]> = {
  payments_to_decide: ['order_recovery'],
  unpaid_today: ['pending_payments', 'live_orders'],
  approvals: ['refunds'],
  card_refunds_to_check: ['refunds'],
  statement_rows: ['pending_payments'],
  unpaid_families: ['pending_payments'],
  unpaid_payments: ['live_orders'],
  refunds_due: ['refunds'],
  undelivered: familyFeatures,
  days_to_close: ['history'],
}

/** `amount` in kwacha, null where money is not counted. `families`: at most 5 of those that no message reached. */
const waiting = z.object({
  what: z.enum(waitingKinds),
  count: z.number(),
  amount: z.nullable(z.number()),
  families: z.optional(z.array(z.object({ id: z.number(), name: z.string() }))),
})
export type Waiting = z.infer<typeof waiting>

/** What waits for a person, the most urgent first, without what is zero or belongs to features the caller does not hold. */
export const today = endpoint('GET', '/api/today', { reply: z.object({ data: z.array(waiting) }) })

/** Who sees which figure of Today. */
export const figureFeatures = {
  received: ['history'],
  lunches: ['history', 'live_orders', 'kitchen'],
  unpaid: ['pending_payments', 'live_orders'],
  owed: ['refunds', 'history'],
} as const satisfies Record<string, readonly FeatureName[]>

const compared = { today: z.number(), lastWeek: z.number() }

/**
 * `lastWeek` is of the same day a week before, as at its end; amounts in kwacha. `received.days` are the last 14,
 * `lunches.days` the next five school days; today is in both. Null without the feature.
 */
const figures = z.object({
  date: z.string(),
  received: z.nullable(
    z.object({
      ...compared,
      methods: z.array(z.object({ method: z.enum(bookMethods), amount: z.number() })),
      days: z.array(z.object({ date: z.string(), amount: z.number() })),
    }),
  ),
  lunches: z.nullable(
    z.object({ ...compared, days: z.array(z.object({ date: z.string(), lunches: z.number() })) }),
  ),
  unpaid: z.nullable(z.object({ ...compared, lunches: z.number() })),
  owed: z.nullable(z.object(compared)),
})
export type TodayFigures = z.infer<typeof figures>

export const todayFigures = endpoint('GET', '/api/today/figures', { reply: figures })
