import { createHash } from 'node:crypto'
import { type CartLine } from '#contracts/ordering'
import { type MealLine } from '#kernel/meal-line'
import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { attemptCredit } from '../attempt/attempt-credit.commands'
import { toPayFor, withCredit } from '../attempt/credit-lines'
import { decideCheckout, refuseOtherBody } from '../attempt/checkout.decide'
import { paymentAttempt } from '../attempt/fold'
import { isAwaited, type StartedAttempt } from '../attempt/payment-attempt'
import { attemptIdFor, bodyHashOf } from '../checkout/free-checkout.commands'
import { refuseTooManyUnpaid } from '../checkout/unpaid-meals.commands'
import { type PaymentsNeeds } from '../needs'
import { type CardProvider } from '../providers/provider'
import { refusal } from '../refusals'
import { issueToken, limitMinutesOf, type Customer, type IssueNeeds } from './issue-token.commands'
import { checkAfterSuperseding, type SupersedeNeeds } from './cancel-token.commands'

export type CardCheckoutNeeds = IssueNeeds &
  SupersedeNeeds &
  Pick<PaymentsNeeds, 'identity' | 'waitForViews'> & {
    /** Alternative payments are on, and card payments therefore off. */
    isBypassed: () => Promise<boolean>
    /** How an attempt is called at the provider; by default a short text made of its id. */
    referenceOf?: (attemptId: string) => string
  }

export type CardCheckout = {
  userId: number
  customer: Customer
  lines: readonly CartLine[]
  /** Uses as much of the family's credit as helps. */
  useCredit: boolean
  /** What the browser thinks it costs, in kwacha, credit or not. */
  claimedAmount: number
  idempotencyKey: string | null
  /** The address at which this user has the service, without a slash at its end. */
  site: string
  by: By
}

type StartedPayment = { token: string; companyRef: string; paymentUrl: string }
type Begin = CardCheckout & { attemptId: string; bodyHash: string }

/**
 * Begins a card payment and answers where to pay (E1 to E3, E12). The same user with the same cart and an open token
 * gets the same answer again. Throws `payment_bypass`, `card_payments_off`, `email_required`, `lines_refused`,
 * `nothing_to_pay`, `amount_mismatch`, `too_many_unpaid_meals`, `payment_in_progress`, `payment_failed`, `payments_unavailable` and
 * `idempotency_key_reused`; `credit_covers` where credit pays for all of it.
 */
export const startCardPayment = (needs: CardCheckoutNeeds) => {
  const running = new Map<string, Promise<StartedPayment>>()
  return async (checkout: CardCheckout): Promise<StartedPayment> => {
    if (await needs.isBypassed()) throw refusal('payment_bypass')
    const { provider } = needs
    if (!provider) throw refusal('card_payments_off')
    if (!checkout.customer.email && !(await needs.identity.maySkipEmail(checkout.userId)))
      throw refusal('email_required')
    // A double click is one payment: the second waits for the first.
    const { lines, claimedAmount, useCredit } = checkout
    const bodyHash = bodyHashOf({ lines, claimedAmount, useCredit })
    const key = `${checkout.userId}/${checkout.idempotencyKey ?? ''}/${bodyHash}`
    const earlier = running.get(key)
    if (earlier) return earlier
    const attemptId = attemptIdFor(checkout.userId, checkout.idempotencyKey)
    const started = start(needs, provider, { ...checkout, attemptId, bodyHash })
    running.set(key, started)
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
  if (known.state.status !== 'none') {
    // Asked again because the first answer was lost, perhaps with the process: the views may not have heard of it yet.
    if (known.position !== null) await needs.waitForViews(known.position)
    return startedPayment(provider, known.state)
  }
  const open = await openPayment(needs, checkout)
  if (open) return startedPayment(provider, open)
  const begun = await begin(needs, checkout)
  const { attempt, position } = await issueToken(needs, provider)(begun, checkout)
  if (position !== null) await needs.waitForViews(position)
  return startedPayment(provider, attempt)
}

/** What an attempt that has its token answers; one that has none and was given up failed. */
const startedPayment = (
  provider: CardProvider,
  { token, checkout, status }: StartedAttempt,
): StartedPayment => {
  if (!token) throw refusal(status === 'draft' ? 'payment_in_progress' : 'payment_failed')
  return {
    token: token.token,
    companyRef: checkout.companyRef ?? '',
    paymentUrl: provider.paymentPageUrl(token.token),
  }
}

/** The user's payment of the very same cart that may still be paid. */
const openPayment = async (
  { eventStore, now, openAttempts }: CardCheckoutNeeds,
  { userId, bodyHash }: Begin,
): Promise<StartedAttempt | null> => {
  for (const { id } of (await openAttempts(userId)).filter((row) => row.bodyHash === bodyHash)) {
    const { state } = await loadStream(eventStore, paymentAttempt, id)
    if (state.status === 'none' || !isAwaited(state) || !state.token) continue
    if (Date.parse(state.token.limitAt) > now().getTime()) return state
  }
  return null
}

const begin = async (needs: CardCheckoutNeeds, checkout: Begin): Promise<StartedAttempt> => {
  const { eventStore, now } = needs
  const { attemptId, bodyHash, userId, by } = checkout
  const { attempt } = await handleCommand({ eventStore, now }, by, async (at) => {
    const cart = await checkedAfterSuperseding(needs, checkout, at)
    if (toPayFor(cart.lines) === 0) throw refusal('credit_covers')
    await refuseTooManyUnpaid(needs, userId, cart.lines)
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const companyRef = (needs.referenceOf ?? companyRefOf)(attemptId)
    const begun = { attemptId, kind: 'card' as const, userId, lines: cart.lines, companyRef, bodyHash }
    const events = decideCheckout({ kind: 'start', checkout: begun, now: at }, loaded.state)
    const minutes = limitMinutesOf(needs, cart.lines, at) + needs.graceMinutes
    const until = new Date(at.getTime() + minutes * 60_000)
    const started = { loaded, events, idSeed: `${attemptId}/started/${bodyHash}` }
    const attempt = advanced(paymentAttempt, loaded, events).state as StartedAttempt
    const credit = await attemptCredit(needs, attempt)
    const held = credit.follow(attempt, at)
    // The balance is another one than it was read with: a repeat of this step sees it as it is.
    if (credit.lacking().size > 0) throw new WrongExpectedRevision(loaded.stream, loaded.revision)
    // The attempt first: days that are held without it come free by themselves.
    return { changes: [started, ...held, ...cart.meals.reserve(until, at)], attempt }
  })
  return attempt
}

// Without the letters that look like digits or like one another (Crockford's base 32).
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** How provider and parent call an attempt: `LP-` and ten signs that follow from its id. */
const companyRefOf = (attemptId: string): string => {
  const bytes = createHash('sha256').update(`reference of ${attemptId}`).digest().subarray(0, 10)
  return `LP-${[...bytes].map((byte) => alphabet[byte % 32]).join('')}`
}

/** The cart as checked, once the parent's own earlier payments are out of its way. */
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

// A claim in kwacha may be 0.01 off; the rest is what floating point adds to that.
const toleranceNgwee = 1.000_001

const refuseOtherAmount = (lines: readonly MealLine[], claimedKwacha: number): void => {
  const total = lines.reduce((sum, { price }) => sum + price, 0)
  if (total === 0) throw refusal('nothing_to_pay')
  if (!(Math.abs(claimedKwacha * 100 - total) <= toleranceNgwee)) throw refusal('amount_mismatch')
}
