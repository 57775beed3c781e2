import { createHash } from 'node:crypto'
import { v5 } from 'uuid'
import { type CartLine } from '#contracts/ordering'
import { type PaymentBypass, type ShownPrompt } from '#contracts/payments'
import { type MealLine } from '#kernel/meal-line'
import { sum, differs } from '#kernel/money'
import { linesRefused } from '#modules/ordering/published'
import {
  advanced,
  handleCommand,
  loadStream,
  noteWritten,
  type By,
  type Writer,
  writing,
} from '#platform/event-store/command-handler'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { attemptCredit } from '../attempt/change-attempt.commands'
import { decideCheckout, refuseOtherBody } from '../attempt/checkout.decide'
import { providerTokenRefused } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import {
  toPayFor,
  withCredit,
  isAwaited,
  isMoneyOurs,
  isPromptWaiting,
  mayReopen,
  type AttemptEvent,
  type StartedAttempt,
} from '../attempt/payment-attempt'
import { refuseTooManyUnpaid } from '../checkout/checkout.routes'
import { attemptIdFor, bodyHashOf } from '../checkout/place-order.commands'
import { type CardProvider } from '../providers/provider'
import { refusal } from '../refusals'
import {
  giveUpDraft,
  processEnded,
  checkAfterSuperseding,
  type SupersedeNeeds,
} from '../settlement/give-up.commands'
import { heldAnew, holdOf, issueToken, limitMinutesOf, type Customer } from './issue-token.commands'
import {
  countingPrompt,
  payAgain,
  promptAgain,
  promptRequestId,
  sendPrompt,
  shownPrompt,
  type AskedPrompt,
  type PromptNeeds,
} from './prompt.commands'

export type CardCheckoutNeeds = SupersedeNeeds &
  PromptNeeds & {
    settings: () => Promise<PaymentBypass>
    /** Reference at the provider; derived from the id by default. */
    referenceOf?: (attemptId: string) => string
  }

export type CardCheckout = {
  userId: number
  customer: Customer
  ip: string
  /** Null: on the provider's page. */
  prompt: AskedPrompt | null
  lines: readonly CartLine[]
  useCredit: boolean
  claimedAmount: number
  idempotencyKey: string | null
  site: string
  by: By
}

type StartedPayment = {
  token: string
  companyRef: string
  paymentUrl: string
  prompt: ShownPrompt | null
}
type Begin = CardCheckout & { attemptId: string; bodyHash: string }

/**
 * Answers where to pay (E1 to E3, E12), or sends a prompt. The same key repeats the answer of an open token, or resumes after a crash; the
 * same cart uses its token while that lives. Throws `email_required`, `payment_bypass`, `card_payments_off`, `prompt_off`,
 * `lines_refused`, `nothing_to_pay`, `amount_mismatch`, `too_many_unpaid_meals`, `payment_in_progress`, `payment_failed`,
 * `payments_unavailable`, `idempotency_key_reused`, `credit_covers`, and refusals of `NotePrompt` and `sendPrompt`.
 */
