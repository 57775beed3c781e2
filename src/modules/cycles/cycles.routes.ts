import * as contract from '#contracts/cycles'
import { kwachaFromNgwee } from '#kernel/money'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, signedIn, withFeature } from '#platform/http/route'
import { calendar, endDate, todayAt } from './calendar.decide'
import { readCutoff } from './cutoff.rows'
import { defaultCycleLength } from './cycle'
import type { Cycle } from './cycle'
import type { cycleCommands } from './cycles.commands'
import { allCycles, countCycles, cyclesPage, findCycle } from './cycles.rows'

export type CycleReadNeeds = {
  database: Database
  now: Now
  zone: string
  /** How much was ordered in each of these cycles; a cycle without orders may be absent. */
  orderTotals: (
    cycleIds: number[],
  ) => Promise<Map<number, { totalOrders: number; totalRevenueNgwee: number }>>
}

const historyPageSize = 10

const plainReply = (cycle: Cycle): contract.OrderCycle => ({
  ...cycle,
  endDate: endDate(cycle),
  createdAt: cycle.createdAt.toISOString(),
})

/** The active cycle carries its calendar as the server sees it now. */
const cycleReplies = async (cycles: Cycle[], { database, now, zone }: CycleReadNeeds) => {
  const today = todayAt(now(), await readCutoff(database.knex), zone)
  return cycles.map((cycle) =>
    cycle.isActive
      ? { ...plainReply(cycle), weeks: calendar(cycle, today), today: today.date }
      : plainReply(cycle),
  )
}

const historyPage = async (page: number, needs: CycleReadNeeds) => {
  const { knex } = needs.database
  const total = await countCycles(knex)
  const cycles = await cyclesPage(knex, (page - 1) * historyPageSize, historyPageSize)
  const totals = await needs.orderTotals(cycles.map(({ id }) => id))
  return {
    data: cycles.map((cycle) => ({
      ...plainReply(cycle),
      cycleId: cycle.id,
      totalOrders: totals.get(cycle.id)?.totalOrders ?? 0,
      totalRevenue: kwachaFromNgwee(totals.get(cycle.id)?.totalRevenueNgwee ?? 0),
    })),
    metadata: pageMetadataOf(total, page, historyPageSize),
  }
}

export const cycleRoutes = (commands: ReturnType<typeof cycleCommands>, needs: CycleReadNeeds) => {
  const reply = async (cycle: Cycle) => (await cycleReplies([cycle], needs))[0] as contract.OrderCycle

  return [
    route(contract.listCycles, signedIn, async () =>
      cycleReplies(await allCycles(needs.database.knex), needs),
    ),
    route(contract.createCycle, withFeature('cycles'), async ({ body }) =>
      reply(await commands.create(body)),
    ),
    route(contract.cycleHistory, withFeature('cycles', 'history'), ({ query }) =>
      historyPage(Math.max(1, query.page ?? 1), needs),
    ),
    route(contract.deactivateCycle, withFeature('cycles'), async ({ params }) => {
      await commands.deactivate(params.id)
      return { message: 'Order cycle deactivated' }
    }),
    route(contract.reactivateCycle, withFeature('cycles'), async ({ params }) =>
      reply(await commands.reactivate(params.id)),
    ),
    route(contract.getCycleLength, signedIn, async () => {
      const active = await findCycle(needs.database.knex, { is_active: true })
      return { cycleLength: active?.cycleLength ?? defaultCycleLength }
    }),
  ]
}
