import type { Knex } from 'knex'
import { schoolMoment } from '#kernel/school-time'
import { accountNamed } from '#platform/changes'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { temporaryGoesTo, temporaryIssued, temporaryPasswordHours } from '../accounts/credentials.decide'
import { takeMail } from '../mail/mail-budget.commands'
import type { Post, WithMail } from '../mail/mail.job'
import { temporaryPasswordMail } from '../mail/mails'
import { readMessageSettings } from '../messages/message-settings.rows'
import { smsDayRows } from '../messages/sms-days.rows'
import { smsText } from '../messages/sms-text'
import { hashPassword, randomPassword } from './password.commands'
import { resetRequestRows } from './reset-requests.rows'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import type { Account } from '../accounts/account'

type PasswordResetNeeds = Pick<
  IdentityNeeds,
  'database' | 'now' | 'zone' | 'publicUrl' | 'schoolName' | 'rateLimits'
> & {
  withMail: WithMail
  /** Has a request answered soon; never fails. */
  answerSoon: (requestId: string) => Promise<void>
}

const atMostAccounts = 5

export const passwordResetCommands = (needs: PasswordResetNeeds) => {
  const { publicUrl, schoolName } = needs

  const mailOf = (recipient: Account, to: string, password: string) =>
    temporaryPasswordMail({ to, recipient, password, hours: temporaryPasswordHours, publicUrl, schoolName })

  const smsOf = ({ username }: Account, to: string, password: string) => {
    const short = `${password} is a temporary password for ${username}. Log in with it within ${temporaryPasswordHours} hours.`
    const text = smsText({ schoolName, short, publicUrl })
    return { channel: 'sms' as const, to, subject: 'Your temporary password', text }
  }

  /** Whether the school has sent as many SMS today as it wants to: one that waits for tomorrow helps nobody in. */
  const isDayFull = (transaction: Knex.Transaction, ceiling: number | null) =>
    smsDayRows(transaction).isFull(schoolMoment(needs.now(), needs.zone).date, ceiling)

  const issue = async (account: Account, requestId: string, transaction: Knex.Transaction, post: Post) => {
    const settings = await readMessageSettings(transaction)
    const where = temporaryGoesTo(account, settings, needs.now())
    if (!where) return
    const { channel, to } = where
    if (channel === 'sms' && (await isDayFull(transaction, settings.dailyCeiling))) return
    if ((await takeMail(needs, 'temporary-password', to)) > 0) return
    const password = randomPassword()
    const temporary = temporaryIssued(await hashPassword(password), needs.now())
    await userRows(transaction).update({ id: account.id }, temporary)
    const by = { actor: 'job:answer-password-reset', correlationId: requestId }
    const what = `Temporary password of ${accountNamed(account.id)} made, to be sent by ${channel === 'sms' ? 'SMS' : 'mail'}`
    await recordAccountChange(transaction, needs, by, what)
    await post(channel === 'sms' ? smsOf(account, to, password) : mailOf(account, to, password), {
      userId: account.id,
      expiresAt: temporary.temporaryExpiresAt,
    })
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

    /** Sends a temporary password to every account meant that may have one. Answered twice it is one message each. */
    answerResetRequest: (requestId: string): Promise<void> =>
      needs.withMail(async (transaction, post) => {
        const request = await resetRequestRows(transaction).take(requestId)
        if (!request) return
        const users = userRows(transaction)
        for (const { id } of await users.meantBy(request.identifier, atMostAccounts)) {
          // Locked, so that another request of this moment sees what this one has sent.
          await issue((await users.lock(id))!, requestId, transaction, post)
        }
      }),
  }
}
