import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  removeSecondFactor,
} from '#contracts/identity'
import { route, whoeverSignedIn, withFeature, type RateLimit } from '#platform/http/route'
import type { SecondFactorCommands } from './second-factor.commands'

const limit: RateLimit = { name: 'second-factor', points: 10, seconds: 300, by: 'user' }

export const secondFactorRoutes = (commands: SecondFactorCommands) => [
  // Open to whoever still has to set it up before anything else answers them.
  route(beginSecondFactor, whoeverSignedIn, ({ body, user }) => commands.beginSecondFactor(user, body), {
    limit,
  }),

  route(
    confirmSecondFactor,
    whoeverSignedIn,
    ({ body, user, session, actor, correlationId }) =>
      commands.confirmSecondFactor(user, body, { sessionId: session.id(), by: { actor, correlationId } }),
    {
      limit,
    },
  ),

  route(
    endSecondFactor,
    whoeverSignedIn,
    async ({ body, user, session, actor, correlationId }) => {
      await commands.endSecondFactor(user, body, { sessionId: session.id(), by: { actor, correlationId } })
      return { message: 'Second factor removed' }
    },
    { limit },
  ),

  route(removeSecondFactor, withFeature('admins'), async ({ params, user, actor, correlationId }) => {
    await commands.removeSecondFactorOf(params.id, user, { actor, correlationId })
    return { message: 'Second factor removed' }
  }),
]
