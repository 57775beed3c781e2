import type { Knex } from 'knex'
import { accountNamed } from '#platform/changes'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { mayBeMailedPassword, temporaryIssued, temporaryPasswordHours } from '../accounts/credentials.decide'
import { takeMail } from '../mail/mail-budget.commands'
import type { Post, WithMail } from '../mail/mail.job'
import { temporaryPasswordMail } from '../mail/mails'
import { hashPassword, randomPassword } from './password.commands'
import { resetRequestRows } from './reset-requests.rows'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import type { Account } from '../accounts/account'

type PasswordResetNeeds = Pick<
  IdentityNeeds,
  'database' | 'now' | 'publicUrl' | 'schoolName' | 'rateLimits'
> & {
  withMail: WithMail
  /** Has a request answered soon; never fails. */
  answerSoon: (requestId: string) => Promise<void>
}

const atMostAccounts = 5

export const passwordResetCommands = (needs: PasswordResetNeeds) => {
  const issue = async (
    { id, email }: Account,
    requestId: string,
    transaction: Knex.Transaction,
    post: Post,
  ) => {
    const password = randomPassword()
    const hash = await hashPassword(password)
    const issued = await userRows(transaction).update({ id, email }, temporaryIssued(hash, needs.now()))
    if (!issued?.email) return
    const by = { actor: 'job:answer-password-reset', correlationId: requestId }
    const what = `Temporary password of ${accountNamed(id)} made, to be sent by mail`
    await recordAccountChange(transaction, needs, by, what)
    const { publicUrl, schoolName } = needs
    const hours = temporaryPasswordHours
    await post(
      temporaryPasswordMail({ to: issued.email, recipient: issued, password, hours, publicUrl, schoolName }),
      { userId: id },
    )
  }

  return {
    /**
     * Notes that somebody forgot the password of whatever this identifier means. No account is looked at before the
     * answer, so neither its words nor its time tells whether there is one.
     */
    forgotPassword: async (input: { identifier: string }): Promise<void> => {
      const id = await resetRequestRows(needs.database.knex).add(input.identifier, needs.now())
      await needs.answerSoon(id)
    },

    /** Mails a temporary password to every account meant whose address may have one. Answered twice it is one mail each. */
    answerResetRequest: (requestId: string): Promise<void> =>
      needs.withMail(async (transaction, post) => {
        const request = await resetRequestRows(transaction).take(requestId)
        if (!request) return
        const users = userRows(transaction)
        for (const { id } of await users.meantBy(request.identifier, atMostAccounts)) {
          // Locked, so that another request of this moment sees what this one has sent.
          const account = (await users.lock(id))!
          if (!mayBeMailedPassword(account, needs.now())) continue
          if ((await takeMail(needs, 'temporary-password', account.email!)) > 0) continue
          await issue(account, requestId, transaction, post)
        }
      }),
  }
}
