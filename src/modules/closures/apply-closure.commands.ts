import type { Knex } from 'knex'
import { parseOrderId } from '#kernel/id'
import type { Position } from '#platform/event-store/event-store'
import { nextOrders, noteOutcomes } from './closed-orders.rows'
import type { Closure } from './closure'
import { lockedClosure } from './closures.rows'
import type { ChangedOrder, ClosuresNeeds } from './needs'
import { refusal } from './refusals'

type Batch = Awaited<ReturnType<typeof nextOrders>>

// Orders per append; the lock is released in between.
const batchSize = 50

/**
 * Cancels pending orders of a closure, or restores them after an undo, until done or out of time. Repeatable and safe concurrently: each
 * batch locks the closure's row, and an unrecorded batch is found changed. Answers positions for the views to pass.
 */
export const carryOut =
  (needs: ClosuresNeeds) =>
  async (closureId: string, until = Infinity): Promise<Position | null> => {
    let last: Position | null = null
    for (;;) {
      const done = await needs.database.knex.transaction((transaction) =>
        carryOutBatch(needs, transaction, closureId),
      )
      if (done.position !== null && (last === null || done.position > last)) last = done.position
      if (!done.isMore || performance.now() >= until) return last
    }
  }

const carryOutBatch = async (needs: ClosuresNeeds, transaction: Knex.Transaction, closureId: string) => {
  const closure = await lockedClosure(transaction, closureId)
  if (!closure) return { position: null, isMore: false }
  const about = closure.undoneAt ? 'undoing' : 'closing'
  const batch = await nextOrders(transaction, closureId, about, batchSize)
  if (batch.length === 0) return { position: null, isMore: false }
  const { outcomes, position } = closure.undoneAt
    ? await restored(needs, closure, batch)
    : await cancelled(needs, closure, batch)
  await noteOutcomes(transaction, closureId, about, outcomes)
  return { position, isMore: batch.length === batchSize }
}

const cancelled = async (
  { ordering }: ClosuresNeeds,
  { id: closureId, remedy, closedBy }: Closure,
  batch: Batch,
) => {
  const { orders, position } = await ordering.changeByClosure(
    batch.map(({ id }) => id),
    { kind: 'close', closureId, remedy },
    { actor: closedBy, correlationId: closureId },
  )
  return {
    position,
    outcomes: outcomesOf(batch, orders, ({ isCancelledByClosure }) =>
      isCancelledByClosure ? 'cancelled' : 'gone',
    ),
  }
}

/** Orders of deleted children are not restored. */
const restored = async (
  { ordering, identity }: ClosuresNeeds,
  { id: closureId, undoneBy, closedBy }: Closure,
  batch: Batch,
) => {
  const childOf = ({ id }: Batch[number]) => parseOrderId(id)?.lunch.studentId
  const there = await identity.childrenNow(batch.flatMap((order) => childOf(order) ?? []))
  const isThere = (order: Batch[number]) => there.has(childOf(order) ?? 0)
  const { orders, position } = await ordering.changeByClosure(
    batch.filter(isThere).map(({ id }) => id),
    { kind: 'restore', closureId },
    { actor: undoneBy ?? closedBy, correlationId: closureId },
  )
  const { code, message } = refusal('student_gone')
  const without = batch
    .filter((order) => order.wasCancelled && !isThere(order))
    .map(({ id }) => ({ id, isPaid: null, what: 'skipped' as const, code, message }))
  const wasCancelled = new Set(batch.filter((order) => order.wasCancelled).map(({ id }) => id))
  const outcomes = outcomesOf(batch, orders, ({ id, isActive, isChanged }) =>
    isActive && (isChanged || wasCancelled.has(id)) ? 'restored' : 'gone',
  )
  const isWithout = new Set(without.map(({ id }) => id))
  return { position, outcomes: [...outcomes.filter(({ id }) => !isWithout.has(id)), ...without] }
}

const outcomesOf = <What extends string>(
  batch: Batch,
  orders: readonly ChangedOrder[],
  whatOf: (order: ChangedOrder) => What,
) => {
  const changed = new Map(orders.map((order) => [order.id, order]))
  return batch.map(({ id }) => {
    const order = changed.get(id)
    if (!order) return { id, isPaid: null, what: 'gone' as const, code: null, message: null }
    const { isPaid, refused } = order
    if (refused) return { id, isPaid, what: 'skipped' as const, ...refused }
    return { id, isPaid, what: whatOf(order), code: null, message: null }
  })
}
