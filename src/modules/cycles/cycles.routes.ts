import * as contract from '#contracts/cycles'
import type { Now } from '#platform/clock'
import { route, signedIn, withFeature } from '#platform/http/route'
import { calendar, todayAt } from './calendar.decide'
import type { Today } from './calendar.decide'
import { defaultCycleLength } from './cycle'
import type { Cutoff, Cycle } from './cycle'
import { cycleHistoryRoute } from './cycle-history.routes'
import type { CycleHistoryNeeds } from './cycle-history.routes'
import { cycleReply } from './cycle-reply'
import type { cycleCommands } from './cycles.commands'

export type CycleReadNeeds = CycleHistoryNeeds & {
  now: Now
  zone: string
  /** Every cycle, the active one first, then the newest first; and the cutoff as it is set. */
  calendar: () => Promise<{ cycles: Cycle[]; cutoff: Cutoff }>
}

/** The active cycle carries its calendar as the server sees it now. */
const cycleReplyAt = (cycle: Cycle, today: Today) =>
  cycle.isActive
    ? { ...cycleReply(cycle), weeks: calendar(cycle, today), today: today.date }
    : cycleReply(cycle)

export const cycleRoutes = (commands: ReturnType<typeof cycleCommands>, needs: CycleReadNeeds) => {
  const today = (cutoff: Cutoff) => todayAt(needs.now(), cutoff, needs.zone)
  const reply = async (cycle: Cycle) => cycleReplyAt(cycle, today((await needs.calendar()).cutoff))

  return [
    route(contract.listCycles, signedIn, async () => {
      const { cycles, cutoff } = await needs.calendar()
      const now = today(cutoff)
      return cycles.map((cycle) => cycleReplyAt(cycle, now))
    }),
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
      const active = (await needs.calendar()).cycles.find(({ isActive }) => isActive)
      return { cycleLength: active?.cycleLength ?? defaultCycleLength }
    }),
  ]
}
