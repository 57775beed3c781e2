import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import { temporaryIssued, temporaryPasswordHours } from './credentials.decide'
import type { WithMail } from './mail.job'
import { temporaryPasswordMail } from './mails'
import { hashPassword, randomPassword } from './password.commands'
import type { Account } from './users.rows'
import { userRows } from './users.rows'

export type PasswordResetNeeds = {
  database: { knex: Knex }
  now: Now
  publicUrl: string
  schoolName: string
  withMail: WithMail
}

const atMostAccounts = 5

export const passwordResetCommands = (needs: PasswordResetNeeds) => {
  const issue = async (account: Account) => {
    const password = randomPassword()
    const hash = await hashPassword(password)
    const { publicUrl, schoolName } = needs
    await needs.withMail(async (transaction, post) => {
      const { id, email } = account
      const issued = await userRows(transaction).update({ id, email }, temporaryIssued(hash, needs.now()))
      if (!issued?.email) return
      const { name, username } = issued
      const hours = temporaryPasswordHours
      await post(
        temporaryPasswordMail({ to: issued.email, name, username, password, hours, publicUrl, schoolName }),
      )
    })
  }

  return {
    /**
     * Mails a temporary password to every account meant by this username or e-mail address. Whether there is one,
     * and whether it has an address, shows neither in the answer nor in the hashing done for it.
     */
    forgotPassword: async (input: { identifier: string }): Promise<void> => {
      const meant = await userRows(needs.database.knex).meantBy(input.identifier, atMostAccounts)
      const reachable = meant.filter(({ email }) => email !== null)
      if (reachable.length === 0) await hashPassword(randomPassword())
      await Promise.all(reachable.map(issue))
    },
  }
}
