import { currentUser, forgotPassword, login, logout, register } from '#contracts/identity'
import { type RateLimit, anyone, route, whoeverSignedIn } from '#platform/http/route'
import type { passwordResetCommands } from './password-reset.commands'
import type { registrationCommands } from '../accounts/registration.commands'
import type { signInCommands } from './sign-in.commands'
import type { Account } from '../accounts/account'
import { asUser } from '../accounts/directory.rows'

type SessionCommands = Pick<ReturnType<typeof registrationCommands>, 'register'> &
  ReturnType<typeof signInCommands> &
  Pick<ReturnType<typeof passwordResetCommands>, 'forgotPassword'> & {
    accountOf: (userId: number) => Promise<Account>
  }

// By address; a whole school or a mobile network may share one, so a username has a budget of its own beside it.
const loginLimit: RateLimit = { name: 'login', points: 30, seconds: 300 }
const registerLimit: RateLimit = { name: 'register', points: 60, seconds: 3600 }
const forgotLimit: RateLimit = { name: 'forgot-password', points: 10, seconds: 900 }

const resetSent = 'If an account with that username/email exists, a temporary password has been sent.'

export const sessionRoutes = (commands: SessionCommands) => [
  route(currentUser, whoeverSignedIn, async ({ user }) => asUser(await commands.accountOf(user.userId))),

  route(
    login,
    anyone,
    async ({ body, session }) => {
      const account = await commands.signIn(body)
      await session.signIn(account.id)
      return asUser(account)
    },
    { limit: loginLimit },
  ),

  route(
    register,
    anyone,
    async ({ body, session }) => {
      const account = await commands.register(body)
      await session.signIn(account.id)
      return asUser(account)
    },
    { limit: registerLimit },
  ),

  route(logout, anyone, async ({ session }) => {
    session.signOut()
    return { message: 'Logged out successfully' }
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
