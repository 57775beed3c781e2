import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { MealConflict } from '#contracts/health'
import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import { cancelOrder, changeOrder, listOrders, moveOrder, setAbsence, type Order } from '#contracts/ordering'
import { schoolMoment, longDay, type SchoolDate } from '#kernel/school-time'
import type { By } from '#platform/event-store/command-handler'
import { httpRefusal } from '#platform/http/request'
import {
  answeredOnce,
  buyersOrFeature,
  knowsItsKey,
  onlyRoles,
  holdsOneOf,
  route,
  withFeature,
  type Principal,
  type Route,
} from '#platform/http/route'
import type { Ports, Now } from '#platform/ports'
import { dayMs, type Retention } from '#platform/retention'
import type { OrderNeeds } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import { hasMovedFrom } from '../slot/meal-slot'
import type { OrderRow } from '../slot/order'
import type { StatusChange, SkippedOrder } from './order-batch.decide'
import { receiptNumbersOf, type orderCommands, type OwnChange, type OwnMove } from './orders.commands'
import { ordersBehind, underChildNow, ordersForFamily } from './orders.rows'
import { orderReply } from './orders.view'

type OrderActs = Pick<ReturnType<typeof orderCommands>, 'cancelOwn' | 'setAbsence'> & {
  changeOwn: (asked: OwnChange) => Promise<Order>
  move: (asked: OwnMove) => Promise<Order>
  statuses: ReturnType<typeof statusCommands>
}

export const orderRoutes = (
  { database: { pool }, now, receiptNumbers, identity, shownTerms }: OrderNeeds,
  commands: OrderActs,
  conflictsOf: (rows: readonly OrderRow[]) => Promise<ReadonlyMap<string, MealConflict>>,
): Route[] => [
  route(listOrders, onlyRoles('parent', 'teacher'), async ({ user, query }) => {
    const [children, terms] = await Promise.all([identity.childrenOf(user.userId), shownTerms()])
    const at = now()
    const rows = await ordersForFamily(pool, user.userId, children)
    const paid = rows.filter(({ user_id }) => user_id === user.userId)
    const guarded = rows.filter(({ student_id }) => children.includes(student_id))
    const [numbers, conflicts, shown, { buyers, moved }] = await Promise.all([
      receiptNumbersOf(receiptNumbers, paid),
      conflictsOf(guarded),
      underChildNow(identity.childrenNow, rows),
      amongGuardians(identity, user.userId, rows, children),
    ])
    const data = shown.map((row) => {
      const { allergens = [], diets = [] } = conflicts.get(row.id) ?? {}
      const orderedBy = buyers.get(row.id)
      return {
        ...orderReply(row, at, terms, numbers.get(row.id)),
        ...(orderedBy !== undefined && { orderedBy }),
        ...(moved.has(row.id) && onlySeen),
        ...(allergens.length > 0 && { allergens: [...allergens] }),
        ...(diets.length > 0 && { diets: [...diets] }),
      }
    })
    return query.unpaginated === 'true' ? { data } : data
  }),

  route(
    cancelOrder,
    onlyRoles('parent', 'teacher'),
    ({ params, user, by }) => commands.cancelOwn(params.id, user.userId, by),
    answeredOnce,
  ),

  route(
    changeOrder,
    onlyRoles('parent', 'teacher'),
    ({ params, body, user, idempotencyKey, by }) => {
      return commands.changeOwn({ orderId: params.id, userId: user.userId, body, idempotencyKey, by })
    },
    knowsItsKey,
  ),

  route(
    moveOrder,
    buyersOrFeature('history'),
    ({ params, body, user, idempotencyKey, by }) => {
      const { userId, role } = user
      const isOffice = role !== 'parent' && role !== 'teacher'
      return commands.move({ orderId: params.id, userId, isOffice, date: body.date, idempotencyKey, by })
    },
    answeredOnce,
  ),

  route(
    setAbsence,
    onlyRoles('parent', 'teacher'),
    ({ params, body, user, by }) => commands.setAbsence(params.id, body?.absent ?? true, user.userId, by),
    answeredOnce,
  ),

  route(
    setOrderStatus,
    withFeature('kitchen', 'history'),
    async ({ body, user, by }) => {
      if (!maySet(body.status, user))
        throw httpRefusal('forbidden', 'You only have permission to complete orders')
      const { orderIds, status } = body
      const done = await commands.statuses.set(
        { orderIds, status, aheadOfTime: maySetAny(user), eatenToo: mayGiveMoneyBack(user) },
        by,
      )
      return { message: messageOf(status, done.updated), ...done }
    },
    answeredOnce,
  ),

  route(
    undoOrderStatus,
    withFeature('kitchen', 'history'),
    ({ body, by }) => commands.statuses.undo(body.batchId, by),
    answeredOnce,
  ),
]

/** By order that another guardian placed: that one's name while still a guardian. `moved`: paid for a child that has other guardians now. */
const amongGuardians = async (
  { guardiansOf, peopleOf }: OrderingNeeds['identity'],
  userId: number,
  rows: readonly OrderRow[],
  children: readonly number[],
): Promise<{ buyers: ReadonlyMap<string, string>; moved: ReadonlySet<string> }> => {
  const others = rows.filter(({ user_id }) => user_id !== userId)
  const away = rows.filter(({ student_id }) => !children.includes(student_id))
  const [guardians, people] = await Promise.all([
    asked(
      [...others, ...away].map(({ student_id }) => student_id),
      guardiansOf,
    ),
    asked(
      others.map(({ user_id }) => user_id),
      peopleOf,
    ),
  ])
  const buyerOf = ({ user_id, student_id }: OrderRow) => {
    const buyer = guardians?.get(student_id)?.includes(user_id) ? people?.get(user_id) : undefined
    return buyer?.name || buyer?.username || 'another guardian'
  }
  const moved = away.filter((row) => hasMovedFrom(userId, guardians?.get(row.student_id)))
  return {
    buyers: new Map(others.map((row) => [row.id, buyerOf(row)])),
    moved: new Set(moved.map(({ id }) => id)),
  }
}

