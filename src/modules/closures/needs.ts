import type { Knex } from 'knex'
import type { Ngwee } from '#kernel/money'
import type { Remedy } from '#kernel/remedy'
import type { SchoolDate } from '#kernel/school-time'
import type { UserMessage } from '#kernel/user-message'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'

/** A pending or completed order. */
export type StandingOrder = {
  id: string
  userId: number
  studentId: number
  isCompleted: boolean
  isPaid: boolean
  price: Ngwee
}

/** A meal as its family is told of it. */
export type Meal = { date: SchoolDate; student: string; item: string; isPaid: boolean; price: Ngwee }

/** Cancels pending orders because of a closure, or places again what it cancelled. */
type ClosureChange =
  | { kind: 'close'; closureId: string; remedy: Remedy }
  | { kind: 'restore'; closureId: string }

/** An order after that, and why it could not be done, if it could not. */
export type ChangedOrder = {
  id: string
  isActive: boolean
  isPaid: boolean
  isCancelledByClosure: boolean
  isChanged: boolean
  refused: { code: string; message: string } | null
}

/** What closures need of the process and of the other contexts. */
export type ClosuresNeeds = {
  database: Database
  waitForViews: (position: Position) => Promise<void>
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
  queue: Pick<JobQueue, 'enqueue'>
  cycles: {
    /** Every day of a cycle and its state now, in the order of their dates; null when there is no such cycle. */
    daysOf: (cycleId: number) => Promise<
      | {
          date: SchoolDate
          week: number
          day: number
          state: 'open' | 'blocked' | 'past' | 'cutoff'
        }[]
      | null
    >
    /** Takes these dates out of the blocked days of every cycle. */
    removeBlockedDates: (transaction: Knex.Transaction, dates: readonly SchoolDate[]) => Promise<void>
    /** To be called once closed dates are committed. */
    closedDatesChanged: () => void
  }
  ordering: {
    /** The pending and completed orders on these dates, of whichever cycle. */
    standingOrders: (dates: readonly SchoolDate[]) => Promise<readonly StandingOrder[]>
    /** How many of them stand on each of these dates, unpaid ones among them, and what is to pay for all. */
    standingTotals: (
      dates: readonly SchoolDate[],
    ) => Promise<ReadonlyMap<SchoolDate, { orders: number; unpaid: number; amount: Ngwee }>>
    /** In one append; the views have it from `position` on. */
    changeByClosure: (
      orderIds: readonly string[],
      change: ClosureChange,
      by: By,
    ) => Promise<{ orders: readonly ChangedOrder[]; position: Position | null }>
    /** The order as its stream tells it; null when there is none. */
    orderFacts: (orderId: string) => Promise<{
      userId: number
      price: Ngwee
      paymentStatus: 'confirmed' | 'pending'
      status: 'pending' | 'completed' | 'cancelled' | 'refunded'
    } | null>
    mealsOfOrders: (orderIds: readonly string[]) => Promise<readonly Meal[]>
  }
  payments: {
    /** How many card payments are under way with a meal on one of these dates. */
    cardPaymentsUnderWay: (dates: readonly SchoolDate[]) => Promise<number>
    /** By closure: what was paid by card for its days after they were closed. */
    owedForClosures: (closureIds: readonly string[]) => Promise<ReadonlyMap<string, Ngwee>>
  }
  refunds: {
    /** What is due, or went back, for each of these orders. */
    amountsOfOrders: (orderIds: readonly string[]) => Promise<ReadonlyMap<string, Ngwee>>
  }
  credit: {
    /** What stands given for each of these orders: because it was cancelled, and before that because of an absence. */
    givenForOrders: (
      orderIds: readonly string[],
    ) => Promise<ReadonlyMap<string, { owed: Ngwee; before: Ngwee }>>
  }
  identity: {
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    /** Those of these students who are still at the school. */
    childrenNow: (studentIds: readonly number[]) => Promise<ReadonlyMap<number, unknown>>
    /** Those of these users whom no message reaches. */
    usersWithoutAddress: (userIds: readonly number[]) => Promise<readonly number[]>
    /** Writes to a user on the channels that they chose, once per id; false when nothing reaches them. */
    messageUser: (userId: number, message: UserMessage, id: string) => Promise<boolean>
  }
}
