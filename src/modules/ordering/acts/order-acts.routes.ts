import { cancelOrders } from '#contracts/ordering'
import { route, withFeature, type Route } from '#platform/http/route'
import type { cancelManyOrders } from './cancel-orders.commands'

type Acts = { cancel: ReturnType<typeof cancelManyOrders> }

/** What the office does to many orders in one act, from Cycle History. */
export const orderActRoutes = ({ cancel }: Acts): Route[] => [
  route(cancelOrders, withFeature('history'), ({ body, idempotencyKey, actor, correlationId }) =>
    cancel({ body, idempotencyKey, by: { actor, correlationId } }),
  ),
]
