import { convertToTeacher, updateProfile } from '#contracts/identity'
import { anyone, onlyRoles, rawRoute, route, whoeverSignedIn } from '#platform/http/route'
import {
  type VerificationCommands,
  type VerificationOutcome,
  verificationPath,
} from '../sign-in/email-verification.commands'
import type { profileCommands } from './profile.commands'
import { asUser } from './directory.rows'

type ProfileCommands = ReturnType<typeof profileCommands> & Pick<VerificationCommands, 'verifyEmail'>

/** Where the browser goes after following a verification link; the page there shows the outcome as a toast. */
const pageFor = (outcome: VerificationOutcome) =>
  outcome === 'success' ? '/?emailVerified=success' : `/?emailVerified=error&message=${outcome}`

export const profileRoutes = (commands: ProfileCommands) => [
  route(
    updateProfile,
    whoeverSignedIn,
    async ({ body, user, session }) =>
      asUser(await commands.updateProfile(body, { userId: user.userId, sessionId: session.id() })),
    { limit: { name: 'profile', points: 20, seconds: 300, by: 'user' } },
  ),

  route(convertToTeacher, onlyRoles('parent', 'teacher'), async ({ user, session }) => {
    await commands.convertToTeacher({ userId: user.userId })
    session.signOut()
    return {
      message: 'Your account has been converted to a teacher account. Please log in again.',
    }
  }),

  rawRoute({
    method: 'GET',
    path: verificationPath,
    access: anyone,
    serve: async (context) => {
      const { token } = context.query
      context.redirect(pageFor(await commands.verifyEmail(typeof token === 'string' ? token : '')))
    },
  }),
]
