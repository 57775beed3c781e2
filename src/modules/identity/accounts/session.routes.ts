import { createHash } from 'node:crypto'
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
import { Refusal } from '#kernel/refusal'
import type { By } from '#platform/event-store/command-handler'
import { callerKey, countingFailures, type Budget } from '#platform/http/rate-limits'
import { type RateLimit, anyone, knowsItsKey, route, signedIn, anySignedIn } from '#platform/http/route'
import type { NewSession } from '#platform/http/sessions'
import { limitConcurrency } from '#platform/pacing'
import { proveInvitedAddress } from '../guardians/invites.commands'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import type { passwordResetCommands } from '../sign-in/password-reset.commands'
import { hashPassword, matchPassword } from '../sign-in/password.commands'
import type { SecondFactorCommands } from '../sign-in/second-factor.commands'
import { passwordToChange, type Session } from '../sign-in/sessions.rows'
import type { Account } from '../users/account.decide'
import { decideSignIn, temporaryUsed, usernameKey } from '../users/credentials.decide'
import { recordAccountChange, userRows } from '../users/users.rows'
import type { registrationCommands } from './registration.commands'

type SessionCommands = Pick<ReturnType<typeof registrationCommands>, 'register'> &
  ReturnType<typeof signInCommands> &
  Pick<ReturnType<typeof passwordResetCommands>, 'forgotPassword'> & {
    userOf: (userId: number, sessionId: string | null) => Promise<User>
    sessionsOf: (userId: number) => Promise<Session[]>
    /** Throws `session_not_found`. */
    endSession: (userId: number, id: string) => Promise<void>
  }

// A school or mobile network may share an address: this only bounds floods, wrong tries are counted below.
const floodLimit: RateLimit = { name: 'login', points: 3_000, seconds: 300 }
const forgotLimit: RateLimit = { name: 'forgot-password', points: 40, seconds: 900 }

/** For example `Chrome on Android`. */
const deviceName = (userAgent: string): string => {
  if (userAgent === '') return 'Unknown device'
  const { browser, os } = parse(userAgent)
  return [browser.name || 'Unknown browser', ...(os.name ? [os.name] : [])].join(' on ')
}

const resetSent = 'If an account with that username/email exists, a temporary password has been sent.'

