import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import { httpRefusal } from '#platform/http/http-refusals'
import type { TakeCall } from '#platform/http/rate-limits'
import type { RateLimit } from '#platform/http/route'
import type { Log } from '#platform/log'
import { decideSignIn, temporaryUsed } from '../accounts/credentials.decide'
import { matchPassword } from './password.commands'
import { usernameKey } from '../accounts/profile.decide'
import { refuse } from '../refusals'
import type { Account } from '../accounts/users.rows'
import { userRows } from '../accounts/users.rows'

export type SignInNeeds = {
  database: { knex: Knex }
  now: Now
  log?: Log
  /** Budgets beside those by address: guessing one account's password from many addresses stays slow. */
  rateLimits: TakeCall | 'off'
}

const perUsername: RateLimit = { name: 'login-username', points: 20, seconds: 900 }

export const signInCommands = (needs: SignInNeeds) => {
  const spendTry = async (username: string) => {
    if (needs.rateLimits === 'off') return
    const key = createHash('sha256').update(usernameKey(username)).digest('base64url')
    const retryAfter = await needs.rateLimits(perUsername, key).catch((err: unknown) => {
      needs.log?.warn({ err, limit: perUsername.name }, 'rate limit not checked')
      return 0
    })
    if (retryAfter === 0) return
    const message = 'Too many attempts. Please wait a little and try again.'
    throw httpRefusal('too_many_requests', message, { extra: { retryAfter } })
  }

  return {
    /**
     * The account that a username and password open. A temporary password takes the place of the old one when it is
     * used and demands a new one. Refuses with `wrong_credentials`, in the same time whatever is wrong.
     */
    signIn: async (input: { username: string; password: string }): Promise<Account> => {
      await spendTry(input.username)
      const users = userRows(needs.database.knex)
      const account = await users.byUsername(input.username)
      const how = decideSignIn(await matchPassword(account ?? null, input.password, needs.now()))
      if (how === 'password') return account!
      const { id, temporaryHash } = account!
      const opened = await users.update({ id, temporaryHash }, temporaryUsed)
      if (!opened) throw refuse('wrong_credentials', 'Invalid username or password')
      return opened
    },
  }
}
