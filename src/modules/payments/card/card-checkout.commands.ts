import type { CartLine, LineRefusal } from '#contracts/ordering'
import { type MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { schoolMoment } from '#kernel/school-time'
import type { Position } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { LoadedAttempt } from '../attempt/attempts.commands'
import { attemptIdFor, bodyHashOf, companyRefOf } from '../checkout/checkout-key.commands'
import type { Author, CheckoutMeals } from '../checkout/complete-checkout.commands'
import { issueToken } from './issue-token.commands'
import type { Customer } from './issue-token.commands'
import { isAwaited } from '../attempt/money.decide'
import type { Standing } from '../attempt/payment-attempt'
import { paymentAttempt, refuseOtherBody } from '../attempt/payment-attempt.decide'
import type { CardProvider } from '../providers/provider'
import { refusal } from '../refusals'
import { supersedeOverlapping } from './supersede.commands'
import type { SupersedeNeeds } from './supersede.commands'
import { limitMinutesFor } from '../settlement/sweep-schedule'

export type CardCheckoutNeeds = SupersedeNeeds & {
  /** Checks and prices a cart; throws `lines_refused`. Days held by this very attempt count as free. */
  checkCart: (
    buyer: { userId: number; attemptId: string },
    lines: readonly CartLine[],
    at: Date,
  ) => Promise<{ lines: MealLine[]; meals: CheckoutMeals }>
  waitForViews: (position: Position) => Promise<void>
  /** Alternative payments are on, and card payments therefore off. */
  isBypassed: () => Promise<boolean>
  /** The school's time zone. */
  zone: string
}

export type CardCheckout = {
  userId: number
  customer: Customer
  lines: readonly CartLine[]
  /** What the browser thinks it costs, in kwacha. */
  claimedAmount: number
  idempotencyKey: string | null
  /** The address at which this user has the service, without a slash at its end. */
  site: string
  by: Omit<Author, 'at'>
}

export type StartedPayment = { token: string; companyRef: string; paymentUrl: string }

/**
 * Begins a card payment and answers where to pay (E1 to E3, E12). The same user with the same cart and an open token
 * gets the same answer again. Throws `payment_bypass`, `card_payments_off`, `email_required`, `lines_refused`,
 * `nothing_to_pay`, `amount_mismatch`, `payment_in_progress`, `payment_failed`, `payments_unavailable` and
 * `idempotency_key_reused`.
 */
export const startCardPayment = (needs: CardCheckoutNeeds) => {
  const flights = new Map<string, Promise<StartedPayment>>()
  return async (checkout: CardCheckout): Promise<StartedPayment> => {
    if (await needs.isBypassed()) throw refusal('payment_bypass')
    const { provider } = needs
    if (!provider) throw refusal('card_payments_off')
    if (!checkout.customer.email) throw refusal('email_required')
    // A double click is one payment: the second waits for the first.
    const key = `${checkout.userId}/${checkout.idempotencyKey ?? ''}/${bodyHashOf(checkout.lines)}`
    const flight = flights.get(key)
    if (flight) return flight
    const started = start(needs, provider, checkout).finally(() => flights.delete(key))
    flights.set(key, started)
    return started
  }
}

const start = async (
  needs: CardCheckoutNeeds,
  provider: CardProvider,
  checkout: CardCheckout,
): Promise<StartedPayment> => {
  const attemptId = attemptIdFor(checkout.userId, checkout.idempotencyKey)
  const bodyHash = bodyHashOf(checkout.lines)
  const known = await loadAttempt(needs.eventStore, attemptId)
  refuseOtherBody(known.attempt, bodyHash)
  if (known.attempt.status !== 'none') {
    // Asked again because the first answer was lost, perhaps with the process: the views may not have heard of it yet.
    if (known.position !== null) await needs.waitForViews(known.position)
    return sameAgain(provider, known.attempt)
  }
  const open = await openPayment(needs, checkout.userId, bodyHash)
  if (open) return sameAgain(provider, open)
  const begun = await begin(needs, checkout, attemptId, bodyHash)
  const { attempt, position } = await issueToken(needs, provider)(begun, checkout)
  await needs.waitForViews(position)
  return sameAgain(provider, attempt)
}

/** What an attempt that has its token answers; one that has none and was given up failed. */
const sameAgain = (provider: CardProvider, { token, checkout, status }: Standing): StartedPayment => {
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
  userId: number,
  bodyHash: string,
): Promise<Standing | null> => {
  for (const { id } of (await openAttempts(userId)).filter((row) => row.bodyHash === bodyHash)) {
    const { attempt } = await loadAttempt(eventStore, id)
    if (attempt.status === 'none' || !isAwaited(attempt) || !attempt.token) continue
    if (Date.parse(attempt.token.limitAt) > now().getTime()) return attempt
  }
  return null
}

const begin = (
  needs: CardCheckoutNeeds,
  checkout: CardCheckout,
  attemptId: string,
  bodyHash: string,
): Promise<LoadedAttempt> =>
  retryOnConflict(async () => {
    const at = needs.now()
    const author = { ...checkout.by, at }
    const { userId } = checkout
    const cart = await checkedAfterSuperseding(needs, checkout, attemptId, author)
    const fresh = await loadAttempt(needs.eventStore, attemptId)
    const companyRef = (needs.referenceOf ?? companyRefOf)(attemptId)
    const begun = { attemptId, kind: 'card' as const, userId, lines: cart.lines, companyRef, bodyHash }
    const events = paymentAttempt.decide({ kind: 'start', checkout: begun, now: at }, fresh.attempt)
    const limit = limitMinutesFor(cart.lines, at, schoolMoment(at, needs.zone).date)
    const until = new Date(at.getTime() + (limit + needs.graceMinutes) * 60_000)
    const started = attemptAppend(fresh, events, { ...author, idSeed: `${attemptId}/started/${bodyHash}` })
    // The attempt first: days that are held without it come free by themselves.
    const position = await needs.eventStore.append([...started, ...cart.meals.reserve(until, author)])
    return { ...advanced(fresh, events), position }
  })

/** The cart as checked, once the parent's own earlier payments are out of its way. */
const checkedAfterSuperseding = async (
  needs: CardCheckoutNeeds,
  { userId, lines, claimedAmount, by }: CardCheckout,
  attemptId: string,
  { at }: Author,
) => {
  const check = async () => {
    const cart = await needs.checkCart({ userId, attemptId }, lines, at)
    refuseOtherAmount(cart.lines, claimedAmount)
    return cart
  }
  const cart = await check().catch((refused: unknown) => {
    if (!isOnlyReserved(refused)) throw refused
    return null
  })
  const hasRoom = await supersedeOverlapping(needs)({ userId, lines, attemptId, by })
  return cart && hasRoom === 'untouched' ? cart : check()
}

const isOnlyReserved = (refused: unknown): boolean => {
  if (!(refused instanceof Refusal) || refused.code !== 'lines_refused') return false
  const lines = refused.extra.lines as { code: LineRefusal }[]
  return lines.every(({ code }) => code === 'day_reserved')
}

// A claim in kwacha may be 0.01 off; the rest is what floating point adds to that.
const toleranceNgwee = 1.000_001

const refuseOtherAmount = (lines: readonly MealLine[], claimedKwacha: number): void => {
  const total = lines.reduce((sum, { price }) => sum + price, 0)
  if (total === 0) throw refusal('nothing_to_pay')
  if (!(Math.abs(claimedKwacha * 100 - total) <= toleranceNgwee)) throw refusal('amount_mismatch')
}
