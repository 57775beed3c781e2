import type { Position } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { LoadedAttempt } from '../attempt/attempts.commands'
import type { Author } from '../checkout/complete-checkout.commands'
import { fulfilAttempt } from './fulfil.commands'
import type { FulfilNeeds } from './fulfil.commands'
import { isAwaited } from '../attempt/money.decide'
import type { SignalSource } from '../attempt/money.decide'
import { isGivenUp, isMoneyOurs } from '../attempt/payment-attempt'
import type { Standing } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'
import { verdictFor } from '../providers/match'
import type { Verdict } from '../providers/match'
import { schoolCurrency } from '../providers/provider'
import type { CardProvider } from '../providers/provider'
import { refusal } from '../refusals'

export type SettleNeeds = FulfilNeeds & {
  /** Null: card payments are off, and nothing new is learned about earlier ones. */
  provider: CardProvider | null
}

/** Who or what gave a reason to look, and what a browser claimed (never believed). */
export type Reason = { source: SignalSource; claim?: string | null }

/** An attempt that has been looked at; `verdict` is null when there was nothing to ask. */
export type Settled = { attempt: Standing; position: Position | null; verdict: Verdict | null }

export type VerifyAndSettle = (attemptId: string, reason: Reason, by: Omit<Author, 'at'>) => Promise<Settled>

const joinMs = 5_000

/**
 * The only way in which a card payment is settled: asks the provider, outside of any append, records what it says, and
 * makes the orders of what is paid. Any number at once settle once: whoever appends first wins, the others answer from
 * the new state, and one process has at most one question per attempt on its way. Throws `attempt_not_found`.
 */
export const verifyAndSettle = (needs: SettleNeeds): VerifyAndSettle => {
  const flights = new Map<string, Promise<Settled>>()
  return async (attemptId, reason, by) => {
    const flight = flights.get(attemptId)
    if (flight) return joined(needs, flight, attemptId)
    const started = settle(needs, attemptId, reason, by).finally(() => flights.delete(attemptId))
    flights.set(attemptId, started)
    return started
  }
}

const joined = async (needs: SettleNeeds, flight: Promise<Settled>, attemptId: string): Promise<Settled> => {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), joinMs)
  })
  const settled = await Promise.race([flight, patience]).finally(() => clearTimeout(timer))
  return settled ?? { ...(await standingAttempt(needs, attemptId)), verdict: null }
}

const standingAttempt = async ({ eventStore }: Pick<SettleNeeds, 'eventStore'>, attemptId: string) => {
  const loaded = await loadAttempt(eventStore, attemptId)
  if (loaded.attempt.status === 'none') throw refusal('attempt_not_found')
  return { ...loaded, attempt: loaded.attempt }
}

const settle = async (
  needs: SettleNeeds,
  attemptId: string,
  reason: Reason,
  by: Omit<Author, 'at'>,
): Promise<Settled> => {
  const { attempt } = await standingAttempt(needs, attemptId)
  const verdict = await verdictOf(needs, attempt)
  const found = await retryOnConflict(() => recordFinding(needs, attemptId, reason, verdict, by))
  alarm(needs, found.attempt, verdict)
  if (found.attempt.status !== 'paid') return { ...found, verdict }
  try {
    const fulfilled = await fulfilAttempt(needs)(attemptId, by)
    if (fulfilled.attempt.status !== 'none') return { ...fulfilled, attempt: fulfilled.attempt, verdict }
  } catch {
    // It is paid, that is recorded, and the worker goes on with the orders.
  }
  return { ...found, verdict }
}

/** Money that is ours already is not asked about again. */
const verdictOf = async ({ provider }: SettleNeeds, attempt: Standing): Promise<Verdict | null> => {
  const { token, checkout } = attempt
  if (!token || !provider || isMoneyOurs(attempt)) return null
  return verdictFor(await provider.verify(token.token, { acknowledge: false }), {
    amount: checkout.total,
    currency: schoolCurrency,
    reference: checkout.companyRef ?? '',
  })
}

const recordFinding = async (
  needs: SettleNeeds,
  attemptId: string,
  { source, claim = null }: Reason,
  verdict: Verdict | null,
  by: Omit<Author, 'at'>,
): Promise<{ attempt: Standing; position: Position | null }> => {
  const author = { ...by, at: needs.now() }
  const loaded = await standingAttempt(needs, attemptId)
  const signals = paymentAttempt.decide({ kind: 'signal', source, claim, now: author.at }, loaded.attempt)
  const signalled = advanced(loaded, signals)
  const found = verdict
    ? paymentAttempt.decide({ kind: 'record-verdict', verdict, now: author.at }, signalled.attempt)
    : []
  const events = [...signals, ...found]
  if (events.length === 0) return loaded
  const attempt = advanced(loaded, events).attempt as Standing
  const released = await releasedDays(needs, loaded, attempt, author)
  const position = await needs.eventStore.append([...attemptAppend(loaded, events, author), ...released])
  return { attempt, position }
}

/** The days of an attempt that is given up now; where a crash loses this, they come free when their time is over. */
export const releasedDays = async (
  { mealsOf }: Pick<SettleNeeds, 'mealsOf'>,
  before: LoadedAttempt,
  after: Standing,
  author: Author,
) => {
  const wasHeld = isAwaited(before.attempt) || before.attempt.status === 'draft'
  return wasHeld && isGivenUp(after) ? (await mealsOf(after.checkout)).release(author) : []
}

/** What a person has to look at. */
const alarm = ({ log }: SettleNeeds, { checkout, status }: Standing, verdict: Verdict | null) => {
  const about = { attemptId: checkout.attemptId, reference: checkout.companyRef, status }
  if (verdict?.kind === 'config')
    log.error({ ...about, code: verdict.code }, 'the card provider refuses our credentials or request')
  if (verdict?.kind === 'mismatch')
    log.error(
      { ...about, differences: verdict.differences },
      'a card payment does not match what was asked for',
    )
  if (verdict?.kind === 'pending' && verdict.unusual)
    log.warn({ ...about, code: verdict.code }, 'an unusual answer of the card provider')
}
