import type { Credit } from '#contracts/credit'
import type { FeatureName } from '#contracts/identity'
import type { Guardian } from '#contracts/guardians'
import type { FoundPayment, FoundStatementRow } from '#contracts/find'
import type { OrderStatus, PayBy } from '#contracts/ordering'
import type { HistoryEntry } from '#contracts/payments-console'
import type { Ngwee } from '#kernel/money'
import type { Now } from '#platform/clock'
import type { Database, Reader } from '#platform/database'
import type { ReceiptAsked } from './asked'

/** An account with its children; of a deleted one the username is left. */
type FamilyAccount = {
  id: number
  username: string
  name: string
  email: string | null
  phone: string | null
  role: 'parent' | 'teacher' | 'admin'
  isDeleted: boolean
  students: { id: number; name: string; grade: string }[]
}

/** An order as the search shows it. */
export type FoundMeal = {
  id: string
  attemptId: string
  userId: number
  student: { name: string; grade: string }
  item: { name: string }
  mealDate: string
  price: Ngwee
  status: OrderStatus
  paymentStatus: 'confirmed' | 'pending'
  payBy: PayBy | null
  placedAt: Date
}

/** A payment as the search shows it, but for what other contexts know of it. */
export type FoundCheckout = Omit<FoundPayment, 'username' | 'familyId' | 'unpaid'> & { userId: number }

/** A payment for the page of its family, with what became of its meals and its money; amounts in ngwee. */
export type FamilyPayment = {
  shown: FoundCheckout
  /** When it came to its state. */
  since: Date
  toPay: Ngwee
  /** By card. */
  received: Ngwee
  /** Of a card payment's money what is owed back for meals that never became an order. */
  owed: Ngwee
  meals: number
  notOrdered: number
  mayAccept: boolean
}

/** An order of a family, as far as its page needs it. */
export type FamilyOrder = FoundMeal & {
  credit: Ngwee
  absent: boolean
  lapsed: boolean
  /** When it lapses unpaid, where the school lets unpaid meals lapse. */
  lapsesAt: Date | null
}

/** Money owed back, or gone back; `owed` is what has yet to go. */
export type FamilyRefund = {
  id: string
  order_id: string | null
  attempt_id: string
  student_name: string
  item_name: string
  amount: Ngwee
  owed: Ngwee
  due_since: string | Date
  paid_back_at: string | Date | null
  paid_back_as: string | null
}

/** A message about a user; `endedAt` is when it was sent, or given up, `failure` why the last try came to nothing. */
export type Message = {
  channel: 'mail' | 'sms'
  to: string
  subject: string
  at: Date
  state: 'sent' | 'waiting' | 'given_up' | 'unclear'
  endedAt: Date | null
  tries: number
  failure: string | null
}

/** What the search needs of the process and of the other contexts; each looks into its own tables, over one connection. */
export type FindNeeds = {
  database: Pick<Database, 'pool'>
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
  identity: {
    /** The parents and teachers of these words or this phone number, and by which children it was; the newest first. */
    findFamilies: (
      at: Reader,
      question: { text: string; words: readonly string[]; phone: string | null; whole: boolean },
      limit: number,
    ) => Promise<{ userId: number; students: number[] }[]>
    familyAccounts: (at: Reader, userIds: readonly number[]) => Promise<FamilyAccount[]>
    /** The children of whom this user is the first or a second guardian, the oldest entry first. */
    familyChildren: (
      at: Reader,
      userId: number,
    ) => Promise<{ id: number; name: string; grade: string; guardians: Guardian[] }[]>
    /** The latest messages about this user, the newest first. */
    messagesOf: (at: Reader, userId: number) => Promise<Message[]>
    /** On which channels a message goes out to this user. */
    reachedBy: (at: Reader, userId: number) => Promise<('mail' | 'sms')[]>
  }
  payments: {
    /** Unpaid meals lapse at the cutoffs from this instant on; null: none does. */
    mealsLapseFrom: () => Promise<Date | null>
    /** The payments of this reference, provider's token or provider's reference, a `like` pattern; at most 50. */
    attemptsCalled: (at: Reader, code: string) => Promise<{ id: string; userId: number }[]>
    /** The transfers with this transaction id, a `like` pattern: whom and which orders they paid for. */
    transfersCalled: (at: Reader, code: string) => Promise<{ users: number[]; orderIds: string[] }[]>
    /** The rows of statements with these words, numbers, or amount, and those that paid for these users; open ones first. */
    statementRowsFound: (
      at: Reader,
      question: {
        words: readonly string[]
        code: string | null
        phone: string | null
        amount: Ngwee | null
        users: readonly number[]
      },
      limit: number,
    ) => Promise<
      (Omit<FoundStatementRow, 'at' | 'amount'> & {
        at: Date
        amount: Ngwee
      })[]
    >
    /** These, those of these users, those of this amount; `unpaid` and the newest first. */
    attemptsFound: (
      at: Reader,
      question: {
        ids: readonly string[]
        users: readonly number[]
        amount: Ngwee | null
        unpaid: readonly string[]
      },
      limit: number,
    ) => Promise<FoundCheckout[]>
    /** The latest payments of this user, the newest first. */
    attemptsOfFamily: (at: Reader, userId: number) => Promise<FamilyPayment[]>
    /** Our reference of each of these payments; '' where it has none. */
    referencesOf: (at: Reader, attemptIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  }
  ordering: {
    /** The orders of these users, children and payments, and those at this price; unpaid ones and the newest first. */
    ordersFound: (
      at: Reader,
      question: {
        users: readonly number[]
        children: readonly { userId: number; studentId: number }[]
        attemptIds: readonly string[]
        orderIds: readonly string[]
        price: Ngwee | null
      },
      limit: number,
    ) => Promise<FoundMeal[]>
    /** The payments that these orders belong to. */
    attemptsOfOrders: (at: Reader, orderIds: readonly string[]) => Promise<string[]>
    /** The payments with unpaid meals of these users, with these ids, and with so much unpaid; at most 500. */
    unpaidAttempts: (
      at: Reader,
      question: { users: readonly number[]; attemptIds: readonly string[]; amount: Ngwee | null },
    ) => Promise<{ attemptId: string; userId: number; toPay: Ngwee }[]>
    /** The latest orders of this user, the newest first. */
    ordersOfFamily: (at: Reader, userId: number) => Promise<FamilyOrder[]>
  }
  books: {
    /** Whose money a receipt or a credit note is about, and of which payment or orders. */
    receiptsCalled: (
      at: Reader,
      receipt: ReceiptAsked,
    ) => Promise<{ userId: number; attemptId: string | null; orderIds: string[] }[]>
  }
  refunds: {
    /** What is owed back, or went back, of money that was paid in these checkouts, the newest first. */
    refundsOfFamily: (at: Reader, attemptIds: readonly string[]) => Promise<FamilyRefund[]>
  }
  credit: { creditOf: (userId: number) => Promise<Credit> }
  audit: {
    /** What happened to these attempts and orders, in words and without ids, the newest first. */
    historyInWords: (
      at: Reader,
      about: { attemptIds: readonly string[]; orderIds: readonly string[] },
      limit: number,
    ) => Promise<HistoryEntry[]>
  }
}

/** Who searches. */
export type Asker = { isSuperadmin: boolean; features: readonly string[] }

export const holdsOneOf = (asker: Asker, features: readonly FeatureName[]): boolean =>
  asker.isSuperadmin || features.some((feature) => asker.features.includes(feature))
