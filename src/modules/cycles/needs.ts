import type { Knex } from 'knex'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import type { Notifications } from '#platform/notifications'

/** What was ordered in a cycle: how many orders, and what was to pay for the completed. */
export type CycleTotals = { orders: number; revenue: Ngwee }

type DateOrders = { date: SchoolDate; orders: number }

/** What cycles need of the process and of the other contexts. */
export type CyclesNeeds = {
  database: Database
  notifications: Pick<Notifications, 'subscribe' | 'publisher'>
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
  ordering: {
    /** The totals of these cycles; a cycle without orders may be absent. */
    orderTotals: (cycleIds: readonly number[]) => Promise<ReadonlyMap<number, CycleTotals>>
    /** How many pending and completed orders of other cycles stand on each date from `from` to `to` that has any. */
    ordersOnDates: (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => Promise<DateOrders[]>
  }
  closures: {
    /** The dates that are closed, in every cycle. */
    closedDates: () => Promise<ReadonlySet<SchoolDate>>
    /** While a cycle is active, the days that were blocked when it was made stand as closures, one each. */
    closePlanned: (
      transaction: Knex.Transaction,
      cycle: { id: number; dates: readonly SchoolDate[] },
      by: By & { at: Date },
    ) => Promise<void>
    endPlanned: (transaction: Knex.Transaction, cycleId: number, by: By & { at: Date }) => Promise<void>
  }
}
