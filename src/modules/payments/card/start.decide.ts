import type { MobileNetwork } from '#contracts/ordering'
import { Refusal } from '#kernel/refusal'
import { networkNames } from '../alternative/instructions'
import {
  isAwaited,
  isMoneyOurs,
  isPromptWaiting,
  mayReopen,
  type PaymentAttempt,
  type StartedAttempt,
} from '../attempt/payment-attempt'
import { refusal } from '../refusals'

/** `phone` as `+260977123456`, `requestId` the same for every repeat; null: on the provider's page. */
export type AskedWay = { network: MobileNetwork; phone: string; requestId: string } | null

/** `own`: what was begun under this key. `sameCart`: the same cart of the same user, begun under another. */
type Known = { own: PaymentAttempt; isUnanswered: boolean; sameCart: StartedAttempt | null }

export type CardStart =
  | { step: 'begin' | 'hold-again' | 'begin-anew' }
  | { step: 'answer' | 'prompt' | 'wait' | 'choose-page' | 'prompt-again'; attempt: StartedAttempt }

/** What is done, by what is known and asked for. Throws `idempotency_key_reused`, and `prompt_unavailable` once more. */
export const cardStart = ({ own, isUnanswered, sameCart }: Known, asked: AskedWay, now: Date): CardStart => {
  if (isUnanswered) return { step: 'begin-anew' }
  if (own.status !== 'none' && own.status !== 'draft') return asBefore(own, asked)
  if (sameCart) return byTheOther(sameCart, asked, now)
  return { step: own.status === 'draft' ? 'hold-again' : 'begin' }
}

/** The same request again: only a prompt that was never asked for is sent. */
const asBefore = (attempt: StartedAttempt, asked: AskedWay): CardStart => {
  if ((attempt.checkout.payBy ?? null) !== (asked?.network ?? null)) throw refusal('idempotency_key_reused')
  if (!asked || isMoneyOurs(attempt)) return { step: 'answer', attempt }
  const { prompt, refusedPrompts } = attempt
  // The phone that a payment was begun with is the first that was asked.
  const phones = prompt?.requests[0] === asked.requestId ? prompt.phones.slice(0, 1) : prompt?.phones
  if (phones && !phones.includes(asked.phone)) throw refusal('idempotency_key_reused')
  if (refusedPrompts?.includes(asked.requestId)) throw promptUnavailable(asked.network)
  return { step: prompt ? 'answer' : 'prompt', attempt }
}

export const promptUnavailable = (network: MobileNetwork): Refusal =>
  new Refusal(
    'prompt_unavailable',
    `${networkNames[network]} cannot be reached at the moment. Choose another way to pay; nothing was taken.`,
  )

/** By the token that the cart has or is about to get. */
const byTheOther = (attempt: StartedAttempt, asked: AskedWay, now: Date): CardStart => {
  if (isBeingMade(attempt, now)) return { step: 'wait', attempt }
  if (!asked) return { step: 'choose-page', attempt }
  const isAsked = attempt.prompt?.phone === asked.phone && attempt.prompt.network === asked.network
  return { step: isAsked && isPromptWaiting(attempt, now) ? 'answer' : 'prompt-again', attempt }
}

const beingMadeMs = 10_000

/** Its request has not come to its answer: no token yet, or a prompt not yet asked for. */
export const isBeingMade = ({ status, checkout, token, prompt }: StartedAttempt, now: Date): boolean => {
  if (status === 'draft') return true
  const isPromptDue = status === 'initiated' && checkout.payBy !== undefined && !prompt
  return isPromptDue && token !== null && now.getTime() - Date.parse(token.issuedAt) < beingMadeMs
}

type SameCart = { userId: number; bodyHash: string }

/** Whether this cart can be paid by that attempt. Also by a declined one that a prompt was asked for, or is asked for now. */
export const paysSameCart = (
  attempt: PaymentAttempt,
  { userId, bodyHash }: SameCart,
  asked: AskedWay,
  now: Date,
): attempt is StartedAttempt => {
  if (attempt.status === 'none') return false
  const { checkout, token, status } = attempt
  if (checkout.kind !== 'card' || checkout.userId !== userId || checkout.bodyHash !== bodyHash) return false
  if (status === 'draft') return true
  const mayPayAgain = mayReopen(attempt) && (asked !== null || attempt.prompt !== undefined)
  return (isAwaited(attempt) || mayPayAgain) && token !== null && Date.parse(token.limitAt) > now.getTime()
}
