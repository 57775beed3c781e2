import { setTimeout as pause } from 'node:timers/promises'
import { v5 } from 'uuid'
import type { ShownPrompt } from '#contracts/payments'
import { Refusal } from '#kernel/refusal'
import { loadStream, noteWritten, type Writer, writing } from '#platform/event-store/command-handler'
import { openAttempts } from '../attempt/attempts.view'
import { refuseOtherBody } from '../attempt/checkout.decide'
import { providerTokenRefused } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import type { AttemptEvent, StartedAttempt } from '../attempt/payment-attempt'
import { attemptIdFor, bodyHashOf } from '../checkout/place-order.commands'
import { type CardProvider } from '../providers/provider'
import { refusal } from '../refusals'
import { processEnded, isOnlyReserved } from '../settlement/give-up.commands'
import type { SettlingNeeds } from '../settlement/settle.commands'
import { begin, holdAgain, type Begin, type CardCheckout } from './begin.commands'
import { issueToken, type BegunAttempt } from './issue-token.commands'
import {
  countingPrompt,
  payAgain,
  promptAgain,
  promptRequestId,
  sendPrompt,
  shownPrompt,
  type AskedPrompt,
} from './prompt.commands'
import { cardStart, isBeingMade, paysSameCart, type AskedWay, type CardStart } from './start.decide'

/** Of one process: a double click is one payment. */
export type CardPaymentStart = ReturnType<typeof startCardPayment>

type StartedPayment = {
  token: string
  companyRef: string
  paymentUrl: string
  prompt: ShownPrompt | null
}

/**
 * Answers where to pay (E1 to E3, E12), or sends a prompt. The same key repeats the answer of an open token, or resumes after a crash; the
 * same cart uses its token while that lives. Throws `email_required`, `payment_bypass`, `card_payments_off`, `prompt_off`,
 * `lines_refused`, `nothing_to_pay`, `amount_mismatch`, `too_many_unpaid_meals`, `payment_in_progress`, `payment_failed`,
 * `payments_unavailable`, `idempotency_key_reused`, `credit_covers`, and refusals of `NotePrompt` and `sendPrompt`.
 */
export const startCardPayment = (needs: SettlingNeeds) => {
  const running = new Map<string, { started: Promise<StartedPayment>; by: Writer }>()
  return async (checkout: CardCheckout): Promise<StartedPayment> => {
    const settings = await needs.settings()
    if (settings.enabled) throw refusal('payment_bypass')
    const { provider } = needs
    if (!provider) throw refusal('card_payments_off')
    if (checkout.prompt && !settings.prompt) throw refusal('prompt_off')
    const needsEmail = !checkout.prompt && !checkout.customer.email
    if (needsEmail && !(await needs.identity.maySkipEmail(checkout.userId))) throw refusal('email_required')
    // A double click is one payment: the second call waits.
    const { lines, claimedAmount, useCredit } = checkout
    const bodyHash = bodyHashOf({ lines, claimedAmount, useCredit })
    const way = checkout.prompt ? `${checkout.prompt.network}${checkout.prompt.phone}` : 'card'
    const key = `${checkout.userId}/${checkout.idempotencyKey ?? ''}/${bodyHash}/${way}`
    const earlier = running.get(key)
    if (earlier) return earlier.started.finally(() => noteWritten(checkout.by, earlier.by.written.upTo))
    const by = writing(checkout.by)
    const attemptId = attemptIdFor(checkout.userId, checkout.idempotencyKey)
    const started = start(needs, provider, { ...checkout, by, attemptId, bodyHash })
    running.set(key, { started, by })
    return started.finally(() => running.delete(key))
  }
}

/** `elsewhere`: attempts that hold days of this cart, as their streams tell; the view may not know them yet. */
const start = async (
  needs: SettlingNeeds,
  provider: CardProvider,
  checkout: Omit<Begin, 'known' | 'open'>,
  elsewhere: readonly string[] = [],
): Promise<StartedPayment> => {
  const known = await loadStream(needs.eventStore, paymentAttempt, checkout.attemptId)
  refuseOtherBody(known.state, checkout.bodyHash)
  const own = known.state
  const isBegun = own.status !== 'none' && own.status !== 'draft'
  const open = isBegun ? [] : await openAttempts(needs, checkout.userId)
  const asked = { ...checkout, known, open }
  const sameCart = isBegun ? null : await sameCartOf(needs, asked, elsewhere)
  const isUnanswered = wasNeverAnswered(known.events)
  const todo = cardStart({ own, isUnanswered, sameCart }, askedBy(asked), needs.now())
  if (isBegun) noteWritten(checkout.by, known.position)
  return carryOut(needs, provider, todo, asked)
}

const askedBy = ({ prompt, attemptId, idempotencyKey }: Begin): AskedWay =>
  prompt && { ...prompt, requestId: promptRequestId(attemptId, idempotencyKey) }

