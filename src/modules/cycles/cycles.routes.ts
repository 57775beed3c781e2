import * as contract from '#contracts/cycles'
import { route, signedIn, withFeature } from '#platform/http/route'
import { blockedDates, calendar, endDate, nextChangeAt, todayAt, withClosedDates } from './calendar.decide'
import { defaultCycleLength, type Cutoff, type Cycle, type CyclePlan } from './cycle'
import type { cycleCommands } from './cycles.commands'
import type { CyclesNeeds } from './needs'

type CalendarNeeds = Pick<CyclesNeeds, 'now' | 'zone' | 'ordering' | 'closures'> & {
  /** Every cycle, the active one first, then the newest first; and the cutoff as it is set. */
  calendar: () => Promise<{ cycles: Cycle[]; cutoff: Cutoff }>
}

/** Order cycles, the length of the active one, and the cutoff. */
export const cycleRoutes = (commands: ReturnType<typeof cycleCommands>, needs: CalendarNeeds) => {
  const withOverlap = async (cycle: Cycle) => ({
    ...cycleReplyNow(
      withClosedDates(cycle, await needs.closures.closedDates()),
      (await needs.calendar()).cutoff,
      needs,
    ),
    overlap: await overlapOf(needs, cycle, cycle.id),
  })
  return [
    route(contract.listCycles, signedIn, async () => {
      const { cycles, cutoff } = await needs.calendar()
      return cycles.map((cycle) => cycleReplyNow(cycle, cutoff, needs))
    }),
    route(contract.createCycle, withFeature('cycles'), async ({ body, actor, correlationId }) => {
      return withOverlap(await commands.create(body, { actor, correlationId }))
    }),
    route(contract.deactivateCycle, withFeature('cycles'), async ({ params, actor, correlationId }) => {
      await commands.deactivate(params.id, { actor, correlationId })
      return { message: 'Order cycle deactivated' }
    }),
    route(contract.reactivateCycle, withFeature('cycles'), async ({ params, actor, correlationId }) => {
      return withOverlap(await commands.reactivate(params.id, { actor, correlationId }))
    }),
    route(contract.previewCycle, withFeature('cycles'), async ({ body }) => {
      const plan = await commands.preview(body)
      const { startDate } = plan
      const today = todayAt(needs.now(), (await needs.calendar()).cutoff, needs.zone)
      const closedDates = await needs.closures.closedDates()
      const weeks = calendar(withClosedDates(plan, closedDates), today)
      const closed = blockedDates(withClosedDates({ ...plan, blockedDays: [] }, closedDates))
      const overlap = await overlapOf(needs, plan, null)
      return { startDate, endDate: endDate(plan), weeks, overlap, closed }
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
}

const overlapOf = async (
  { ordering }: Pick<CyclesNeeds, 'ordering'>,
  plan: CyclePlan,
  cycleId: number | null,
): Promise<contract.CycleOverlap> => {
  const found = await ordering.ordersOnDates(plan.startDate, endDate(plan), cycleId)
  return {
    orders: found.reduce((sum, { orders }) => sum + orders, 0),
    dates: found.map(({ date }) => date),
  }
}

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
  const at = now()
  const today = todayAt(at, cutoff, zone)
  const nextChangeInMs = nextChangeAt(at, cutoff, zone).getTime() - at.getTime()
  return { ...cycleReply(cycle), weeks: calendar(cycle, today), today: today.date, nextChangeInMs }
}

const cutoffReply = ({ hour, minute }: Cutoff) => ({ cutoffHour: hour, cutoffMinute: minute })
