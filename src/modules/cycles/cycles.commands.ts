import type { Knex } from 'knex'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { schoolMoment } from '#kernel/school-time'
import { blockedDates } from './calendar.decide'
import type { Cutoff, Cycle, CyclePlan } from './cycle'
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

type Wish = Parameters<typeof planCycle>[0]

const cycleNamed = (id: number, startDate: string) => `Order cycle ${id} from ${startDate}`

export const cycleCommands = ({
  database: { knex },
  now,
  zone,
  closures,
}: Pick<CyclesNeeds, 'database' | 'now' | 'zone' | 'closures'>) => {
  const stored = async (id: number): Promise<Cycle> => {
    const cycle = (await cyclesByIds(knex)([id])).get(id)
    if (!cycle) throw cycleNotFound()
    return cycle
  }

  const planned = (wish: Wish, at: Date) => planCycle(wish, { today: schoolMoment(at, zone).date, zone })

  const record = (transaction: Knex.Transaction, by: By, change: Change) =>
    recordChanges(transaction, { ...by, at: now() }, [change])

  const setActive = (id: number, isActive: boolean, by: By): Promise<void> =>
    knex.transaction(async (transaction) => {
      const before = await setCycleActive(transaction, id, isActive)
      if (!before) throw cycleNotFound()
      await record(transaction, by, {
        kind: 'cycles',
        what: `${cycleNamed(id, before.startDate)} ${isActive ? 'active again' : 'ended'}`,
        old: { isActive: before.isActive },
        new: { isActive },
      })
      if (before.isActive === isActive) return
      const stamp = { ...by, at: now() }
      if (isActive) {
        const cycle = (await cyclesByIds(transaction)([id])).get(id)!
        await closures.closePlanned(transaction, { id, dates: blockedDates(cycle) }, stamp)
      } else await closures.endPlanned(transaction, id, stamp)
    })

  return {
    /** The plan of a cycle, refused like the cycle itself; changes nothing. */
    preview: async (wish: Wish): Promise<CyclePlan> => planned(wish, now()),

    /** Plans a cycle and makes it the active one; refused while another is active. */
    create: async (wish: Wish, by: By): Promise<Cycle> => {
      const at = now()
      const plan = planned(wish, at)
      const insert = () =>
        knex.transaction(async (transaction) => {
          const id = await insertActiveCycle(transaction, plan, at)
          const what = `${cycleNamed(id, plan.startDate)} made`
          await record(transaction, by, { kind: 'cycles', what, old: null, new: { ...plan } })
          await closures.closePlanned(transaction, { id, dates: blockedDates(plan) }, { ...by, at })
          return id
        })
      return stored(await refusingSecondActive(insert))
    },

    /** Asking again for what is already so changes nothing. */
    deactivate: (id: number, by: By): Promise<void> => setActive(id, false, by),

    reactivate: async (id: number, by: By): Promise<Cycle> => {
      await refusingSecondActive(() => setActive(id, true, by))
      return stored(id)
    },

    setCutoff: (cutoff: Cutoff, by: By): Promise<void> =>
      knex.transaction(async (transaction) => {
        const old = await writeCutoff(transaction, cutoff)
        await record(transaction, by, {
          kind: 'settings',
          what: "Time at which a day's orders close changed",
          old,
          new: cutoff,
        })
      }),
  }
}
