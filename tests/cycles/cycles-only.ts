import { v7 } from 'uuid'
import { createCycle } from '#contracts/cycles'
import { insertClosure } from '#modules/cycles/closed-days.rows'
import { cyclesModule } from '#modules/cycles/index'
import { cycleHistoryRoute } from '#modules/ordering/reports/cycle-history.routes'
import { administrator, serveModule } from '../support/module-server'
import { testDatabase } from '../support/postgres'
import { quietNotices, standIn } from '../support/stand-ins'

export const planner = administrator(10, 'cycles')
export const historian = administrator(11, 'history')
export const settler = administrator(12, 'settings')

export const wednesdayMorning = '2026-09-16T07:00:00+02:00'
export const fourWeeks = { startDate: '2026-09-14', cycleLength: 4 as const }

/** The cycles module on a database of its own, at seven on a Wednesday in Lusaka. */
export const startCyclesOnly = async () => {
  const { database, close } = await testDatabase()
  const { notifications, missed } = quietNotices()
  const ordered: { date: string; cycleId: number }[] = []
  const totals = new Map<number, { orders: number; revenue: number; completed: number }>()
  const clock = { now: new Date(wednesdayMorning) }
  const cycles = cyclesModule(
    standIn({
      database,
      notifications,
      now: () => clock.now,
      zone: 'Africa/Lusaka',
      ordersOnDates: async (from, to, exceptCycleId) =>
        ordered
          .filter(({ date, cycleId }) => date >= from && date <= to && cycleId !== exceptCycleId)
          .map(({ date }) => ({ date, orders: 2 })),
    }),
  )
  const history = cycleHistoryRoute(
    cycles,
    async (ids) => new Map([...totals].filter(([id]) => ids.includes(id))),
  )
  const server = await serveModule({ ...cycles, routes: [...cycles.routes, history] })
  return {
    database,
    cycles,
    server,
    totals,
    /** Dates on which two orders of a cycle stand. */
    ordered,
    /** Closes dates in every cycle. */
    closeDates: (...dates: string[]) =>
      database.knex.transaction((transaction) =>
        insertClosure(
          transaction,
          {
            id: v7(),
            cycleId: 9,
            dates,
            reason: 'Water is off',
            remedy: 'refund',
            planned: false,
            grades: [],
            classes: [],
          },
          { actor: 'user:1', correlationId: 'closing', at: clock.now },
        ),
      ),
    /** The cycle with which each date was blocked, while that cycle is active. */
    planned: async () =>
      (
        await database.pool.query<{ date: string; cycle_id: number }>(
          `select date::text, cycle_id from closures.dates join closures.closures on id = closure_id
           where is_closed and planned order by date`,
        )
      ).rows.map(({ date, cycle_id: cycleId }) => [date, cycleId]),
    clock,
    create: (body: object = fourWeeks) => server.call(planner, createCycle, { body }),
    reset: async () => {
      clock.now = new Date(wednesdayMorning)
      totals.clear()
      ordered.length = 0
      // Faster than to truncate tables that hold a row or two.
      await database.pool.query(`
        delete from cycles.order_cycles;
        delete from closures.closures;
        select setval(pg_get_serial_sequence('cycles.order_cycles', 'id'), 1, false);
        update cycles.settings set cutoff_hour = 8, cutoff_minute = 0, cutoff_days_before = 0, cutoff_school_days_only = true`)
      missed()
    },
    close: async () => {
      await server.close()
      await close()
    },
  }
}
