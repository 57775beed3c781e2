import type { Lunch } from '#kernel/id'
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import type { CartLine, LineRefusal, Order, PayBy } from '#contracts/ordering'
import type { PendingSort } from '#contracts/pending-payments'
import type { Direction } from '#contracts/sorting'
import type { MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import type { Refusal } from '#kernel/refusal'
import type { UserMessage } from '#kernel/user-message'
import type { SchoolDate } from '#kernel/school-time'
import type { Now } from '#platform/clock'
import type { By, StreamChange } from '#platform/event-store/command-handler'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import type { CreditLine } from './attempt/credit-lines'
import type { BlockedLine, Checkout, LineClosure, LineOrder, RefusedLine } from './attempt/events'
import type { CardProvider } from './providers/provider'

/** What payments need of their surroundings; each file takes its part of it. */
export type PaymentsNeeds = {
  database: { knex: Knex; pool: Pool }
  eventStore: Pick<EventStore, 'read' | 'append'>
  queue: Pick<JobQueue, 'enqueue'>
  waitForViews: (position: Position) => Promise<void>
  now: Now
  log: Log
  /** The school's time zone. */
  zone: string
  /** Null: card payments are off, and nothing new is learned about earlier ones. */
  provider: CardProvider | null
  /** The last part of the address that the provider pushes to; null: nobody pushes. */
  pushSecret: string | null
  /** The address at which whoever calls from `origin` has this service, without a slash at its end. */
  siteOf: (origin: string) => string
  /** The payment page as whoever calls from `origin` reaches it. */
  pageOf: (paymentUrl: string, origin: string) => string
  /** How long after a day's cutoff a payment still counts as in time. */
  graceMinutes: number
  withdrawnItems: WithdrawnItems
  ordering: OrderingForPayments
  identity: IdentityForPayments
  closures: {
    /** Of these dates those that are closed, or were at some time since then, each with its closure. */
    closedSince: (dates: readonly SchoolDate[], since: Date) => Promise<ReadonlyMap<SchoolDate, LineClosure>>
  }
  credit: {
    /** A family's credit as its stream tells it, for one append. */
    accountOf: (userId: number) => Promise<FamilyAccount>
    /** The checkouts that hold credit, as the view knows them. */
    checkoutsThatHold: () => Promise<readonly string[]>
    /** The credit of several families for one append. */
    accounts: () => FamilyAccounts
  }
  books: {
    /** The receipt of a card payment, and where it is read; null while it is not counted. */
    receiptOfCheckout: (attemptId: string) => Promise<{ number: string; url: string } | null>
  }
  catalogue: {
    /** The items that exist, with whether they can be had now. */
    itemsByIds: (
      ids: readonly number[],
    ) => Promise<ReadonlyMap<number, { name: string; isAvailable: boolean; isArchived: boolean }>>
  }
}

/**
 * What becomes of a paid line whose item was made unavailable or archived since (payments.md section 8 rule 1): its
 * order is made all the same, or it waits for an administrator.
 */
export type WithdrawnItems = 'honour' | 'hold'

type OrderingForPayments = {
  /** The lunches that lines ask for in the active cycle; none without one. */
  lunchesOf: (lines: readonly CartLine[]) => Promise<readonly Lunch[]>
  /**
   * Checks and prices a cart; throws `lines_refused`. Days held by this very attempt count as free. `payWith` writes on the
   * priced lines what credit pays of them.
   */
  checkCart: (
    buyer: { userId: number; attemptId: string },
    lines: readonly CartLine[],
    at: Date,
    payWith?: (priced: MealLine[]) => MealLine[],
  ) => Promise<{ lines: MealLine[]; meals: CheckoutMeals }>
  /** The slots' and portions' part of a checkout that was begun before, from what is there now. */
  mealsOf: (checkout: Pick<Checkout, 'attemptId' | 'userId' | 'lines'>, at: Date) => Promise<CheckoutMeals>
  /** The refusal of a whole cart for these lines. */
  linesRefused: (lines: readonly RefusedLine[]) => Refusal
  /** These orders as their owner sees them, in the order asked for. */
  orderReplies: (orderIds: readonly string[], at: Date) => Promise<Order[]>
  /** Why paid lines cannot be had now, whoever has their day. */
  paidLineUnavailableReasons: (userId: number, lines: readonly MealLine[], at: Date) => Promise<BlockedLine[]>
  /** Checks amended lines as a cart and prices them as of today; throws `lines_refused`. */
  amendedLines: (
    paid: { userId: number; attemptId: string; lines: readonly MealLine[] },
    amendments: readonly Amendment[],
    at: Date,
  ) => Promise<MealLine[]>
  /**
   * One page of the users with orders yet to be paid for of whom one has the text in its student or item, or is of such
   * an attempt or user; '' takes all. `usersByName` is everybody in the order in which `parent` sorts.
   */
  unpaidOrders: (
    filter: { text: string; userIds: readonly number[]; attemptIds: readonly string[] },
    page: {
      sort: PendingSort
      direction: Direction
      usersByName: readonly number[]
      offset: number
      limit: number
    },
  ) => Promise<{ groups: { userId: number; orders: UnpaidOrder[] }[]; totalGroups: number }>
  /** A user's orders that have yet to be paid for, the oldest first. */
  unpaidOrdersOf: (userId: number) => Promise<UnpaidOrder[]>
  /** The meals that money may still come for: unpaid, or of a date from `today` on and lapsed. The oldest first. */
  payableOrders: (today: SchoolDate) => Promise<PayableOrder[]>
  usersWithUnpaidOrders: () => Promise<number[]>
  /** How many meals were ordered for each child of a user and have yet to be paid for. */
  unpaidMealsOf: (userId: number) => Promise<ReadonlyMap<number, number>>
  /** These orders as their streams tell; one that does not exist is left out. `paidAt`: when the money came, if known. */
  ordersToPay: (orderIds: readonly string[], paidAt: Date | null, at: Date) => Promise<OrderToPay[]>
  /** What transfers change about orders, to be appended; an order that cannot be changed so is `refused`. */
  changePayments: (
    orderIds: readonly string[],
    change: PaymentChange,
    at: Date,
    reclaim: FamilyAccounts['reclaim'],
  ) => Promise<{
    changes: StreamChange[]
    refused: ReadonlyMap<string, { code: string; message: string }>
  }>
  /** The orders with something unpaid that lapse from one instant until another. */
  ordersToLapse: (from: Date, until: Date) => Promise<LapsingOrder[]>
  /** Cancels those of these orders that are due and that nobody has paid for; safe to repeat. */
  lapseOrders: (orderIds: readonly string[], by: By) => Promise<unknown>
  /** Those that lapsed at a cutoff since then. */
  lapsedOrders: (since: Date) => Promise<LapsingOrder[]>
  /** These orders as they now are. */
  lapsingOrders: (orderIds: readonly string[]) => Promise<LapsingOrder[]>
}

/** A meal that money may still come for; `lapsedAt`: it was cancelled then because nobody had paid. */
export type PayableOrder = {
  id: string
  attemptId: string
  userId: number
  student: string
  toPay: Ngwee
  lapsedAt: Date | null
}

/** An order as whoever confirms money for it sees it. */
export type OrderToPay = {
  id: string
  userId: number
  payBy: PayBy | null
  /** What is to be paid for it with money. */
  toPay: Ngwee
  /** `lapsed`: it was cancelled because nobody had paid for it at its cutoff. */
  state: 'unpaid' | 'paid' | 'lapsed' | 'cancelled' | 'refunded'
  /** Why it cannot be paid for; null while it stands. */
  gone: { code: string; message: string } | null
  /** The transfer that paid for it. */
  paidBy: string | null
  /** A lapsed one can be placed again for money that came when it did. */
  restorable: boolean
  /** It was cooked or given out. */
  eaten: boolean
}

/** Transfers of one act pay these amounts for orders, lapsed ones that are `restorable` among them; or they no longer do. */
type PaymentChange =
  | {
      kind: 'pay'
      transferIds: readonly [string, ...string[]]
      amounts: ReadonlyMap<string, Ngwee>
      restorable: ReadonlySet<string>
    }
  | { kind: 'unpay'; transferIds: readonly string[] }

/** A meal that lapses unless it is paid for, or did. */
export type LapsingOrder = {
  id: string
  attemptId: string
  userId: number
  date: SchoolDate
  student: string
  item: string
  /** What is unpaid of it. */
  toPay: Ngwee
  /** What of it was paid by credit at its checkout. */
  credit: Ngwee
  placedAt: Date
  lapsesAt: Date
  /** `over`: it was paid for, given out, cancelled by somebody or placed again. */
  state: 'unpaid' | 'lapsed' | 'over'
}

/** A family's credit within somebody's append; each change is to be appended in the order in which it was made. */
type FamilyAccount = {
  balance: () => Ngwee
  /** Whether credit for this line of the attempt is held or spent. */
  has: (attemptId: string, index: number) => boolean
  /** Makes the credit of a checkout what its lines want. */
  follow: (
    checkout: {
      userId: number
      attemptId: string
      reference: string | null
      lines: readonly CreditLine[]
      texts: { held: string; released: string }
    },
    at: Date,
  ) => StreamChange
}

/** Families' credit within one append: each account is read once, and all that changes it follows on. */
export type FamilyAccounts = {
  of: (userId: number) => Promise<TransferAccount>
  /** Takes back what was given for orders that are to stand again; those whose credit was `spent` cannot. */
  reclaim: (
    orders: readonly { id: string; userId: number }[],
    at: Date,
  ) => Promise<{ changes: StreamChange[]; spent: ReadonlySet<string> }>
}

/** What transfers do to a family's credit. */
type TransferAccount = {
  balance: () => Ngwee
  /** Whether what was given as this entry stands. */
  stands: (entryId: string) => boolean
  /** Whether credit was given or taken for this order beside its checkout, and stands. */
  movedFor: (orderId: string) => boolean
  /** Throws `credit_spent` where what shall be taken back is not there any more. */
  change: (
    command:
      | { kind: 'give'; entry: SurplusEntry; now: Date }
      | { kind: 'take-back'; entryId: string; text: string; now: Date },
  ) => StreamChange
}

type SurplusEntry = {
  userId: number
  entryId: string
  kind: 'overpaid'
  amount: Ngwee
  attemptId: null
  about: { orderId: string | null; reference: string | null }
  text: string
}

/** The meal slots' and portions' part of a checkout; all of it is safe to repeat. */
export type CheckoutMeals = {
  /** The lines whose day belongs to somebody else, or whose item is sold out; with `wanting` only these take a portion. */
  conflicts: (
    at: Date,
    wanting?: ReadonlySet<number>,
  ) => { index: number; code: LineRefusal; left?: number | undefined }[]
  /** Makes lines orders, all of them or those of these indexes. */
  order: (
    paying: { paymentStatus: 'confirmed' | 'pending'; payBy?: PayBy | undefined },
    at: Date,
    only?: ReadonlySet<number>,
  ) => { changes: StreamChange[]; orders: LineOrder[] }
  withdraw: (at: Date) => StreamChange[]
  /** Keeps days and portions until then; throws the refusal of one that is somebody else's. */
  reserve: (until: Date, at: Date) => StreamChange[]
  release: (at: Date) => StreamChange[]
  /** The orders that lines have become, whatever happened to them since. */
  orders: () => LineOrder[]
}

/** What shall be cooked instead of a line, by the line's index. */
export type Amendment = {
  index: number
  to: {
    menuItemId: number
    studentId: number
    weekNumber: number
    dayOfWeek: number
    category?: string | null | undefined
    sideDish?: string | null | undefined
    comments?: string | null | undefined
    acknowledged?: boolean | undefined
  }
}

/** An order that has yet to be paid for. */
export type UnpaidOrder = {
  id: string
  attemptId: string
  student: { name: string; grade: string }
  item: { name: string }
  week: number
  day: number
  price: Ngwee
  /** What of it was paid by credit at its checkout. */
  credit: Ngwee
  placedAt: Date
  payBy: PayBy | null
  /** When it lapses where the school lets unpaid meals lapse; null: it stays all the same. */
  lapsesAt: Date | null
}

/** Who has an account, as the office knows them. */
export type Person = { id: number; username: string; name: string | null; phone: string | null }

type IdentityForPayments = {
  /** Who pays, for the provider's page; null when the account is gone. */
  personOf: (userId: number) => Promise<{
    name: string | null
    username: string
    email: string | null
    phone: string | null
    role: 'parent' | 'teacher' | 'admin'
  } | null>
  usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  peopleOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, Person>>
  /** The users whose username contains this text, without regard to case. */
  usersNamed: (text: string) => Promise<number[]>
  /** The children on each of these accounts. */
  studentsOfUsers: (
    userIds: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly { id: number; name: string; grade: string }[]>>
  /** Whether this user may order without an e-mail address: the school reaches them by phone. */
  maySkipEmail: (userId: number) => Promise<boolean>
  /** How many meals of one child may wait for payment. */
  maxUnpaidMeals: () => Promise<number>
  /** Writes to a user on the channels that they chose, once per id; false when nothing reaches them. */
  messageUser: (userId: number, message: UserMessage, id: string) => Promise<boolean>
  /** A transaction whose mails to the superadmins are sent when it has committed. */
  tellingSuperadmins: <Result>(
    change: (transaction: Knex.Transaction, tell: (message: UserMessage) => Promise<void>) => Promise<Result>,
  ) => Promise<Result>
  /** Refuses (`wrong_current_password`) whoever does not give the password in force. */
  confirmPassword: (userId: number, password: string | undefined) => Promise<void>
}
