import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { route, withFeature, type Route } from '#platform/http/route'
import type { cancelManyOrders } from './cancel-orders.commands'
import type { substituteManyOrders } from './substitute-orders.commands'

type Acts = {
  cancel: ReturnType<typeof cancelManyOrders>
  substitute: ReturnType<typeof substituteManyOrders>
}

/** What the office does to many orders in one act, from Cycle History. */
export const orderActRoutes = ({ cancel, substitute }: Acts): Route[] => [
  route(cancelOrders, withFeature('history'), ({ body, idempotencyKey, actor, correlationId }) =>
    cancel({ body, idempotencyKey, by: { actor, correlationId } }),
  ),

  route(substituteOrders, withFeature('history'), ({ body, idempotencyKey, actor, correlationId }) =>
    substitute({ body, idempotencyKey, by: { actor, correlationId } }),
  ),
]
