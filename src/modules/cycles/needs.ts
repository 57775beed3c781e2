import type { SchoolDate } from '#kernel/school-time'
import type { Ports } from '#platform/ports'

type DateOrders = { date: SchoolDate; orders: number }

export type CyclesNeeds = Ports & {
  /** Pending and completed orders of other cycles, by date. */
  ordersOnDates: (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => Promise<DateOrders[]>
}
