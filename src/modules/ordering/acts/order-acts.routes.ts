import { cancelOrders, substituteOrders } from '#contracts/order-acts'
import { route, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import type { cancelAct } from './cancel-orders.commands'
import { actOnce } from './order-acts.commands'
import type { substituteAct } from './substitute-orders.commands'

type Acts = { cancel: ReturnType<typeof cancelAct>; substitute: ReturnType<typeof substituteAct> }

/** What the office does to many orders in one act, from Cycle History. */
export const orderActRoutes = (
  needs: Pick<OrderingNeeds, 'database' | 'now'>,
  { cancel, substitute }: Acts,
): Route[] => [
  route(cancelOrders, withFeature('history'), ({ body, idempotencyKey, actor, correlationId }) =>
    actOnce(needs, cancel)({ body, idempotencyKey, by: { actor, correlationId } }),
  ),

  route(substituteOrders, withFeature('history'), ({ body, idempotencyKey, actor, correlationId }) =>
    actOnce(needs, substitute)({ body, idempotencyKey, by: { actor, correlationId } }),
  ),
]
