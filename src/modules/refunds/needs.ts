import type { PayBy } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import type { Remedy } from '#kernel/remedy'
import type { UserMessage } from '#kernel/user-message'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { By, StreamChange } from '#platform/event-store/command-handler'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import type { CardPayment, CardRefunder } from './card-answers'
import type { Due, RefundAsCredit } from './refund'

/** An order as refunds sees it; `price` is what was to pay. */
export type OrderFacts = {
  id: string
  attemptId: string
  line: number
  userId: number
  student: { name: string; grade: string }
  item: { name: string }
  price: Ngwee
  /** What of the price was paid by credit at its checkout. */
  credit: Ngwee
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  paymentStatus: 'confirmed' | 'pending'
  placedAt: Date
  /** What was paid for it when its alternative payment was confirmed; null when it was not paid that way. */
  paidLater: Ngwee | null
  /** How what was paid for it goes back; null while it is not cancelled. */
  remedy: Remedy | null
}

/** Money of an attempt that will not become an order: a line that was given up, or what was paid too much. */
type OwedMoney = Pick<Due, 'part' | 'userId' | 'amount' | 'student' | 'item' | 'orderedAt'> & {
  /** The closure of the meal's day, when that is why: what it owes as credit is no money. `by`: who closed the day. */
  closure?: { id: string; remedy: Remedy; by: number } | undefined
}

/** Somebody as the office calls them. */
type Person = { id: number; username: string; name: string; phone: string | null }

/** A checkout as a list shows it; `payBy` is null where nothing was to be paid, `reference` is ours. */
type ShownPayment = {
  userId: number
  payBy: PayBy | null
  reference: string
}

/** What refunds need of the process and of the other contexts. */
export type RefundsNeeds = {
  database: Database
  eventStore: Pick<EventStore, 'read' | 'append'>
  waitForViews: (position: Position) => Promise<void>
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
  /** What one administrator may let go in all to one family on one day, in ngwee; null: without end. */
  refundApprovalAbove: () => Promise<Ngwee | null>
  queue: Pick<JobQueue, 'enqueue'>
  log: Log
  /** Null: nobody takes card payments. */
  cards: CardRefunder | null
  /** Of these refunds those of which money went back, each with the number of its latest credit note. */
  creditNotes: (refundIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Whether the school pays back to cards through the card provider. */
  cardRefundsOn: () => Promise<boolean>
  ordering: {
    /** The order as its stream tells it; null when there is none. */
    orderFacts: (orderId: string) => Promise<OrderFacts | null>
    /** All cancelled orders that had been paid for and are not marked refunded. */
    cancelledPaidOrders: () => Promise<readonly string[]>
    /** Closes the order for good; safe to repeat. Throws when the order is to be cooked again. */
    markOrderRefunded: (orderId: string, by: By) => Promise<void>
  }
  identity: {
    /** Writes to a user on the channels that they chose, once per id; false when nothing reaches them. */
    messageUser: (userId: number, message: UserMessage, id: string) => Promise<boolean>
    /** Whether this is an administrator who is not disabled and holds the feature. */
    holdsFeature: (userId: number, feature: 'refunds') => Promise<boolean>
    /** By user id. */
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    peopleOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, Person>>
  }
  payments: {
    /** Who made these checkouts, how they were paid for, and our reference of each. */
    paymentsShown: (attemptIds: readonly string[]) => Promise<ReadonlyMap<string, ShownPayment>>
    /** The ids of every checkout of a user. */
    attemptsOfUser: (userId: number) => Promise<readonly string[]>
    /** What an attempt owes back, or has paid back, by decisions that stand, as its stream tells it. */
    owedByAttempt: (attemptId: string) => Promise<readonly OwedMoney[]>
    /** What money was received for the line of an attempt: what of its price was to be paid with money, or less where a person accepted that money is missing. */
    paidForLine: (attemptId: string, line: number) => Promise<Ngwee>
    /** Of these checkouts those whose money came by card, each with its payment. */
    cardPayments: (attemptIds: readonly string[]) => Promise<ReadonlyMap<string, CardPayment>>
  }
  credit: {
    /** What of the money that was received for a cancelled order is owed as money. */
    owedAsMoney: (order: OrderFacts, received: Ngwee) => Promise<Ngwee>
    /** The family's part of turning a refund into credit; safe to repeat. */
    creditForRefund: (refund: RefundAsCredit, at: Date) => Promise<StreamChange[]>
  }
}
