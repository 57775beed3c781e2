import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { Notifications } from '#platform/notifications'

/** What the catalogue needs of the process and of the other contexts. */
export type CatalogueNeeds = {
  database: Database
  now: Now
  notifications: Pick<Notifications, 'subscribe' | 'publisher'>
  ordering: {
    /** Which of these items were ever ordered. */
    itemsWithOrders: (ids: readonly number[]) => Promise<ReadonlySet<number>>
    /** How many portions of these items are taken on dates from `from` to `to`: live orders and reservations at `at`. */
    portionsTaken: (asked: {
      itemIds: readonly number[]
      from: string
      to: string
      at: Date
    }) => Promise<{ itemId: number; date: string; taken: number }[]>
    /** How many live orders of an item there are on a date. */
    ordersOn: (itemId: number, date: string) => Promise<number>
    /** What the user's best active discount code takes off, in percent; 0 without one. */
    discountOf: (userId: number) => Promise<number>
  }
  payments: {
    /** Which of these items are in a payment that is not finished. */
    itemsInPayment: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  }
}
