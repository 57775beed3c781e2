import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import { cycleHistoryRoute } from './cycle-history.routes'
import { cycleCommands } from './cycles.commands'
import { cycleRoutes } from './cycles.routes'
import { activeCycle, allCycles, cyclesByIds, orderingCalendar, readCutoff } from './cycles.rows'
import type { CyclesNeeds } from './needs'
import { cyclesStatus } from './refusals'

/** Order cycles, their blocked days and the cutoff; for siblings, the cycles and the calendar for ordering. */
export const cyclesModule = (needs: CyclesNeeds) => {
  const { knex, pool } = needs.database

  const calendar = cached(needs.notifications, 'cycles_calendar', async () => {
    const [cycles, cutoff] = await Promise.all([allCycles(knex)(), readCutoff(knex)])
    return { cycles, cutoff }
  })
  const commands = invalidating(cycleCommands(needs), calendar.changed)

  const module: Module = {
    name: 'cycles',
    routes: [...cycleRoutes(commands, { ...needs, calendar: calendar.read }), cycleHistoryRoute(needs)],
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: cyclesStatus,
  }

  return {
    ...module,
    activeCycle: activeCycle(knex),
    allCycles: allCycles(knex),
    cyclesByIds: cyclesByIds(knex),
    orderingCalendar: orderingCalendar(pool),
  }
}
