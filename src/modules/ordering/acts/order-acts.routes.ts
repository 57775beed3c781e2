import type { Ports } from '#platform/ports'
import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { route, withFeature, type Principal, type Route } from '#platform/http/route'
import type { cancelAct } from './cancel-orders.commands'
import { actOnce } from './order-acts.commands'
import type { substituteAct } from './substitute-orders.commands'

type Acts = { cancel: ReturnType<typeof cancelAct>; substitute: ReturnType<typeof substituteAct> }

/** What the office does to many orders in one act, from Cycle History. */
export const orderActRoutes = (needs: Ports, { cancel, substitute }: Acts): Route[] => [
  route(cancelOrders, withFeature('history'), ({ body, idempotencyKey, by }) =>
    actOnce(needs, cancel)({ body, idempotencyKey, by }),
  ),

  route(substituteOrders, withFeature('history'), async (call) => {
    const { user, body, idempotencyKey, by } = call
    const knowsHealth = seesHealth(user)
    return actOnce(needs, substitute)({ body: { ...body, knowsHealth }, idempotencyKey, by })
  }),
]

/** Who is shown what children are allergic to, as under Allergy Conflicts. */
const seesHealth = ({ isSuperadmin, features }: Principal): boolean =>
  isSuperadmin || ['kitchen', 'menu', 'parents_students'].some((feature) => features.includes(feature))
