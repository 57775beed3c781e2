import * as contract from '#contracts/cycles'
import { route, signedIn, withFeature } from '#platform/http/route'
import { calendar, endDate, todayAt } from './calendar.decide'
import { defaultCycleLength, type Cutoff, type Cycle } from './cycle'
import type { cycleCommands } from './cycles.commands'
import type { CyclesNeeds } from './needs'

type CalendarNeeds = Pick<CyclesNeeds, 'now' | 'zone'> & {
  /** Every cycle, the active one first, then the newest first; and the cutoff as it is set. */
  calendar: () => Promise<{ cycles: Cycle[]; cutoff: Cutoff }>
}

/** Order cycles, the length of the active one, and the cutoff. */
export const cycleRoutes = (commands: ReturnType<typeof cycleCommands>, needs: CalendarNeeds) => [
  route(contract.listCycles, signedIn, async () => {
    const { cycles, cutoff } = await needs.calendar()
    return cycles.map((cycle) => cycleReplyNow(cycle, cutoff, needs))
  }),
  route(contract.createCycle, withFeature('cycles'), async ({ body, actor, correlationId }) => {
    const cycle = await commands.create(body, { actor, correlationId })
    return cycleReplyNow(cycle, (await needs.calendar()).cutoff, needs)
  }),
  route(contract.deactivateCycle, withFeature('cycles'), async ({ params, actor, correlationId }) => {
    await commands.deactivate(params.id, { actor, correlationId })
    return { message: 'Order cycle deactivated' }
  }),
  route(contract.reactivateCycle, withFeature('cycles'), async ({ params, actor, correlationId }) => {
    const cycle = await commands.reactivate(params.id, { actor, correlationId })
    return cycleReplyNow(cycle, (await needs.calendar()).cutoff, needs)
  }),
  route(contract.getCycleLength, signedIn, async () => {
    const active = (await needs.calendar()).cycles.find(({ isActive }) => isActive)
    return { cycleLength: active?.cycleLength ?? defaultCycleLength }
  }),
  route(contract.getCutoff, signedIn, async () => cutoffReply((await needs.calendar()).cutoff)),
  route(contract.saveCutoff, withFeature('settings'), async ({ body, actor, correlationId }) => {
    await commands.setCutoff(body, { actor, correlationId })
    return cutoffReply(body)
  }),
]

/** A cycle as the contract has it, without its calendar. */
export const cycleReply = (cycle: Cycle): contract.OrderCycle => ({
  ...cycle,
  endDate: endDate(cycle),
  createdAt: cycle.createdAt.toISOString(),
})

/** The active cycle carries its calendar as the server sees it now. */
const cycleReplyNow = (
  cycle: Cycle,
  cutoff: Cutoff,
  { now, zone }: Pick<CyclesNeeds, 'now' | 'zone'>,
): contract.OrderCycle => {
  if (!cycle.isActive) return cycleReply(cycle)
  const today = todayAt(now(), cutoff, zone)
  return { ...cycleReply(cycle), weeks: calendar(cycle, today), today: today.date }
}

const cutoffReply = ({ hour, minute }: Cutoff) => ({ cutoffHour: hour, cutoffMinute: minute })
