import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { cancelOrders, substituteOrders } from '#contracts/ordering'
import { holdsOneOf, route, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { healthFeatures } from '../conflicts/conflicts.decide'
import { type BulkAction, runOnce } from './bulk-actions.commands'

type Acts = {
  cancel: BulkAction<BodyOf<typeof cancelOrders>, ReplyOf<typeof cancelOrders>>
  substitute: BulkAction<
    BodyOf<typeof substituteOrders> & { knowsHealth: boolean },
    ReplyOf<typeof substituteOrders>
  >
}

export const bulkActionRoutes = (needs: Ports, { cancel, substitute }: Acts): Route[] => [
  route(cancelOrders, withFeature('history'), ({ body, idempotencyKey, by }) =>
    runOnce(needs, cancel)({ body, idempotencyKey, by }),
  ),

  route(substituteOrders, withFeature('history'), async (call) => {
    const { user, body, idempotencyKey, by } = call
    const knowsHealth = holdsOneOf(user, ...healthFeatures)
    return runOnce(needs, substitute)({ body: { ...body, knowsHealth }, idempotencyKey, by })
  }),
]
