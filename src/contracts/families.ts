import * as z from 'zod/mini'
import { credit } from './credit'
import { endpoint, idParam } from './endpoint'
import { familyAccount, familyPayment } from './find'
import { guardian } from './guardians'
import { grade } from './identity'
import { orderStatus, payBy, paymentStatus } from './ordering'
import { historyEntry } from './payments-console'

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

/** Money owed back, or gone back: `owed` of it still has to, since `dueSince`; `doneAt` is when the last of it went. */
const familyRefund = z.object({
  id: z.string(),
  student: z.object({ name: z.string() }),
  menuItem: z.object({ name: z.string() }),
  amount: z.number(),
  owed: z.number(),
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
