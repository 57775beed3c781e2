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
    /** What the user's best active discount code takes off, in percent; 0 without one. */
    discountOf: (userId: number) => Promise<number>
  }
  payments: {
    /** Which of these items are in a payment that is not finished. */
    itemsInPayment: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  }
}
