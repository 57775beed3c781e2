import type { SchoolDate } from '#kernel/school-time'
import type { Ports } from '#platform/ports'

type DateOrders = { date: SchoolDate; orders: number }

/** What cycles are made with. */
export type CyclesNeeds = Ports & {
  /** How many pending and completed orders of other cycles stand on each date from `from` to `to` that has any. */
  ordersOnDates: (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => Promise<DateOrders[]>
}
