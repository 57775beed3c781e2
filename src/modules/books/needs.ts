import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { UserMessage } from '#kernel/user-message'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'

/** A meal as it was paid for; amounts in ngwee, `credit` is what credit paid of the price. */
export type PaidMeal = {
  mealDate: SchoolDate
  student: string
  item: string
  category: string | null
  sideDish: string | null
  originalPrice: Ngwee
  price: Ngwee
  credit: Ngwee
}

/** What a card payment is called: `token` and `ref` by the provider, `reference` by us. */
export type CardNames = {
  attemptId: string
  token: string | null
  ref: string | null
  reference: string | null
}

/** What the books need of the process and of the other contexts. */
export type BooksNeeds = {
  database: Database
  eventStore: Pick<EventStore, 'end'>
  now: Now
  waitForViews: (position: Position) => Promise<void>
  /** IANA name of the school's time zone. */
  zone: string
  schoolName: string
  /** Where families reach the portal. */
  publicUrl: string
  queue: Pick<JobQueue, 'enqueue'>
  identity: {
    /** By user id; ids that nobody has are left out. */
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    /** Writes to a user on the channels that they chose, once per id; false when nothing reaches them. */
    messageUser: (userId: number, message: UserMessage, id: string) => Promise<boolean>
    /** Null when there is no such user any more. */
    personOf: (userId: number) => Promise<{ username: string; name: string | null } | null>
  }
  ordering: {
    /** Of orders, whoever placed them: the child, the meal and its day. */
    mealsOfOrders: (
      orderIds: readonly string[],
    ) => Promise<readonly { id: string; date: SchoolDate; student: string; item: string }[]>
    /** These orders with their meals as they were at that instant, in the order asked for. */
    paidMeals: (
      orderIds: readonly string[],
      at: string,
    ) => Promise<readonly { attemptId: string; meal: PaidMeal }[]>
  }
  payments: {
    /** A checkout as it was at that instant, its meals by their lines; `reference` is ours. Null when there is none. */
    paidCheckout: (
      attemptId: string,
      at: string,
    ) => Promise<{
      reference: string | null
      providerReference: string | null
      meals: readonly PaidMeal[]
    } | null>
    /** The card payments of these ids, and those that the provider or we call by one of these names. */
    cardNames: (asked: {
      attemptIds: readonly string[]
      names: readonly string[]
    }) => Promise<readonly CardNames[]>
  }
  refunds: {
    /** Of which part of its checkout a refund is, and how one act of paying back went, with its reference; null for none. */
    paidBack: (
      refundId: string,
      payoutId: string,
    ) => Promise<{ part: number | 'surplus'; method: string; reference: string | null } | null>
  }
}
