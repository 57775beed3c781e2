import type { Module } from '#platform/module'
import type { SchoolDate } from '#kernel/school-time'
import { cutoffInstant, dayState, todayAt } from './calendar.decide'
import type { DayState } from './calendar.decide'
import { readCutoff } from './cutoff.rows'
import { cutoffRoutes } from './cutoff.routes'
import { isInsideCycle } from './cycle'
import type { Cutoff, Cycle, CycleDay } from './cycle'
import { cycleCommands } from './cycles.commands'
import { cycleRoutes } from './cycles.routes'
import type { CycleReadNeeds } from './cycles.routes'
import { allCycles, findCycle, findCycles, orderingCalendar } from './cycles.rows'
import { cyclesStatus } from './refusals'

export type { Cutoff, Cycle, CycleDay, DayState }

export type CyclesNeeds = CycleReadNeeds

/** Order cycles, their blocked days and the cutoff; for siblings, what a day of a cycle is worth at an instant. */
export const cyclesModule = (needs: CyclesNeeds) => {
  const { knex, pool } = needs.database

  const module: Module = {
    name: 'cycles',
    routes: [...cycleRoutes(cycleCommands(needs), needs), ...cutoffRoutes(needs.database)],
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

    cycleById: (id: number): Promise<Cycle | null> => findCycle(knex, { id }),

    /** These cycles by id; one that is not there is absent. */
    cyclesByIds: async (ids: readonly number[]): Promise<Map<number, Cycle>> =>
      new Map((await findCycles(knex, ids)).map((cycle) => [cycle.id, cycle])),

    /** The state of each of these days of the cycle at the instant `at`; null for a day outside its weeks. */
    dayStatesAt: async (cycle: Cycle, places: CycleDay[], at: Date): Promise<(DayState | null)[]> => {
      const today = todayAt(at, await readCutoff(knex), needs.zone)
      return places.map((place) => (isInsideCycle(cycle, place) ? dayState(cycle, place, today) : null))
    },

    /** The active cycle, if any, and the cutoff as it is set now. */
    orderingCalendar: () => orderingCalendar(pool),

    /** The instant from which meals of `date` can no longer be ordered, by today's setting. */
    cutoffInstantOf: async (date: SchoolDate): Promise<Date> =>
      cutoffInstant(date, await readCutoff(knex), needs.zone),
  }
}
