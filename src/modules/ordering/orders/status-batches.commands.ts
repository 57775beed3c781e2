import { v7 } from 'uuid'
import { parseOrderId } from '#kernel/id'
import { longDay, schoolMoment } from '#kernel/school-time'
import type { By } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import { refusal } from '../refusals'
import type { SkippedOrder, StatusChange } from './order-batch.decide'
import type { orderCommands } from './orders.commands'
import { batchOf, insertBatch } from './status-batches.rows'

type StatusNeeds = Pick<OrderingNeeds, 'database' | 'now' | 'zone'> & {
  orders: ReturnType<typeof orderCommands>
}

type SetStatus = {
  orderIds: readonly string[]
  status: StatusChange
  /** Whether lunches of a later day may be completed. */
  aheadOfTime: boolean
}

const undoableMs = 600_000

/** Setting the status of many orders, which its author can undo for ten minutes (kitchen-and-hatch.md section 2). */
export const statusCommands = ({ database: { knex }, now, zone, orders }: StatusNeeds) => {
  const set = async ({ orderIds, status, aheadOfTime }: SetStatus, by: By) => {
    const today = schoolMoment(now(), zone).date
    const early = aheadOfTime ? [] : orderIds.flatMap((id) => notCome(id, today))
    const tooEarly = new Set(early.map(({ id }) => id))
    const wanted = orderIds.filter((id) => !tooEarly.has(id))
    const { updated, skipped, changedFromPending } = await orders.changeOrders(wanted, status, by)
    const batchId = v7()
    await insertBatch(knex, {
      id: batchId,
      actor: by.actor,
      status,
      order_ids: changedFromPending,
      at: now(),
    })
    return { updated, skipped: [...early, ...skipped], batchId }
  }

  /**
   * What was pending before is pending again; what has changed since, or was given out, is skipped. Throws `batch_not_found`, `too_late`
   * and, for somebody else's act, `not_your_batch`.
   */
  const undo = async (batchId: string, by: By) => {
    const batch = await batchOf(knex, batchId)
    if (!batch) throw refusal('batch_not_found')
    if (batch.actor !== by.actor) throw refusal('not_your_batch')
    if (now().getTime() - batch.at.getTime() > undoableMs) throw refusal('too_late')
    const found = await orders.ordersNow(batch.order_ids)
    // Those that are pending already were restored by an earlier try.
    const isSame = (status: string) => status === batch.status || status === 'pending'
    const { code, message } = refusal('changed_since')
    const changed = found.filter(({ status }) => !isSame(status)).map(({ id }) => ({ id, code, message }))
    const same = found.filter(({ status }) => isSame(status)).map(({ id }) => id)
    const { updated, skipped } = await orders.changeOrders(same, 'undone', by)
    return { restored: updated, skipped: [...changed, ...skipped] }
  }

  return { set, undo }
}

const notCome = (id: string, today: string): SkippedOrder[] => {
  const date = parseOrderId(id)?.lunch.date
  if (date === undefined || date <= today) return []
  return [{ id, code: 'day_not_come', message: `Lunches of ${longDay(date)} can be completed on that day` }]
}
