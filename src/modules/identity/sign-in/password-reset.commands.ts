import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Post } from '#modules/messaging/index'
import {
  smsText,
  isProven,
  letter,
  salutation,
  type Mail,
  type Recipient,
} from '#modules/messaging/published'
import { accountNamed } from '#platform/changes'
import { job, leaveToSweep, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { each } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { IdentityNeeds } from '../ports'
import type { Account } from '../users/account.decide'
import { temporaryGoesTo, temporaryIssued, temporaryPasswordHours } from '../users/credentials.decide'
import { recordAccountChange, userRows } from '../users/users.rows'
import { hashPassword, randomPassword } from './password.commands'

/** The row, not the queue, schedules retries. */
const answerResetJob = job({
  name: 'answer-password-reset',
  payload: z.object({ requestId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})

/** Never fails: the sweep answers when the queue is away. */
const answerSoon = (needs: Ports, requestId: string) =>
  leaveToSweep(
    needs.queue.enqueue(answerResetJob, { requestId }, { id: `reset-${requestId}` }),
    'answering a forgotten password',
    needs.log,
  )

export const resetWork = (answer: (requestId: string) => Promise<void>) =>
  work(answerResetJob, ({ requestId }) => answer(requestId))

export const resetSweep = (needs: Ports): Sweep => ({
  name: 'password-resets',
  run: async () => {
    const at = needs.now()
    await each(await resetRequestRows(needs.database.knex).takeDue(at), (requestId) =>
      needs.queue.enqueue(answerResetJob, { requestId }, { id: `reset-${requestId}-${at.getTime()}` }),
    )
  },
})

const atMostAccounts = 5

export const passwordResetCommands = (needs: IdentityNeeds) => {
  const { publicUrl, schoolName } = needs

  const mailOf = (recipient: Account, to: string, password: string) => ({
    ...temporaryPasswordMail({
      to,
      recipient,
      password,
      hours: temporaryPasswordHours,
      publicUrl,
      schoolName,
    }),
    purpose: 'password' as const,
  })

  const smsOf = ({ username }: Account, to: string, password: string) => {
    const short = `${password} is a temporary password for ${username}. Log in with it within ${temporaryPasswordHours} hours.`
    const text = smsText({ schoolName, short, publicUrl })
    return {
      channel: 'sms' as const,
      purpose: 'password' as const,
      to,
      subject: 'Your temporary password',
      text,
    }
  }

  const issue = async (account: Account, requestId: string, transaction: Knex.Transaction, post: Post) => {
    const settings = await needs.messaging.settings(transaction)
    const where = temporaryGoesTo(account, settings, needs.now())
    if (!where) return
    const { channel, to } = where
    if (channel === 'sms' && (await needs.messaging.isSmsDayFull(transaction, settings, 'password')))
      // A late code helps nobody.
      return
    if ((await needs.messaging.consumeMail('temporary-password', to)) > 0) return
    const password = randomPassword()
    const temporary = temporaryIssued(await hashPassword(password, needs.passwordCost), needs.now())
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
    /** Records a request without looking up accounts, so that neither text nor time reveals one. */
    forgotPassword: async (input: { identifier: string }): Promise<void> => {
      const id = await resetRequestRows(needs.database.knex).add(input.identifier, needs.now())
      await answerSoon(needs, id)
    },

    /** One message per account, even if repeated. */
    answerResetRequest: (requestId: string): Promise<void> =>
      needs.messaging.withMail(async (transaction, post) => {
        const request = await resetRequestRows(transaction).take(requestId)
        if (!request) return
        const users = userRows(transaction)
        for (const { id } of await users.meantBy(request.identifier, atMostAccounts)) {
          // Locked against concurrent requests.
          await issue((await users.lock(id))!, requestId, transaction, post)
        }
      }),
  }
}

type ResetRequest = { id: string; identifier: string; dueAt: Date; askedAt: Date }

const patienceMs = 30_000
const laterThan = (at: Date) => new Date(at.getTime() + patienceMs)

export const resetRequestRows = (knex: Knex) => {
  const requests = () => knex<ResetRequest>('identity.reset_requests')
  return {
    add: async (identifier: string, at: Date): Promise<string> => {
      const id = v7()
      await requests().insert({ id, identifier, dueAt: laterThan(at), askedAt: at })
      return id
    },

    /** Deleted on commit; undefined if answered before. */
    take: (id: string): Promise<ResetRequest | undefined> =>
      requests()
        .where({ id })
        .delete()
        .returning('*')
        .then(([request]) => request),

    /** Requests by these names or addresses. */
    removeOf: async (identifiers: readonly string[]): Promise<void> => {
      const typed = identifiers.map((name) => name.trim().toLowerCase())
      await requests().whereRaw('lower(trim(identifier)) = any(?)', [typed]).delete()
    },

    /** Up to 100 overdue ones, due again in half a minute. */
    takeDue: async (at: Date): Promise<string[]> => {
      const due = requests().where('dueAt', '<=', at).orderBy('dueAt').limit(100).forUpdate().skipLocked()
      const rows = await requests()
        .whereIn('id', due.select('id'))
        .update({ dueAt: laterThan(at) })
        .returning('id')
      return rows.map(({ id }) => id)
    },
  }
}

/** The only copy of the password until sent. */
export const temporaryPasswordMail = (about: {
  to: string
  recipient: Recipient
  password: string
  hours: number
  publicUrl: string
  schoolName: string
}): Mail => ({
  to: about.to,
  subject: `Your temporary password for ${about.schoolName}`,
  text: letter(
    salutation(about.recipient),
    [
      'somebody, we hope you, asked for a new password for your account.',
      [
        ...(isProven(about.recipient) ? [`Username: ${about.recipient.username}`] : []),
        `Temporary password: ${about.password}`,
      ].join('\n'),
      `Log in with it at ${about.publicUrl} within ${about.hours} hours and choose a new password at once. ` +
        'Your current password stays active until then.',
      'If you did not ask for this, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

/** Nobody waits for an answer that long. */
const requestsKeptDays = 1

export const resetRequestRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.reset_requests',
  about: 'Requests for a new password',
  kept: `until it is answered, ${requestsKeptDays} day at most`,
  remove: deleteUntil(
    pool,
    'identity.reset_requests',
    '"askedAt" < $1',
    () => new Date(now().getTime() - requestsKeptDays * dayMs),
  ),
})