export const sessionRoutes = (commands: SessionCommands) => [
  route(currentUser, anySignedIn, ({ user, session }) => commands.userOf(user.userId, session.id())),

  route(
    login,
    anyone,
    async ({ body, session, ip, by }) => {
      const { deviceOf } = session
      const signedIn = await commands.signIn(body, { correlationId: by.correlationId, ip, deviceOf })
      await session.signIn(signedIn)
      return commands.userOf(signedIn.userId, session.id())
    },
    { limit: floodLimit },
  ),

  route(
    register,
    anyone,
    async ({ body, session, ip, by, isRepeat }) => {
      const { username, password } = body
      const from = { correlationId: by.correlationId, ip, deviceOf: session.deviceOf }
      const known = isRepeat ? await commands.signIn({ username, password }, from).catch(unlessWrong) : null
      const signedIn = known ?? (await commands.register(body, { ip }))
      await session.signIn(signedIn)
      return commands.userOf(signedIn.userId, session.id())
    },
    { ...knowsItsKey, limit: floodLimit },
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

// Wrong tries count per account and place (address or known device), and per account and per address, which never block a known device.
const perPlace: RateLimit = { name: 'login-place', points: 20, seconds: 900 }
const perAccount: RateLimit = { name: 'login-account', points: 100, seconds: 3600 }
const perAddress: RateLimit = { name: 'login-address', points: 100, seconds: 900 }
// A million codes, and the guesser knows the password.
const codesPerDay: RateLimit = { name: 'login-codes', points: 50, seconds: 86_400 }

// A school signing in at once would spend the wrong-try budget while checks run.
const fewAtOnce = limitConcurrency(8)

const isWrong = (error: unknown) =>
  error instanceof Refusal && (error.code === 'wrong_credentials' || error.code === 'second_factor_wrong')
/** Whoever repeats a registration that was answered has the password of the account. */
const unlessWrong = (error: unknown): null => {
  if (!isWrong(error)) throw error
  return null
}
const isWrongCode = (error: unknown) => error instanceof Refusal && error.code === 'second_factor_wrong'

type Place = { ip: string; device: string | null }

/** Hashed: keys reveal neither username nor address. */
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')

const budgetsOf = (username: string, { ip, device }: Place): Budget[] => {
  const account = usernameKey(username)
  if (device !== null) return [[perPlace, keyOf(account, device)]]
  const address = callerKey(ip)
  return [
    [perPlace, keyOf(account, address)],
    [perAccount, keyOf(account)],
    [perAddress, keyOf(address)],
  ]
}

export const signInCommands = (
  needs: IdentityNeeds,
  checkSecondFactor: SecondFactorCommands['checkSecondFactor'],
) => {
  const checkCode = (account: Account, code: string | undefined, device: string | null): Promise<void> => {
    const key = keyOf(String(account.id), device ?? '')
    const check = () => checkSecondFactor(account, code)
    return code ? countingFailures(needs.rateLimits, [[codesPerDay, key]], isWrongCode, check) : check()
  }

  const hashedAgain = async (account: Account, password: string): Promise<Account> => {
    const { id, passwordHash } = account
    const hash = await hashPassword(password, needs.passwordCost)
    return (
      (await userRows(needs.database.knex).update({ id, passwordHash }, { passwordHash: hash })) ?? account
    )
  }

  const open = async (
    account: Account | undefined,
    input: { password: string; code?: string },
    { correlationId, device }: { correlationId: string; device: string | null },
  ): Promise<Account> => {
    const matches = await matchPassword(needs, account ?? null, input.password)
    const how = decideSignIn(matches)
    if (account!.disabledAt !== null) throw refuse('account_disabled', 'This account is disabled')
    await checkCode(account!, input.code, device)
    if (how === 'password') return matches.isOldForm ? hashedAgain(account!, input.password) : account!
    return needs.database.knex.transaction(async (transaction) => {
      const { id, temporaryHash } = account!
      const opened = await userRows(transaction).update({ id, temporaryHash }, temporaryUsed)
      if (!opened) throw refuse('wrong_credentials', 'Invalid username or password')
      if (account!.passwordHash !== null) {
        const by = { actor: `user:${id}`, correlationId }
        const what = 'Temporary password used; the old password no longer works'
        await recordAccountChange(transaction, needs, by, what)
      }
      return opened
    })
  }

  return {
    /** Throws `wrong_credentials` (constant time), `account_disabled`, `too_many_requests` and the refusals of the second factor. */
    signIn: async (
      input: { username: string; password: string; code?: string; invite?: string },
      from: Pick<By, 'correlationId'> & {
        ip: string
        /** Null if the account never signed in on this device. */
        deviceOf: (user: { userId: number; credentialsVersion: number }) => string | null
      },
    ): Promise<Omit<NewSession, 'device'>> => {
      const { correlationId, ip } = from
      const account = await userRows(needs.database.knex).byUsername(input.username)
      const about = { requestId: correlationId, userId: account?.id ?? null }
      const device = account
        ? from.deviceOf({ userId: account.id, credentialsVersion: account.credentialsVersion })
        : null
      try {
        const opened = await fewAtOnce(() =>
          countingFailures(needs.rateLimits, budgetsOf(input.username, { ip, device }), isWrong, () =>
            open(account, input, { correlationId, device }),
          ),
        )
        needs.log?.info({ ...about, secondFactor: opened.totpConfirmedAt !== null }, 'signed in')
        if (input.invite) await proveInvitedAddress(needs, opened, { token: input.invite, correlationId })
        const { id: userId, credentialsVersion } = opened
        return { userId, credentialsVersion, typed: passwordToChange(opened, needs.now()) }
      } catch (error) {
        if (error instanceof Refusal) needs.log?.warn({ ...about, why: error.code }, 'sign-in refused')
        throw error
      }
    },
  }
}
