import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { Author } from '../checkout/complete-checkout.commands'
import { isAwaited } from '../attempt/money.decide'
import type { Standing } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'
import { refusal } from '../refusals'
import { releasedDays } from '../settlement/verify-and-settle.commands'
import type { SettleNeeds, Settled, VerifyAndSettle } from '../settlement/verify-and-settle.commands'

export type ClaimNeeds = SettleNeeds & {
  settle: VerifyAndSettle
  /** The items that exist, with whether they can be had now. */
  itemStates: (
    ids: readonly number[],
  ) => Promise<ReadonlyMap<number, { name: string; isAvailable: boolean; isArchived: boolean }>>
}

type By = Omit<Author, 'at'>

/**
 * The browser, about to leave for the provider's page: the last moment at which a meal that was withdrawn since can stop
 * the payment. Then its token is cancelled (E9) and `items_unavailable` names the meals.
 */
export const confirmItems =
  (needs: ClaimNeeds) =>
  async (attempt: Standing, by: By): Promise<void> => {
    if (!isAwaited(attempt)) return
    const names = await withdrawnItems(needs, attempt)
    const isAny = Object.values(names).some(({ length }) => length > 0)
    if (isAny && (await cancelPayment(needs, attempt, 'Items no longer available', by)))
      throw refusal('items_unavailable', { extra: names })
  }

const withdrawnItems = async ({ itemStates }: ClaimNeeds, { checkout }: Standing) => {
  const items = new Map(checkout.lines.map(({ item }) => [item.id, item.name]))
  const states = await itemStates([...items.keys()])
  const named = (is: (id: number) => boolean) => [...items].flatMap(([id, name]) => (is(id) ? [name] : []))
  return {
    archivedItems: named((id) => states.get(id)?.isArchived === true),
    unavailableItems: named((id) => states.get(id)?.isArchived === false && !states.get(id)?.isAvailable),
    missingItems: named((id) => !states.has(id)),
  }
}

const claims = ['verified', 'completed', 'failed', 'cancelled'] as const

/**
 * A browser's opinion of its payment: a reason to look and nothing more. When it came back from the provider's page by
 * "back", an unpaid token is cancelled (payments.md section 7).
 */
export const heedAdvice =
  (needs: ClaimNeeds) =>
  async (attemptId: string, status: string | null, by: By): Promise<Settled> => {
    const claim = claims.find((known) => known === status?.toLowerCase()) ?? 'other'
    const source = claim === 'cancelled' ? 'back' : 'advice'
    const settled = await needs.settle(attemptId, { source, claim }, by)
    const { verdict, attempt } = settled
    const isUnpaid = verdict?.kind === 'pending' && verdict.code === '900'
    if (claim !== 'cancelled' || !isUnpaid || !isAwaited(attempt)) return settled
    const cancelled = await cancelPayment(needs, attempt, 'The customer went back', by)
    return cancelled ? { ...settled, ...cancelled } : settled
  }

/** Cancels the token at the provider and then the attempt (E9); null when the provider does not, and nothing changes. */
const cancelPayment = async (needs: ClaimNeeds, { checkout, token }: Standing, why: string, by: By) => {
  const answer = token && (await needs.provider?.cancel(token.token))
  if (answer?.kind !== 'cancelled') return null
  const verdict = { kind: 'cancelled', code: '904', explanation: why } as const
  return retryOnConflict(async () => {
    const author = { ...by, at: needs.now() }
    const loaded = await loadAttempt(needs.eventStore, checkout.attemptId)
    const events = paymentAttempt.decide({ kind: 'record-verdict', verdict, now: author.at }, loaded.attempt)
    const attempt = advanced(loaded, events).attempt as Standing
    const released = await releasedDays(needs, loaded, attempt, author)
    const position = await needs.eventStore.append([...attemptAppend(loaded, events, author), ...released])
    return { attempt, position }
  })
}
