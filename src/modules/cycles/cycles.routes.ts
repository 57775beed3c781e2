import * as contract from '#contracts/cycles'
import type { Now } from '#platform/clock'
import { route, signedIn, withFeature } from '#platform/http/route'
import { calendar, todayAt } from './calendar.decide'
import { readCutoff } from './cutoff.rows'
import { defaultCycleLength } from './cycle'
import type { Cycle } from './cycle'
import { cycleHistoryRoute } from './cycle-history.routes'
import type { CycleHistoryNeeds } from './cycle-history.routes'
import { cycleReply } from './cycle-reply'
import type { cycleCommands } from './cycles.commands'
import { allCycles, findCycle } from './cycles.rows'

export type CycleReadNeeds = CycleHistoryNeeds & {
  now: Now
  zone: string
}

/** The active cycle carries its calendar as the server sees it now. */
const cycleReplies = async (cycles: Cycle[], { database, now, zone }: CycleReadNeeds) => {
  const today = todayAt(now(), await readCutoff(database.knex), zone)
  return cycles.map((cycle) =>
    cycle.isActive
      ? { ...cycleReply(cycle), weeks: calendar(cycle, today), today: today.date }
      : cycleReply(cycle),
  )
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
    cycleHistoryRoute(needs),
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
