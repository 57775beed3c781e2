import type { SchoolDate } from '#kernel/school-time'
import type { Ports } from '#platform/ports'

type DateOrders = { date: SchoolDate; orders: number }

export type CyclesNeeds = Ports & {
  ordersOnDates: (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => Promise<DateOrders[]>
}
