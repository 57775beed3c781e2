import { schoolMoment } from '#kernel/school-time'
import type { Cutoff, Cycle } from './cycle'
import { cyclesByIds, insertActiveCycle, isSecondActive, setCycleActive, writeCutoff } from './cycles.rows'
import type { CyclesNeeds } from './needs'
import { planCycle } from './new-cycle.decide'
import { cycleActive, cycleNotFound } from './refusals'

/** At most one cycle is active: the database decides, so that of two who ask at once exactly one is answered. */
const refusingSecondActive = async <Result>(change: () => Promise<Result>): Promise<Result> => {
  try {
    return await change()
  } catch (error) {
    throw isSecondActive(error) ? cycleActive() : error
  }
}

export const cycleCommands = ({
  database: { knex },
  now,
  zone,
}: Pick<CyclesNeeds, 'database' | 'now' | 'zone'>) => {
  const stored = async (id: number): Promise<Cycle> => {
    const cycle = (await cyclesByIds(knex)([id])).get(id)
    if (!cycle) throw cycleNotFound()
    return cycle
  }

  return {
    /** Plans a cycle and makes it the active one; refused while another is active. */
    create: async (wish: Parameters<typeof planCycle>[0]): Promise<Cycle> => {
      const at = now()
      const plan = planCycle(wish, { today: schoolMoment(at, zone).date, zone })
      return stored(await refusingSecondActive(() => insertActiveCycle(knex, plan, at)))
    },

    /** Asking again for what is already so changes nothing. */
    deactivate: async (id: number): Promise<void> => {
      if (!(await setCycleActive(knex, id, false))) throw cycleNotFound()
    },

    reactivate: async (id: number): Promise<Cycle> => {
      await refusingSecondActive(() => setCycleActive(knex, id, true))
      return stored(id)
    },

    setCutoff: (cutoff: Cutoff): Promise<void> => writeCutoff(knex, cutoff),
  }
}
