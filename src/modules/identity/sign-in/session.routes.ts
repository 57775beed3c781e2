import { parse } from 'bowser'
import {
  currentUser,
  endSession,
  forgotPassword,
  listSessions,
  login,
  logout,
  register,
  type User,
} from '#contracts/identity'
import { type RateLimit, anyone, route, signedIn, whoeverSignedIn } from '#platform/http/route'
import type { passwordResetCommands } from './password-reset.commands'
import type { registrationCommands } from '../accounts/registration.commands'
import type { signInCommands } from './sign-in.commands'
import type { Session } from './sessions.rows'

type SessionCommands = Pick<ReturnType<typeof registrationCommands>, 'register'> &
  ReturnType<typeof signInCommands> &
  Pick<ReturnType<typeof passwordResetCommands>, 'forgotPassword'> & {
    /** Somebody's own account. */
    userOf: (userId: number) => Promise<User>
    sessionsOf: (userId: number) => Promise<Session[]>
    /** Refuses with `session_not_found`. */
    endSession: (userId: number, id: string) => Promise<void>
  }

// By address; a whole school or a mobile network may share one, so a username has a budget of its own beside it.
const loginLimit: RateLimit = { name: 'login', points: 30, seconds: 300 }
const registerLimit: RateLimit = { name: 'register', points: 60, seconds: 3600 }
const forgotLimit: RateLimit = { name: 'forgot-password', points: 10, seconds: 900 }

/** A browser's description of itself (User-Agent) in words, e.g. `Chrome on Android`. */
const deviceName = (userAgent: string): string => {
  if (userAgent === '') return 'Unknown device'
  const { browser, os } = parse(userAgent)
  return [browser.name || 'Unknown browser', ...(os.name ? [os.name] : [])].join(' on ')
}

const resetSent = 'If an account with that username/email exists, a temporary password has been sent.'

export const sessionRoutes = (commands: SessionCommands) => [
  route(currentUser, whoeverSignedIn, ({ user }) => commands.userOf(user.userId)),

  route(
    login,
    anyone,
    async ({ body, session, correlationId }) => {
      const account = await commands.signIn(body, { correlationId })
      await session.signIn({ userId: account.id, credentialsVersion: account.credentialsVersion })
      return commands.userOf(account.id)
    },
    { limit: loginLimit },
  ),

  route(
    register,
    anyone,
    async ({ body, session }) => {
      const account = await commands.register(body)
      await session.signIn({ userId: account.id, credentialsVersion: account.credentialsVersion })
      return commands.userOf(account.id)
    },
    { limit: registerLimit },
  ),

  route(logout, anyone, async ({ session }) => {
    session.signOut()
    return { message: 'Logged out successfully' }
  }),

  route(listSessions, signedIn, async ({ user, session }) =>
    (await commands.sessionsOf(user.userId)).map(({ id, createdAt, lastUsedAt, device }) => ({
      id,
      current: id === session.id(),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      device: deviceName(device),
    })),
  ),

  route(endSession, signedIn, async ({ params, user, session }) => {
    await commands.endSession(user.userId, params.id)
    if (params.id === session.id()) session.signOut()
    return { message: 'Session ended' }
  }),

  route(
    forgotPassword,
    anyone,
    async ({ body }) => {
      await commands.forgotPassword(body)
      return { message: resetSent }
    },
    { limit: forgotLimit },
  ),
]
