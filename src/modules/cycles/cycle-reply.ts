import type { OrderCycle } from '#contracts/cycles'
import { endDate } from './calendar.decide'
import type { Cycle } from './cycle'

/** A cycle as the contract has it, without its calendar. */
export const cycleReply = (cycle: Cycle): OrderCycle => ({
  ...cycle,
  endDate: endDate(cycle),
  createdAt: cycle.createdAt.toISOString(),
})