export const startCardPayment = (needs: CardCheckoutNeeds) => {
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

const start = async (
  needs: CardCheckoutNeeds,
  provider: CardProvider,
  checkout: Begin,
): Promise<StartedPayment> => {
  const known = await loadStream(needs.eventStore, paymentAttempt, checkout.attemptId)
  refuseOtherBody(known.state, checkout.bodyHash)
  if (wasNeverAnswered(known.events))
    return start(needs, provider, { ...checkout, attemptId: attemptAfter(checkout.attemptId) })
  const isDraft = known.state.status === 'draft'
  if (known.state.status !== 'none' && !isDraft) {
    noteWritten(checkout.by, known.position)
    return repeated(needs, provider, known.state, checkout)
  }
  const open = await openPayment(needs, checkout)
  if (open) return paidOtherwise(needs, provider, open, checkout)
  const first = async () => {
    const begun = await (isDraft ? holdAgain : begin)(needs, checkout)
    return withToken(needs, provider, begun, checkout)
  }
  return checkout.prompt ? countingPrompt(needs, checkout, checkout.prompt, first) : first()
}

/** The same request again: only a prompt that was never asked for is sent. */
const repeated = async (
  needs: CardCheckoutNeeds,
  provider: CardProvider,
  attempt: StartedAttempt,
  checkout: Begin,
): Promise<StartedPayment> => {
  const { prompt, idempotencyKey, by } = checkout
  if ((attempt.checkout.payBy ?? null) !== (prompt?.network ?? null)) throw refusal('idempotency_key_reused')
  if (!prompt || attempt.prompt || isMoneyOurs(attempt)) return startedPayment(provider, attempt)
  return countingPrompt(needs, checkout, prompt, () =>
    prompted(needs, provider, attempt, { ...prompt, requestId: requestIdFor(attempt, idempotencyKey) }, by),
  )
}

/** The same cart paid another way, or with another number, by the token that it has. */
const paidOtherwise = async (
  needs: CardCheckoutNeeds,
  provider: CardProvider,
  open: StartedAttempt,
  { prompt: asked, ip, idempotencyKey, by }: Begin,
): Promise<StartedPayment> => {
  const { attemptId } = open.checkout
  if (!asked) {
    const { attempt } = await payAgain(needs, attemptId, { kind: 'choose-card-page' }, by)
    return startedPayment(provider, attempt)
  }
  const isAsked = open.prompt?.phone === asked.phone && open.prompt.network === asked.network
  if (isAsked && isPromptWaiting(open, needs.now())) return startedPayment(provider, open)
  const requestId = requestIdFor(open, idempotencyKey)
  const again = promptAgain(needs, provider)
  const { attempt } = await again({ attempt: open, asked, requestId, ip, isOn: true, by })
  return startedPayment(provider, attempt)
}

const requestIdFor = ({ checkout }: StartedAttempt, idempotencyKey: string | null): string =>
  promptRequestId(checkout.attemptId, idempotencyKey)

const prompted = async (
  needs: CardCheckoutNeeds,
  provider: CardProvider,
  begun: StartedAttempt,
  asked: Parameters<ReturnType<typeof sendPrompt>>[1],
  by: By,
): Promise<StartedPayment> => {
  const { attempt } = await sendPrompt(needs, provider)(begun, asked, by)
  return startedPayment(provider, attempt)
}

const withToken = async (
  needs: CardCheckoutNeeds,
  provider: CardProvider,
  begun: StartedAttempt,
  checkout: Begin,
): Promise<StartedPayment> => {
  const { attempt } = await issueToken(needs, provider)(begun, checkout)
  const { prompt, idempotencyKey, by } = checkout
  const requestId = requestIdFor(attempt, idempotencyKey)
  if (prompt) return prompted(needs, provider, attempt, { ...prompt, requestId }, by)
  return startedPayment(provider, attempt)
}

/** The process ended before a token and the sweep gave up: the caller has no answer. */
const wasNeverAnswered = (events: readonly AttemptEvent[]): boolean =>
  events.some(({ type, data }) => type === providerTokenRefused.type && data.why === processEnded)

const attemptAfter = (attemptId: string): string => v5('again', attemptId)

/** Holds days, portions and credit again after a crash. Throws `lines_refused` if another checkout took one. */
const holdAgain = async (needs: CardCheckoutNeeds, { attemptId, by }: Begin): Promise<StartedAttempt> => {
  const { eventStore } = needs
  const { attempt, taken } = await handleCommand(needs, by, async (at) => {
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const attempt = loaded.state as StartedAttempt
    if (attempt.status !== 'draft') return { changes: [{ loaded, events: [] }], attempt, taken: [] }
    const { taken, changes } = await heldAnew(needs, attempt, holdFrom(needs, attempt.checkout.lines, at), at)
    return { changes: [{ loaded, events: [] }, ...changes], attempt, taken }
  })
  if (taken.length === 0) return attempt
  await giveUpDraft(needs)(attemptId, 'lines-taken', null, by)
  throw linesRefused(taken)
}

const holdFrom = (needs: CardCheckoutNeeds, lines: readonly MealLine[], at: Date) =>
  holdOf(needs, new Date(at.getTime() + limitMinutesOf(lines, at) * 60_000))

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

/** Also a declined one that a prompt was asked for, or is asked for now. */
const openPayment = async (
  { eventStore, now, openAttempts }: CardCheckoutNeeds,
  { userId, bodyHash, prompt }: Begin,
): Promise<StartedAttempt | null> => {
  for (const { id } of (await openAttempts(userId)).filter((row) => row.bodyHash === bodyHash)) {
    const { state } = await loadStream(eventStore, paymentAttempt, id)
    if (state.status === 'none' || !state.token) continue
    const mayPayAgain = mayReopen(state) && (prompt !== null || state.prompt !== undefined)
    if (!isAwaited(state) && !mayPayAgain) continue
    if (Date.parse(state.token.limitAt) > now().getTime()) return state
  }
  return null
}

const begin = async (needs: CardCheckoutNeeds, checkout: Begin): Promise<StartedAttempt> => {
  const { eventStore } = needs
  const { attemptId, bodyHash, userId, prompt, by } = checkout
  const payBy = prompt?.network
  const { attempt } = await handleCommand(needs, by, async (at) => {
    const { cart, openIds } = await checkedAfterSuperseding(needs, checkout, at)
    if (toPayFor(cart.lines) === 0) throw refusal('credit_covers')
    await refuseTooManyUnpaid(needs, userId, cart.lines, { openIds, otherIds: cart.otherIds })
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const companyRef = (needs.referenceOf ?? companyRefOf)(attemptId)
    const kind = 'card' as const
    const begun = {
      attemptId,
      kind,
      userId,
      lines: cart.lines,
      companyRef,
      bodyHash,
      ...(payBy && { payBy }),
    }
    const events = decideCheckout({ kind: 'start', checkout: begun, now: at }, loaded.state)
    const started = { loaded, events, idSeed: `${attemptId}/started/${bodyHash}` }
    const attempt = advanced(paymentAttempt, loaded, events).state as StartedAttempt
    const credit = await attemptCredit(needs, attempt)
    const held = credit.follow(attempt, at)
    // The balance changed since reading: retries this step.
    if (credit.lacking().size > 0) throw new WrongExpectedRevision(loaded.stream, loaded.revision)
    // Attempt first: days held without it expire.
    return {
      changes: [started, ...held, ...cart.meals.reserve(holdFrom(needs, cart.lines, at), at)],
      attempt,
    }
  })
  return attempt
}

// Crockford's base 32, without lookalikes.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const companyRefOf = (attemptId: string): string => {
  const bytes = createHash('sha256').update(`reference of ${attemptId}`).digest().subarray(0, 10)
  return `LP-${[...bytes].map((byte) => alphabet[byte % 32]).join('')}`
}

const checkedAfterSuperseding = (needs: CardCheckoutNeeds, checkout: Begin, at: Date) => {
  const { userId, lines, attemptId, claimedAmount, useCredit } = checkout
  const check = async () => {
    const balance = useCredit ? (await needs.credit.accountOf(userId)).balance() : 0
    const payWith = (priced: MealLine[]) => withCredit(priced, balance)
    const cart = await needs.ordering.checkCart({ userId, attemptId }, lines, at, payWith)
    refuseOtherAmount(cart.lines, claimedAmount)
    return cart
  }
  return checkAfterSuperseding(needs, check, checkout)
}

const refuseOtherAmount = (lines: readonly MealLine[], claimedKwacha: number): void => {
  const total = sum(lines.map(({ price }) => price))
  if (total === 0) throw refusal('nothing_to_pay')
  if (differs(claimedKwacha, total)) throw refusal('amount_mismatch')
}
