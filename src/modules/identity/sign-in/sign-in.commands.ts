import { createHash } from 'node:crypto'
import { Refusal } from '#kernel/refusal'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { tooManyRequests } from '#platform/http/http-refusals'
import type { RateLimit } from '#platform/http/route'
import { decideSignIn, temporaryUsed } from '../accounts/credentials.decide'
import { matchPassword } from './password.commands'
import { usernameKey } from '../accounts/profile.decide'
import { refuse } from '../refusals'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import type { SecondFactorCommands } from './second-factor.commands'
import type { Account } from '../accounts/account'

type SignInNeeds = Pick<IdentityNeeds, 'database' | 'log' | 'now' | 'rateLimits'> &
  Pick<SecondFactorCommands, 'checkSecondFactor'>

const perUsername: RateLimit = { name: 'login-username', points: 20, seconds: 900 }

export const signInCommands = (needs: SignInNeeds) => {
  const spendTry = async (username: string) => {
    if (needs.rateLimits === 'off') return
    const key = createHash('sha256').update(usernameKey(username)).digest('base64url')
    const retryAfter = await needs.rateLimits(perUsername, key)
    if (retryAfter > 0) throw tooManyRequests(retryAfter)
  }

  const open = async (
    account: Account | undefined,
    input: { password: string; code?: string },
    correlationId: string,
  ): Promise<Account> => {
    const how = decideSignIn(await matchPassword(account ?? null, input.password, needs.now()))
    if (account!.disabledAt !== null) throw refuse('account_disabled', 'This account is disabled')
    await needs.checkSecondFactor(account!, input.code)
    if (how === 'password') return account!
    return needs.database.knex.transaction(async (transaction) => {
      const { id, temporaryHash } = account!
      const opened = await userRows(transaction).update({ id, temporaryHash }, temporaryUsed)
      if (!opened) throw refuse('wrong_credentials', 'Invalid username or password')
      if (account!.passwordHash !== null) {
        const by = { actor: `user:${id}`, correlationId }
        const what = 'Temporary password used: the one before has ended'
        await recordAccountChange(transaction, needs, by, what)
      }
      return opened
    })
  }

  return {
    /**
     * The account that a username and password open. A temporary password takes the place of the old one when it is
     * used and demands a new one. Refuses with `wrong_credentials`, in the same time whatever is wrong, and with
     * `account_disabled`, `second_factor_required` or `second_factor_wrong` whoever knows the password. The log hears of
     * each by the account's number, without a name.
     */
    signIn: async (
      input: { username: string; password: string; code?: string },
      { correlationId }: Pick<By, 'correlationId'>,
    ): Promise<Account> => {
      await spendTry(input.username)
      const account = await userRows(needs.database.knex).byUsername(input.username)
      const about = { requestId: correlationId, userId: account?.id ?? null }
      try {
        const opened = await open(account, input, correlationId)
        needs.log?.info({ ...about, secondFactor: opened.totpConfirmedAt !== null }, 'signed in')
        return opened
      } catch (error) {
        if (error instanceof Refusal) needs.log?.warn({ ...about, why: error.code }, 'sign-in refused')
        throw error
      }
    },
  }
}
