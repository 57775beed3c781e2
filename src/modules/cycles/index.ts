import type { CutoffOf } from '#kernel/school-time'
import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import { cutoffRule, type Cycle, datesOf, todayAt, withClosedDates, type CycleDate } from './calendar.decide'
import {
  closedDates,
  closedSince,
  insertClosure,
  openDates,
  standingClosures,
  wholeDates,
} from './closed-days.rows'
import { cycleCommands, cycleReply, cycleRoutes, type CyclesNeeds } from './cycles.routes'
import {
  cycleIds,
  cyclesPage,
  allCycles,
  cyclesByIds,
  orderingCalendar,
  readCutoff,
  removeBlockedDates,
  withoutSchool,
} from './cycles.rows'
import { cyclesStatus } from './refusals'

type CycleHistoryPage = Parameters<typeof cyclesPage> extends [unknown, ...infer Asked] ? Asked : never

export const cyclesModule = (needs: CyclesNeeds) => {
  const { knex, pool, reads } = needs.database

  const closed = closedDates(pool)
  const standing = standingClosures(pool)
  const calendar = cached(needs.notifications, 'cycles_calendar', async () => {
    const [all, closures, cutoff] = await Promise.all([allCycles(knex)(), standing(), readCutoff(knex)])
    const dates = wholeDates(closures)
    const cycles = all.map((cycle) => withClosedDates(cycle, dates))
    const active = cycles.find(({ isActive }) => isActive)
    const cutoffOf = cutoffRule(cutoff, withoutSchool(active, dates), needs.zone)
    return { cycles, cutoff, cutoffOf, closures }
  })
  const allNow = async (): Promise<Cycle[]> => {
    const [cycles, dates] = await Promise.all([allCycles(knex)(), closed()])
    return cycles.map((cycle) => withClosedDates(cycle, dates))
  }
  const commands = invalidating(cycleCommands(needs), calendar.changed)

  const byIds = async (ids: readonly number[]): Promise<Map<number, Cycle>> => {
    const [found, dates] = await Promise.all([cyclesByIds(knex)(ids), closed()])
    return new Map([...found].map(([id, cycle]) => [id, withClosedDates(cycle, dates)]))
  }

  const orderingNow = orderingCalendar(reads, needs.zone)

  const module: Module = {
    name: 'cycles',
    routes: cycleRoutes(commands, needs, calendar.read),
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: cyclesStatus,
  }

  return {
    ...module,
    activeCycle: async (): Promise<Cycle | null> => (await orderingNow()).cycle,
    allCycles: allNow,
    cyclesByIds: byIds,
    orderingCalendar: orderingNow,
    /** The cutoffs as this process last read them, for what is shown; a decision asks `orderingCalendar`. */
    shownCutoffs: async (): Promise<CutoffOf> => (await calendar.read()).cutoffOf,
    historyIds: (filters: Parameters<typeof cycleIds>[1]): Promise<number[]> => cycleIds(knex, filters),
    historyPage: async (...asked: CycleHistoryPage): Promise<Cycle[]> => {
      const [cycles, dates] = await Promise.all([cyclesPage(knex, ...asked), closed()])
      return cycles.map((cycle) => withClosedDates(cycle, dates))
    },
    cycleReply,
    daysOf: async (cycleId: number): Promise<CycleDate[] | null> => {
      const [cycle, { cutoffOf }] = await Promise.all([byIds([cycleId]), orderingNow()])
      const found = cycle.get(cycleId)
      return found ? datesOf(found, todayAt(needs.now(), cutoffOf, needs.zone)) : null
    },
    closedSince: closedSince(reads),
    standingClosures: standing,
    insertClosure,
    openDates,
    removeBlockedDates,
    /** Call after closed dates are committed. */
    closedDatesChanged: calendar.changed,
  }
}

export type Cycles = ReturnType<typeof cyclesModule>
export type { Whom } from './closed-days.rows'
export type { CyclesNeeds } from './cycles.routes'
