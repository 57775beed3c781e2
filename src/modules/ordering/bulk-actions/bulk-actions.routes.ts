import type { Ports } from '#platform/ports'
import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { route, withFeature, type Principal, type Route } from '#platform/http/route'
import type { cancelAct } from './cancel-orders.commands'
import { runOnce } from './bulk-actions.commands'
import type { substituteAct } from './substitute-orders.commands'

type Acts = { cancel: ReturnType<typeof cancelAct>; substitute: ReturnType<typeof substituteAct> }

export const bulkActionRoutes = (needs: Ports, { cancel, substitute }: Acts): Route[] => [
  route(cancelOrders, withFeature('history'), ({ body, idempotencyKey, by }) =>
    runOnce(needs, cancel)({ body, idempotencyKey, by }),
  ),

  route(substituteOrders, withFeature('history'), async (call) => {
    const { user, body, idempotencyKey, by } = call
    const knowsHealth = seesHealth(user)
    return runOnce(needs, substitute)({ body: { ...body, knowsHealth }, idempotencyKey, by })
  }),
]

const seesHealth = ({ isSuperadmin, features }: Principal): boolean =>
  isSuperadmin || ['kitchen', 'menu', 'parents_students'].some((feature) => features.includes(feature))
