import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import { cancelOrder, changeOrder, listOrders, setAbsence } from '#contracts/ordering'
import { httpRefusal } from '#platform/http/http-refusals'
import { onlyRoles, route, withFeature, type Principal, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import type { OrderRow } from './order'
import { orderReply } from './orders.view'
import type { FamilyTerms } from '../slot/family-acts.decide'
import type { StatusChange } from './order-batch.decide'
import type { changeOwnOrder } from './change-order.commands'
import { receiptNumbersOf, type orderCommands } from './orders.commands'
import { withNames } from './lunches.rows'
import { ordersForFamily } from './orders.rows'
import type { statusCommands } from './status-batches.commands'

/** What parents and teachers do with their own orders, and administrators with everybody's. */
export const orderRoutes = (
  commands: ReturnType<typeof orderCommands>,
  {
    database: { knex },
    now,
    books,
    identity,
    shownTerms,
    changeOwn,
    statuses,
    allergensOf,
  }: Pick<OrderingNeeds, 'books' | 'database' | 'now'> & {
    identity: Pick<OrderingNeeds['identity'], 'childrenNow' | 'childrenOf'>
    shownTerms: () => Promise<FamilyTerms>
    changeOwn: ReturnType<typeof changeOwnOrder>
    statuses: ReturnType<typeof statusCommands>
    /** What of these orders children are allergic to, by order. */
    allergensOf: (rows: readonly OrderRow[]) => Promise<ReadonlyMap<string, readonly string[]>>
  },
): Route[] => [
  route(listOrders, onlyRoles('parent', 'teacher'), async ({ user, query }) => {
    const [children, terms] = await Promise.all([identity.childrenOf(user.userId), shownTerms()])
    const rows = await withNames(identity.childrenNow, await ordersForFamily(knex, user.userId, children))
    const at = now()
    // Receipts are for who has paid, and what a child is allergic to for its guardians.
    const paid = rows.filter(({ user_id }) => user_id === user.userId)
    const guarded = rows.filter(({ student_id }) => children.includes(student_id))
    const [numbers, allergens] = await Promise.all([receiptNumbersOf(books, paid), allergensOf(guarded)])
    const data = rows.map((row) => {
      const met = allergens.get(row.id)
      return { ...orderReply(row, at, terms, numbers.get(row.id)), ...(met && { allergens: [...met] }) }
    })
    return query.unpaginated === 'true' ? { data } : data
  }),

  route(cancelOrder, onlyRoles('parent', 'teacher'), ({ params, user, actor, correlationId }) =>
    commands.cancelOwn(params.id, user.userId, { actor, correlationId }),
  ),

  route(
    changeOrder,
    onlyRoles('parent', 'teacher'),
    ({ params, body, user, idempotencyKey, actor, correlationId }) => {
      const by = { actor, correlationId }
      return changeOwn({ orderId: params.id, userId: user.userId, body, idempotencyKey, by })
    },
  ),

  route(setAbsence, onlyRoles('parent', 'teacher'), ({ params, body, user, actor, correlationId }) =>
    commands.setAbsence(params.id, body?.absent ?? true, user.userId, { actor, correlationId }),
  ),

  route(setOrderStatus, withFeature('kitchen', 'history'), async ({ body, user, actor, correlationId }) => {
    if (!maySet(body.status, user))
      throw httpRefusal('forbidden', 'You do not have permission to do more than completing orders')
    const { orderIds, status } = body
    const done = await statuses.set(
      { orderIds, status, aheadOfTime: maySetAny(user) },
      { actor, correlationId },
    )
    return { message: messageOf(status, done.updated), ...done }
  }),

  route(undoOrderStatus, withFeature('kitchen', 'history'), ({ body, actor, correlationId }) =>
    statuses.undo(body.batchId, { actor, correlationId }),
  ),
]

/** The kitchen completes orders; the cycle history sets any status (DESIGN section 7). */
const maySet = (status: StatusChange, user: Principal): boolean => status === 'completed' || maySetAny(user)

const maySetAny = ({ isSuperadmin, features }: Principal): boolean =>
  isSuperadmin || features.includes('history')

const messageOf = (status: StatusChange, updated: number): string =>
  status === 'completed' ? `${updated} orders marked as complete` : 'Status updated'
