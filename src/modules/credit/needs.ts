import type { Now } from '#platform/clock'
import type { Ngwee } from '#kernel/money'
import type { Database } from '#platform/database'
import type { StreamChange } from '#platform/event-store/command-handler'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'
import type { OrderMoney } from './owed.decide'

/** An order as credit sees it. */
export type OrderFacts = OrderMoney & {
  attemptId: string
  line: number
  userId: number
  student: { name: string }
  item: { name: string }
  /** What was paid for it when its alternative payment was confirmed; null when it was not paid that way. */
  paidLater: Ngwee | null
  /** What the absence of the child gives back once it is paid for; 0 without one. */
  absenceCredit: Ngwee
  /** The closure of its day that cancelled it. */
  closureId: string | null
  /** The acts by which it was changed to another meal. */
  changes: ReadonlySet<string>
}

/** A refund of which something went back as credit, each act once. */
export type RefundAsCredit = {
  refundId: string
  userId: number
  attemptId: string
  orderId: string | null
  part: number | 'surplus'
  reason: 'order_cancelled' | 'line_waived' | 'overpaid'
  student: { name: string }
  item: { name: string }
  payouts: readonly { payoutId: string; amount: Ngwee }[]
}

/** What credit needs of the process and of the other contexts. */
export type CreditNeeds = {
  database: Database
  eventStore: Pick<EventStore, 'read' | 'append'>
  waitForViews: (position: Position) => Promise<void>
  now: Now
  queue: Pick<JobQueue, 'enqueue'>
  ordering: {
    /** The order as its stream tells it; null when there is none. */
    orderFacts: (orderId: string) => Promise<OrderFacts | null>
    /** The cancelled orders for which credit may be owed; these, which took credit, or their checkouts did, among them. */
    cancelledOwingCredit: (
      attemptIds: readonly string[],
      orderIds: readonly string[],
    ) => Promise<readonly string[]>
    /** The paid orders that stand and for which credit is owed because the child is absent. */
    absentOwingCredit: () => Promise<readonly string[]>
  }
  payments: {
    /** What money was received for the line of an attempt. */
    paidForLine: (attemptId: string, line: number) => Promise<Ngwee>
    /** What an attempt owes back by decisions that stand; of a line whose day was closed, the closure. */
    owedByAttempt: (
      attemptId: string,
    ) => Promise<readonly { part: number | 'surplus'; closure?: { id: string } | undefined }[]>
  }
  /** Counts money that leaves a family's account, and says whether that needs the approval of another administrator. */
  countOutflow: (
    leaving: { userId: number; of: string; most: Ngwee; actId: string; amount: Ngwee },
    at: Date,
  ) => Promise<{ needsApproval: boolean; change: StreamChange }>
  refunds: {
    /** What went back of a refund as credit, as its stream tells it; null when there is no such refund. */
    refundAsCredit: (refundId: string) => Promise<RefundAsCredit | null>
    /** What the order's refund is in all once some of it went back, from when on it is not corrected; 0 before. */
    refundBegun: (orderId: string) => Promise<Ngwee>
  }
  identity: {
    /** Whether this is an administrator who is not disabled and holds the feature. */
    holdsFeature: (userId: number, feature: 'refunds') => Promise<boolean>
    /** These people by id; ids that nobody has are left out. */
    peopleOf: (
      userIds: readonly number[],
    ) => Promise<ReadonlyMap<number, { id: number; username: string; name: string }>>
    /** Null when there is no such user. */
    personOf: (userId: number) => Promise<{ role: 'parent' | 'teacher' | 'admin' } | null>
  }
}
