import { createCycle } from '#contracts/cycles'
import { cyclesModule } from '#modules/cycles/index'
import { administrator, serveModule } from '../support/module-server'
import { testDatabase } from '../support/postgres'
import { quietNotices } from '../support/quiet-notifications'

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
  const closed: string[] = []
  const planned = new Map<string, number>()
  const totals = new Map<number, { orders: number; revenue: number }>()
  const clock = { now: new Date(wednesdayMorning) }
  const cycles = cyclesModule({
    database,
    notifications,
    now: () => clock.now,
    zone: 'Africa/Lusaka',
    ordering: {
      orderTotals: async (ids) => new Map([...totals].filter(([id]) => ids.includes(id))),
      ordersOnDates: async (from, to, exceptCycleId) =>
        ordered
          .filter(({ date, cycleId }) => date >= from && date <= to && cycleId !== exceptCycleId)
          .map(({ date }) => ({ date, orders: 2 })),
    },
    closures: {
      closedDates: async () => new Set(closed),
      closePlanned: async (_transaction, { id, dates }) => {
        for (const date of dates) planned.set(date, id)
      },
      endPlanned: async (_transaction, id) => {
        for (const [date, cycleId] of planned) if (cycleId === id) planned.delete(date)
      },
    },
  })
  const server = await serveModule(cycles)
  return {
    database,
    cycles,
    server,
    totals,
    /** Dates on which two orders of a cycle stand. */
    ordered,
    /** Dates that are closed in every cycle. */
    closed,
    /** The cycle with which each date was blocked, while that cycle is active. */
    planned,
    clock,
    create: (body: object = fourWeeks) => server.call(planner, createCycle, { body }),
    reset: async () => {
      clock.now = new Date(wednesdayMorning)
      totals.clear()
      ordered.length = 0
      closed.length = 0
      planned.clear()
      await database.knex.raw('truncate cycles.order_cycles restart identity cascade')
      await database.knex.raw('update cycles.settings set cutoff_hour = 8, cutoff_minute = 0')
      missed()
    },
    close: async () => {
      await server.close()
      await close()
    },
  }
}
