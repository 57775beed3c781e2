import { convertToTeacher, sendVerification, updateProfile, type User } from '#contracts/identity'
import { anyone, onlyRoles, rawRoute, route, signedIn, whoeverSignedIn } from '#platform/http/route'
import {
  type VerificationCommands,
  type VerificationOutcome,
  verificationPath,
} from '../sign-in/email-verification.commands'
import type { profileCommands } from './profile.commands'

type ProfileCommands = ReturnType<typeof profileCommands> &
  Pick<VerificationCommands, 'verifyEmail'> & { userOf: (userId: number) => Promise<User> }

/** Where the browser goes after following a verification link; the page there shows the outcome as a toast. */
const pageFor = (outcome: VerificationOutcome) =>
  outcome === 'success' ? '/?emailVerified=success' : `/?emailVerified=error&message=${outcome}`

export const profileRoutes = (commands: ProfileCommands) => [
  route(
    updateProfile,
    whoeverSignedIn,
    async ({ body, user: { userId }, session, actor, correlationId }) => {
      const about = { userId, sessionId: session.id(), by: { actor, correlationId } }
      await commands.updateProfile(body, about)
      return commands.userOf(userId)
    },
    { limit: { name: 'profile', points: 20, seconds: 300, by: 'user' } },
  ),

  route(
    sendVerification,
    signedIn,
    async ({ user }) => {
      await commands.sendVerification(user.userId)
      return { message: 'We have sent you a new link' }
    },
    // As many as an address gets of these mails.
    { limit: { name: 'verification-mail', points: 3, seconds: 3600, by: 'user' } },
  ),

  route(
    convertToTeacher,
    onlyRoles('parent', 'teacher'),
    async ({ user: { userId }, session, actor, correlationId }) => {
      await commands.convertToTeacher({ userId, by: { actor, correlationId } })
      session.signOut()
      return {
        message: 'Your account has been converted to a teacher account. Please log in again.',
      }
    },
  ),

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
