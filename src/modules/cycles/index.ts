import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import { datesOf, todayAt, withClosedDates, type CycleDate } from './calendar.decide'
import { cycleHistoryRoute } from './cycle-history.routes'
import { cycleCommands } from './cycles.commands'
import { cycleRoutes } from './cycles.routes'
import { allCycles, cyclesByIds, orderingCalendar, readCutoff, removeBlockedDates } from './cycles.rows'
import type { CyclesNeeds } from './needs'
import { cyclesStatus } from './refusals'

/** Order cycles, their blocked days and the cutoff; for siblings, the cycles and the calendar for ordering. */
export const cyclesModule = (needs: CyclesNeeds) => {
  const { knex, pool } = needs.database

  const { closedDates } = needs.closures
  const allNow = async () => {
    const [cycles, closed] = await Promise.all([allCycles(knex)(), closedDates()])
    return cycles.map((cycle) => withClosedDates(cycle, closed))
  }
  const calendar = cached(needs.notifications, 'cycles_calendar', async () => {
    const [cycles, cutoff] = await Promise.all([allNow(), readCutoff(knex)])
    return { cycles, cutoff }
  })
  const commands = invalidating(cycleCommands(needs), calendar.changed)

  const byIds = async (ids: readonly number[]) => {
    const [found, closed] = await Promise.all([cyclesByIds(knex)(ids), closedDates()])
    return new Map([...found].map(([id, cycle]) => [id, withClosedDates(cycle, closed)]))
  }

  const orderingNow = async () => {
    const [{ cycle, cutoff }, closed] = await Promise.all([orderingCalendar(pool)(), closedDates()])
    return { cycle: cycle && withClosedDates(cycle, closed), cutoff }
  }

  const module: Module = {
    name: 'cycles',
    routes: [
      ...cycleRoutes(commands, { ...needs, calendar: calendar.read }),
      cycleHistoryRoute({ ...needs, closedDates }),
    ],
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: cyclesStatus,
  }

  return {
    ...module,
    activeCycle: async () => (await orderingNow()).cycle,
    allCycles: allNow,
    cyclesByIds: byIds,
    orderingCalendar: orderingNow,
    /** Every day of a cycle and its state now, in the order of their dates; null when there is no such cycle. */
    daysOf: async (cycleId: number): Promise<CycleDate[] | null> => {
      const [cycle, cutoff] = await Promise.all([byIds([cycleId]), readCutoff(knex)])
      const found = cycle.get(cycleId)
      return found ? datesOf(found, todayAt(needs.now(), cutoff, needs.zone)) : null
    },
    /** Takes these dates out of the blocked days of every cycle. */
    removeBlockedDates,
    /** To be called once closed dates are committed. */
    closedDatesChanged: calendar.changed,
  }
}
