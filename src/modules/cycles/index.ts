import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import type { Notifications } from '#platform/notifications'
import { readCutoff, writeCutoff } from './cutoff.rows'
import { cutoffRoutes } from './cutoff.routes'
import type { Cutoff, Cycle } from './cycle'
import { cycleCommands } from './cycles.commands'
import { cycleRoutes } from './cycles.routes'
import type { CycleReadNeeds } from './cycles.routes'
import { allCycles, findCycle, findCycles, orderingCalendar } from './cycles.rows'
import { cyclesStatus } from './refusals'

export type CyclesNeeds = Omit<CycleReadNeeds, 'calendar'> & {
  notifications: Pick<Notifications, 'subscribe' | 'publisher'>
}

/** Order cycles, their blocked days and the cutoff; for siblings, the cycles and the calendar for ordering. */
export const cyclesModule = (needs: CyclesNeeds) => {
  const { knex, pool } = needs.database

  const calendar = cached(needs, 'cycles_calendar', async () => {
    const [cycles, cutoff] = await Promise.all([allCycles(knex), readCutoff(knex)])
    return { cycles, cutoff }
  })
  const commands = invalidating(
    { ...cycleCommands(needs), setCutoff: (cutoff: Cutoff) => writeCutoff(knex, cutoff) },
    calendar.changed,
  )
  const reads = { ...needs, calendar: calendar.read }

  const module: Module = {
    name: 'cycles',
    routes: [...cycleRoutes(commands, reads), ...cutoffRoutes({ ...reads, ...commands })],
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: cyclesStatus,
  }

  return {
    ...module,

    activeCycle: (): Promise<Cycle | null> => findCycle(knex, { is_active: true }),

    /** Every cycle, the active one first, then the newest first. */
    allCycles: (): Promise<Cycle[]> => allCycles(knex),

    /** These cycles by id; one that is not there is absent. */
    cyclesByIds: async (ids: readonly number[]): Promise<Map<number, Cycle>> =>
      new Map((await findCycles(knex, ids)).map((cycle) => [cycle.id, cycle])),

    /** The active cycle, if any, and the cutoff as it is set now. */
    orderingCalendar: () => orderingCalendar(pool),
  }
}
