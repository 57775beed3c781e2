import type { CartLine, LineRefusal } from '#contracts/ordering'
import { lunchId, type Lunch } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { loadStream, type By } from '#platform/event-store/command-handler'
import { changeAttempt } from '../attempt/change-attempt.commands'
import { paymentAttempt } from '../attempt/fold'
import { decidePayment } from '../attempt/payment.decide'
import { isAwaited, isMoneyOurs, type StartedAttempt } from '../attempt/payment-attempt'
import { type PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'
import { type Settled, type VerifyAndSettle } from '../settlement/settle.commands'

export type CancelNeeds = PaymentsNeeds & {
  settle: VerifyAndSettle
}

export type SupersedeNeeds = CancelNeeds & {
  /** Payable tokens, by the view. */
  openAttempts: (userId: number) => Promise<{ id: string; bodyHash: string }[]>
}

type NewCheckout = { attemptId: string; lunches: readonly Lunch[]; by: By }

/**
 * Checks a cart after giving up the buyer's overlapping card payments (E12), which needs the provider to say unpaid and cancel their
 * tokens. Throws `payment_in_progress` otherwise.
 */
export const checkAfterSuperseding = async <Cart>(
  needs: SupersedeNeeds,
  check: () => Promise<Cart>,
  checkout: { attemptId: string; userId: number; lines: readonly CartLine[]; by: By },
): Promise<Cart> => {
  const cart = await check().catch((refused: unknown) => {
    if (!isOnlyReserved(refused)) throw refused
    return null
  })
  const earlier = (await needs.openAttempts(checkout.userId)).map(({ id }) => id)
  const lunches = await needs.ordering.lunchesOf(checkout.lines)
  const superseded = await supersedeOverlapping(needs)(earlier, { ...checkout, lunches })
  return cart && !superseded ? cart : check()
}

const isOnlyReserved = (refused: unknown): boolean => {
  if (!(refused instanceof Refusal) || refused.code !== 'lines_refused') return false
  const lines = refused.extra.lines as { code: LineRefusal }[]
  return lines.every(({ code }) => code === 'day_reserved')
}

const supersedeOverlapping =
  (needs: CancelNeeds) =>
  async (earlier: readonly string[], checkout: NewCheckout): Promise<boolean> => {
    let superseded = false
    for (const id of earlier) {
      const { state } = await loadStream(needs.eventStore, paymentAttempt, id)
      if (id === checkout.attemptId || state.status === 'none' || !overlaps(state, checkout)) continue
      await supersede(needs, id, checkout)
      superseded = true
    }
    return superseded
  }

const overlaps = ({ checkout }: StartedAttempt, { lunches }: NewCheckout): boolean => {
  const wanted = new Set(lunches.map(lunchId))
  return checkout.lines.some((line) => wanted.has(lunchId(lunchOf(line))))
}

const supersede = async (needs: CancelNeeds, id: string, { attemptId, by }: NewCheckout): Promise<void> => {
  const { attempt, verdict } = await needs.settle(id, { source: 'checkout' }, by)
  // Paid after all: the cart's check reports its meals.
  if (isMoneyOurs(attempt)) return
  if (attempt.status === 'cancelled' || attempt.status === 'expired') return
  const isUnpaid = verdict?.kind === 'declined' || (verdict?.kind === 'pending' && verdict.code === '900')
  if (!isUnpaid || !attempt.token || !needs.provider) throw refusal('payment_in_progress')
  const answer = await needs.provider.cancel(attempt.token.token)
  // A declined token holds no day; cancelling only prevents a second card.
  if (answer.kind !== 'cancelled' && isAwaited(attempt)) throw refusal('payment_in_progress')
  await changeAttempt(needs, id, by, (earlier, now) =>
    decidePayment({ kind: 'supersede', by: attemptId, now }, earlier),
  )
}

/** Last check before the provider's page: cancels the token (E9) and throws `items_unavailable` for meals withdrawn since. */
export const confirmItems =
  (needs: CancelNeeds & PaymentsNeeds) =>
  async (attempt: StartedAttempt, by: By): Promise<void> => {
    if (!isAwaited(attempt)) return
    const names = await withdrawnItems(needs, attempt)
    const isAny = Object.values(names).some(({ length }) => length > 0)
    if (isAny && (await cancelPayment(needs, attempt, 'Items no longer available', by)))
      throw refusal('items_unavailable', { extra: names })
  }

const withdrawnItems = async ({ catalogue }: PaymentsNeeds, { checkout }: StartedAttempt) => {
  const items = new Map(checkout.lines.map(({ item }) => [item.id, item.name]))
  const states = await catalogue.itemsByIds([...items.keys()])
  const named = (is: (id: number) => boolean) => [...items].flatMap(([id, name]) => (is(id) ? [name] : []))
  return {
    archivedItems: named((id) => states.get(id)?.isArchived === true),
    unavailableItems: named((id) => states.get(id)?.isArchived === false && !states.get(id)?.isAvailable),
    missingItems: named((id) => !states.has(id)),
  }
}

const claims = ['verified', 'completed', 'failed', 'cancelled'] as const

/** A browser's claim triggers a check. Coming back by "back" cancels an unpaid token (payments.md section 7). */
export const recordBrowserClaim =
  (needs: CancelNeeds) =>
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

/** Cancels token and attempt (E9); null if the provider does not, without change. */
const cancelPayment = async (
  needs: CancelNeeds,
  { checkout, token }: StartedAttempt,
  why: string,
  by: By,
) => {
  const answer = token && (await needs.provider?.cancel(token.token))
  if (answer?.kind !== 'cancelled') return null
  const verdict = { kind: 'cancelled', code: '904', explanation: why } as const
  return changeAttempt(needs, checkout.attemptId, by, (attempt, now) =>
    decidePayment({ kind: 'record-verdict', verdict, now }, attempt),
  )
}
