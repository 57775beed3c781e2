import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import { decideSignIn, temporaryUsed } from './credentials.decide'
import { matchPassword } from './password.commands'
import { refuse } from './refusals'
import type { Account } from './users.rows'
import { userRows } from './users.rows'

export type SignInNeeds = { database: { knex: Knex }; now: Now }

export const signInCommands = (needs: SignInNeeds) => ({
  /**
   * The account that a username and password open. A temporary password takes the place of the old one when it is
   * used and demands a new one. Refuses with `wrong_credentials`, in the same time whatever is wrong.
   */
  signIn: async (input: { username: string; password: string }): Promise<Account> => {
    const users = userRows(needs.database.knex)
    const account = await users.byUsername(input.username)
    const how = decideSignIn(await matchPassword(account ?? null, input.password, needs.now()))
    if (how === 'password') return account!
    const { id, temporaryHash } = account!
    const opened = await users.update({ id, temporaryHash }, temporaryUsed)
    if (!opened) throw refuse('wrong_credentials', 'Invalid username or password')
    return opened
  },
})
