import { removeSecondFactor } from '#contracts/accounts'
import { beginSecondFactor, confirmSecondFactor, endSecondFactor } from '#contracts/identity'
import { route, withOwnPassword, withFeature, type RateLimit } from '#platform/http/route'
import type { SecondFactorCommands } from './second-factor.commands'

const limit: RateLimit = { name: 'second-factor', points: 10, seconds: 300, by: 'user' }

export const secondFactorRoutes = (commands: SecondFactorCommands) => [
  route(beginSecondFactor, withOwnPassword, ({ body, user }) => commands.beginSecondFactor(user, body), {
    limit,
  }),

  route(
    confirmSecondFactor,
    withOwnPassword,
    ({ body, user, session, by }) =>
      commands.confirmSecondFactor(user, body, { sessionId: session.id(), by }),
    {
      limit,
    },
  ),

  route(
    endSecondFactor,
    withOwnPassword,
    async ({ body, user, session, by }) => {
      await commands.endSecondFactor(user, body, { sessionId: session.id(), by })
      return { message: 'Second factor removed' }
    },
    { limit },
  ),

  route(removeSecondFactor, withFeature('admins'), async ({ params, user, by }) => {
    await commands.removeSecondFactorOf(params.id, user, by)
    return { message: 'Second factor removed' }
  }),
]