const asked = async <Found>(ids: readonly number[], ask: (ids: number[]) => Promise<Found>) =>
  ids.length === 0 ? null : ask([...new Set(ids)])

const gone = 'This child is no longer on your account'

// What its new guardians remark is theirs.
const onlySeen: Pick<Order, 'allowed' | 'why' | 'given' | 'comments'> = {
  comments: '',
  given: null,
  allowed: { cancel: false, change: false, move: false, absent: false },
  why: { cancel: gone, change: gone, move: gone, absent: gone },
}

/** The kitchen completes; the cycle history sets any status (DESIGN section 7). */
const maySet = (status: StatusChange, user: Principal): boolean => status === 'completed' || maySetAny(user)

const maySetAny = (user: Principal): boolean => holdsOneOf(user, 'history')

/** Undoing an eaten lunch refunds it, which needs the refunds feature. */
const mayGiveMoneyBack = (user: Principal): boolean => holdsOneOf(user, 'refunds')

const messageOf = (status: StatusChange, updated: number): string =>
  status === 'completed' ? `${updated} orders marked as complete` : 'Status updated'

type SetStatus = {
  orderIds: readonly string[]
  status: StatusChange
  aheadOfTime: boolean
  eatenToo: boolean
}

const undoableMs = 600_000

/** The author can undo for ten minutes (kitchen-and-hatch.md section 2). */
export const statusCommands = (
  { database: { knex, pool }, now, zone }: Ports,
  orders: ReturnType<typeof orderCommands>,
) => {
  const eatenOf = async (orderIds: readonly string[], today: string): Promise<SkippedOrder[]> => {
    const { code, message } = refusal('already_completed')
    return (await orders.ordersNow([...orderIds]))
      .filter(
        ({ status, meal_date: date, payment_status: paid, price }) =>
          status === 'completed' && date <= today && paid === 'confirmed' && price > 0,
      )
      .map(({ id }) => ({ id, code, message }))
  }

  const set = async ({ orderIds: shown, status, aheadOfTime, eatenToo }: SetStatus, by: By) => {
    const today = schoolMoment(now(), zone).date
    const { idOf, dayOf } = await ordersBehind(pool, shown)
    const shownAs = new Map(shown.map((one) => [idOf(one), one]))
    const orderIds = [...shownAs.keys()]
    const early = aheadOfTime ? [] : orderIds.flatMap((id) => notCome(id, dayOf(id), today))
    const eaten = eatenToo || status === 'completed' ? [] : await eatenOf(orderIds, today)
    const kept = new Set([...early, ...eaten].map(({ id }) => id))
    const wanted = orderIds.filter((id) => !kept.has(id))
    const { updated, skipped, changedFromPending } = await orders.changeOrders(wanted, status, by)
    const batchId = v7()
    await insertBatch(knex, {
      id: batchId,
      actor: by.actor,
      status,
      order_ids: changedFromPending,
      at: now(),
    })
    const left = [...early, ...eaten, ...skipped].map((one) => ({
      ...one,
      id: shownAs.get(one.id) ?? one.id,
    }))
    return { updated, skipped: left, batchId }
  }

  /** Restores pending orders; skips those changed or handed out since. Throws `batch_not_found`, `too_late` and `not_your_batch`. */
  const undo = async (batchId: string, by: By) => {
    const batch = await batchOf(knex, batchId)
    if (!batch) throw refusal('batch_not_found')
    if (batch.actor !== by.actor) throw refusal('not_your_batch')
    if (now().getTime() - batch.at.getTime() > undoableMs) throw refusal('too_late')
    const found = await orders.ordersNow(batch.order_ids)
    const isSame = (status: string) => status === batch.status || status === 'pending'
    const { code, message } = refusal('changed_since')
    const changed = found.filter(({ status }) => !isSame(status)).map(({ id }) => ({ id, code, message }))
    const same = found.filter(({ status }) => isSame(status)).map(({ id }) => id)
    const { updated, skipped } = await orders.changeOrders(same, 'undone', by)
    return { restored: updated, skipped: [...changed, ...skipped] }
  }

  return { set, undo }
}

const notCome = (id: string, date: SchoolDate | undefined, today: SchoolDate): SkippedOrder[] => {
  if (date === undefined || date <= today) return []
  return [{ id, code: 'day_not_come', message: `Lunches of ${longDay(date)} can be completed on that day` }]
}

type StatusBatch = { id: string; actor: string; status: StatusChange; order_ids: string[]; at: Date }

const batches = (knex: Knex) => knex<StatusBatch>('ordering.status_batches')

const insertBatch = async (knex: Knex, batch: StatusBatch): Promise<void> => {
  await batches(knex).insert({ ...batch, order_ids: JSON.stringify(batch.order_ids) as unknown as string[] })
}

const batchOf = (knex: Knex, id: string): Promise<StatusBatch | undefined> =>
  batches(knex).where({ id }).first()

export const batchRetention = (knex: Knex, now: Now): Retention => ({
  name: 'ordering.status_batches',
  kept: 'a day',
  remove: (atMost) => {
    const old = batches(knex)
      .where('at', '<', new Date(now().getTime() - dayMs))
      .limit(atMost)
    return batches(knex).whereIn('id', old.select('id')).delete()
  },
})
