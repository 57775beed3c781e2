import { applyPromotion, lastPromotion, previewPromotion, undoPromotion } from '#contracts/promotion'
import { route, withFeature } from '#platform/http/route'
import type { promotionCommands } from './promotion.commands'

const keepers = withFeature('parents_students')

/** The year move of the whole school (families.md section 4). */
export const promotionRoutes = (commands: ReturnType<typeof promotionCommands>) => [
  route(lastPromotion, keepers, () => commands.lastPromotion()),

  route(previewPromotion, keepers, ({ body }) => commands.previewPromotion(body)),

  route(applyPromotion, keepers, ({ params, actor, correlationId }) =>
    commands.applyPromotion(params.id, { actor, correlationId }),
  ),

  route(undoPromotion, keepers, ({ params, actor, correlationId }) =>
    commands.undoPromotion(params.id, { actor, correlationId }),
  ),
]