const carryOut = async (
  needs: SettlingNeeds,
  provider: CardProvider,
  todo: CardStart,
  checkout: Begin,
): Promise<StartedPayment> => {
  const { prompt, ip, idempotencyKey, by } = checkout
  switch (todo.step) {
    case 'begin-anew':
      return start(needs, provider, { ...checkout, attemptId: attemptAfter(checkout.attemptId) })
    case 'begin':
    case 'hold-again':
      return firstOrSame(needs, provider, checkout, todo.step === 'begin' ? begin : holdAgain)
    case 'answer':
      return startedPayment(provider, todo.attempt)
    case 'wait': {
      const { attemptId } = todo.attempt.checkout
      await answered(needs, attemptId, checkout)
      return start(needs, provider, checkout, [attemptId])
    }
    case 'choose-page': {
      const { attemptId } = todo.attempt.checkout
      const { attempt } = await payAgain(needs, attemptId, { kind: 'choose-card-page' }, by)
      return startedPayment(provider, attempt)
    }
    case 'prompt':
      return countingPrompt(needs, checkout, prompt!, () =>
        prompted(needs, provider, todo.attempt, checkout, prompt!),
      )
    case 'prompt-again': {
      const requestId = requestIdFor(todo.attempt, idempotencyKey)
      const again = promptAgain(needs, provider)
      const { attempt } = await again({ ...todo, asked: prompt!, requestId, ip, isOn: true, by })
      return startedPayment(provider, attempt)
    }
  }
}

/** Where another request for the same cart was faster, that one's token is the answer. */
const firstOrSame = async (
  needs: SettlingNeeds,
  provider: CardProvider,
  checkout: Begin,
  hold: typeof begin,
): Promise<StartedPayment> => {
  const first = async () => withToken(needs, provider, await hold(needs, checkout), checkout)
  const { prompt } = checkout
  try {
    return await (prompt ? countingPrompt(needs, checkout, prompt, first) : first())
  } catch (refused) {
    if (!isHeldByOther(refused)) throw refused
    const holders = await needs.ordering.holdersOf(checkout.lines, needs.now())
    if (!(await sameCartOf(needs, checkout, holders))) throw refused
    return start(needs, provider, checkout, holders)
  }
}

const isHeldByOther = (refused: unknown): boolean =>
  isOnlyReserved(refused) || (refused instanceof Refusal && refused.code === 'payment_in_progress')

const lookEveryMs = 250
const maxLooks = 40

/** Waits for another request to make its payment. Throws `payment_in_progress` after 10 s. */
const answered = async (
  { eventStore, now }: SettlingNeeds,
  attemptId: string,
  checkout: Begin,
): Promise<void> => {
  const asked = askedBy(checkout)
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const { state } = await loadStream(eventStore, paymentAttempt, attemptId)
    if (!paysSameCart(state, checkout, asked, now()) || !isBeingMade(state, now())) return
    await pause(lookEveryMs)
  }
  throw refusal('payment_in_progress')
}

const requestIdFor = ({ checkout }: StartedAttempt, idempotencyKey: string | null): string =>
  promptRequestId(checkout.attemptId, idempotencyKey)

const prompted = async (
  needs: SettlingNeeds,
  provider: CardProvider,
  begun: StartedAttempt,
  { idempotencyKey, by }: Begin,
  prompt: AskedPrompt,
): Promise<StartedPayment> => {
  const asked = { ...prompt, requestId: requestIdFor(begun, idempotencyKey) }
  const { attempt } = await sendPrompt(needs, provider)(begun, asked, by)
  return startedPayment(provider, attempt)
}

const withToken = async (
  needs: SettlingNeeds,
  provider: CardProvider,
  begun: BegunAttempt,
  checkout: Begin,
): Promise<StartedPayment> => {
  const { attempt } = await issueToken(needs, provider)(begun, checkout)
  const { prompt } = checkout
  return prompt ? prompted(needs, provider, attempt, checkout, prompt) : startedPayment(provider, attempt)
}

/** The process ended before a token and the sweep gave up: the caller has no answer. */
const wasNeverAnswered = (events: readonly AttemptEvent[]): boolean =>
  events.some(({ type, data }) => type === providerTokenRefused.type && data.why === processEnded)

/** Which takes the place of one that was never answered. */
export const attemptAfter = (attemptId: string): string => v5('again', attemptId)

const startedPayment = (provider: CardProvider, attempt: StartedAttempt): StartedPayment => {
  const { token, checkout } = attempt
  if (!token) throw refusal('payment_failed')
  return {
    token: token.token,
    companyRef: checkout.companyRef ?? '',
    paymentUrl: provider.paymentPageUrl(token.token),
    prompt: shownPrompt(attempt),
  }
}

const sameCartOf = async (
  { eventStore, now }: SettlingNeeds,
  checkout: Begin,
  elsewhere: readonly string[],
): Promise<StartedAttempt | null> => {
  const { attemptId, bodyHash } = checkout
  const open = checkout.open.filter((row) => row.bodyHash === bodyHash).map(({ id }) => id)
  for (const id of new Set([...open, ...elsewhere])) {
    const { state } = await loadStream(eventStore, paymentAttempt, id)
    if (id !== attemptId && paysSameCart(state, checkout, askedBy(checkout), now())) return state
  }
  return null
}
