import { eventually } from '../support/eventually'
import type { School } from '../support/school'
import {
  followCardRefunds,
  payByCardInEveryWay,
  payForAClosedDay,
  payForWhatIsGone,
  refundToCards,
} from './card-days'
import {
  changeOrders,
  leaveOpen,
  orderForThursday,
  payInOtherWays,
  serveThursday,
  spendCredit,
} from './office-days'
import { openStage, type Stage } from './stage'

/**
 * Lives Wednesday 16 to Friday 18 September 2026 at a school whose cycle began on the Monday before: what the demonstration
 * has not, in every way that its people can go.
 */
export const liveGoldenDays = async (school: School, superadminPassword: string): Promise<Stage> => {
  school.setClock('2026-09-16T10:00:00+02:00')
  const stage = await openStage(school, superadminPassword)
  await payByCardInEveryWay(stage)
  await payForAClosedDay(stage)
  await payForWhatIsGone(stage)
  await refundToCards(stage)
  await payInOtherWays(stage)
  await spendCredit(stage)
  await changeOrders(stage)
  const anna = await orderForThursday(stage)
  await serveThursday(stage, anna)
  school.setClock('2026-09-18T10:30:00+02:00')
  await stage.sweep()
  await followCardRefunds(stage)
  await stage.sweep()
  await leaveOpen(stage)
  await atRest(school)
  return stage
}

/** Once every read model has every event. */
const atRest = (school: School) =>
  eventually(async () => {
    const { database, eventStore } = school.infrastructure
    const { position } = await eventStore.end()
    const { rows } = await database.pool.query<{ position: string }>(
      "select position from platform.checkpoints where starts_with(name, 'views ')",
    )
    return rows.every((checkpoint) => checkpoint.position >= position)
  })
