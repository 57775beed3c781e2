import type { Pool } from 'pg'
import { v5 } from 'uuid'
import { paymentDeclined, paymentExpired } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { readAttemptEvent, type PaymentAttempt } from '#modules/payments/attempt/payment-attempt'
import { failedMail, orderedMail } from '#modules/payments/settlement/write-letters.reactor'
import { refundPaidBack } from '#modules/refunds/published'
import { eventReader } from '#kernel/event'
import type { Broken, Story } from './kept-promises'

/** A message that was written, sent or not. */
export type Written = { id: string; subject: string }

const paidBackSubject = 'Money was paid back to you'
const toldSubjects = /^(Your meals are (ordered|not ordered)|Money was paid back)/

// As identity names the messages of a cause.
const messageNamespace = '6d1f9a52-0d0e-4d53-8f0b-2f0c1e5f7a3b'
const messageOf = (cause: string): string => v5(cause, messageNamespace)

const readRefund = eventReader(refundPaidBack)

/**
 * What the families of a run must have been told by its events, by the message's id: each checkout that was ordered or
 * came to nothing, each payout. `may`: also what was so once and is so no more.
 */
const messagesOf = (story: Story): { must: Map<string, string>; may: Set<string> } => {
  const attempts = new Map<string, PaymentAttempt>()
  const must = new Map<string, string>()
  const may = new Set<string>()
  for (const { stream, ...stored } of story) {
    const event = readAttemptEvent(stored)
    if (event)
      attempts.set(stream, paymentAttempt.evolve(attempts.get(stream) ?? paymentAttempt.initial, event))
    if (event?.type === paymentDeclined.type || event?.type === paymentExpired.type)
      may.add(messageOf(`payment-failed-${event.data.attemptId}`))
    const refund = readRefund(stored)
    if (refund && refund.data.method !== 'credit' && refund.data.method !== 'given_up')
      must.set(messageOf(`refund-paid-${refund.data.payoutId}`), paidBackSubject)
  }
  for (const attempt of attempts.values()) {
    // How to pay otherwise is another message, of what nobody does in these runs.
    if (attempt.status === 'none' || attempt.checkout.kind === 'alternative') continue
    const { attemptId } = attempt.checkout
    const ordered = orderedMail(attempt, [], 'Africa/Lusaka', null)
    if (ordered) must.set(messageOf(`payment-ordered-${attemptId}`), ordered.subject)
    const failed = failedMail(attempt)
    if (failed) must.set(messageOf(`payment-failed-${attemptId}`), failed.subject)
  }
  return { must, may }
}

/** Causes without their message, and messages of these kinds that nothing caused, or that say it twice. */
export const brokenMessages = (story: Story, written: readonly Written[]): Broken => {
  const { must, may } = messagesOf(story)
  const told = written.filter(({ subject }) => toldSubjects.test(subject))
  const ids = new Set(told.map(({ id }) => id))
  const untold = [...must].filter(([id]) => !ids.has(id))
  const uncaused = told.filter(({ id }) => !must.has(id) && !may.has(id))
  return [
    ...(untold.length > 0
      ? [`families were not told: ${untold.length} of ${must.size}, such as "${untold[0]![1]}"`]
      : []),
    ...(uncaused.length > 0
      ? [`messages that nothing caused: ${uncaused.length}, such as "${uncaused[0]!.subject}"`]
      : []),
    ...(ids.size < told.length ? [`messages written twice: ${told.length - ids.size}`] : []),
  ]
}

export const messagesWritten = async (pool: Pool): Promise<Written[]> =>
  (await pool.query<Written>('select id, subject from identity.mail_outbox')).rows
