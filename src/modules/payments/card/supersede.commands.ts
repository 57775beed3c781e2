import type { CartLine } from '#contracts/ordering'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { Author } from '../checkout/complete-checkout.commands'
import { isAwaited } from '../attempt/money.decide'
import { isMoneyOurs } from '../attempt/payment-attempt'
import type { Standing } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'
import { refusal } from '../refusals'
import { releasedDays } from '../settlement/verify-and-settle.commands'
import type { SettleNeeds, VerifyAndSettle } from '../settlement/verify-and-settle.commands'

export type SupersedeNeeds = SettleNeeds & {
  /** A user's payments whose token may still be paid, as the view knows them. */
  openAttempts: (userId: number) => Promise<{ id: string; bodyHash: string }[]>
  settle: VerifyAndSettle
  /** How an attempt is called at the provider; by default a short text made of its id. */
  referenceOf?: (attemptId: string) => string
}

type NewCheckout = {
  userId: number
  lines: readonly CartLine[]
  attemptId: string
  by: Omit<Author, 'at'>
}

/**
 * A parent who checks out again gives up their earlier payment of the same days (E12): only when the provider says that
 * it is not paid and cancels its token. Throws `payment_in_progress` when that cannot be had.
 */
export const supersedeOverlapping =
  (needs: SupersedeNeeds) =>
  async (checkout: NewCheckout): Promise<'untouched' | 'superseded'> => {
    let result: 'untouched' | 'superseded' = 'untouched'
    for (const { id } of await needs.openAttempts(checkout.userId)) {
      const { attempt } = await loadAttempt(needs.eventStore, id)
      if (id === checkout.attemptId || attempt.status === 'none' || !overlaps(attempt, checkout.lines))
        continue
      await giveUp(needs, id, checkout)
      result = 'superseded'
    }
    return result
  }

const dayOf = (studentId: number, week: number, day: number) => `${studentId}.${week}.${day}`

const overlaps = ({ checkout }: Standing, lines: readonly CartLine[]): boolean => {
  const days = new Set(lines.map((line) => dayOf(line.studentId, line.weekNumber, line.dayOfWeek)))
  return checkout.lines.some(({ slot }) => days.has(dayOf(slot.studentId, slot.week, slot.day)))
}

const giveUp = async (needs: SupersedeNeeds, id: string, { attemptId, by }: NewCheckout): Promise<void> => {
  const { attempt, verdict } = await needs.settle(id, { source: 'checkout' }, by)
  // Paid after all: its meals are orders, or a person is at it; the cart's check says so.
  if (isMoneyOurs(attempt)) return
  if (attempt.status === 'cancelled' || attempt.status === 'expired') return
  const isUnpaid = verdict?.kind === 'declined' || (verdict?.kind === 'pending' && verdict.code === '900')
  if (!isUnpaid || !attempt.token || !needs.provider) throw refusal('payment_in_progress')
  const answer = await needs.provider.cancel(attempt.token.token)
  // A declined one holds no day any more; cancelling it only keeps a second card from being tried.
  if (answer.kind !== 'cancelled' && isAwaited(attempt)) throw refusal('payment_in_progress')
  await retryOnConflict(async () => {
    const loaded = await loadAttempt(needs.eventStore, id)
    const author = { ...by, at: needs.now() }
    const command = { kind: 'supersede', by: attemptId, now: author.at } as const
    const events = paymentAttempt.decide(command, loaded.attempt)
    const after = advanced(loaded, events).attempt as Standing
    const released = await releasedDays(needs, loaded, after, author)
    await needs.eventStore.append([...attemptAppend(loaded, events, author), ...released])
  })
}
