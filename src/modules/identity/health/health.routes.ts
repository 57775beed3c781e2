import {
  foundAllergens,
  getAllergens,
  getAllergyRule,
  getHealth,
  saveAllergens,
  saveAllergyRule,
  saveHealth,
} from '#contracts/health'
import { route, signedIn, whoeverOrdersOr, withFeature } from '#platform/http/route'
import type { allergenCommands } from './allergens.commands'
import type { healthCommands } from './health.commands'

const guardiansAndOffice = whoeverOrdersOr('parents_students')

export const healthRoutes = (
  commands: ReturnType<typeof healthCommands> & ReturnType<typeof allergenCommands>,
) => [
  route(getHealth, guardiansAndOffice, ({ params, user, actor, correlationId }) =>
    commands.readHealth(params.id, { user, actor, correlationId }),
  ),

  route(saveHealth, guardiansAndOffice, ({ params, body, user, actor, correlationId }) =>
    commands.saveHealth(params.id, body, { user, actor, correlationId }),
  ),

  route(getAllergens, signedIn, async () => ({ allergens: await commands.allergens() })),

  route(saveAllergens, withFeature('settings'), async ({ body, actor, correlationId }) => ({
    allergens: await commands.saveAllergens(body.allergens, { actor, correlationId }),
  })),

  route(foundAllergens, withFeature('settings'), async () => ({ found: await commands.foundAllergens() })),

  route(getAllergyRule, signedIn, async () => ({ rule: await commands.readAllergyRule() })),

  route(saveAllergyRule, withFeature('settings'), async ({ body, actor, correlationId }) => {
    await commands.saveAllergyRule(body.rule, { actor, correlationId })
    return body
  }),
]
