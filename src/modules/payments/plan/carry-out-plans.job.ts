import { sweepOf } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import { carryOutPlan, type CarryNeeds } from './carry-out-plan.commands'
import { turnWeek, weeksThatTurned } from './follow-plan.commands'

/** A provider that is slow with one prompt delays no other. */
const atOnce = 5

/** The hour is no event, and what turns a week are events of three modules: sweeps find both. */
export const planSweeps = (needs: CarryNeeds): Sweep[] => {
  const { ordering, now } = needs
  return [
    sweepOf({
      name: 'carry-out-plans',
      due: async () => ((await ordering.arePlansOffered()) ? ordering.duePlans(now()) : []),
      id: ({ userId, week }) => `${week} of ${userId}`,
      act: carryOutPlan(needs),
      atOnce,
    }),
    sweepOf({
      name: 'follow-plans',
      due: weeksThatTurned(needs),
      id: ({ userId, week: { week } }) => `${week} of ${userId}`,
      act: turnWeek(needs),
      atOnce,
    }),
  ]
}
