import { type MealLine } from '#kernel/meal-line'
import type { Position } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { LoadedAttempt } from '../attempt/attempts.commands'
import type { Author } from '../checkout/complete-checkout.commands'
import { fulfilAttempt } from '../settlement/fulfil.commands'
import { isMoneyOurs, unresolvedLines } from '../attempt/payment-attempt'
import type { Standing } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'
import type { AttemptCommand } from '../attempt/payment-attempt.decide'
import type { Verdict } from '../providers/match'
import { refusal } from '../refusals'
import { releasedDays } from '../settlement/verify-and-settle.commands'
import type { SettleNeeds, VerifyAndSettle } from '../settlement/verify-and-settle.commands'

/** What shall be cooked instead of a line, by the line's index. */
export type Amendment = {
  index: number
  to: {
    menuItemId: number
    studentId: number
    weekNumber: number
    dayOfWeek: number
    category?: string | null | undefined
    sideDish?: string | null | undefined
    comments?: string | null | undefined
  }
}

export type RecoveryNeeds = SettleNeeds & {
  settle: VerifyAndSettle
  waitForViews: (position: Position) => Promise<void>
  /** Checks amended lines as a cart and prices them as of today; throws `lines_refused`. */
  amendedLines: (
    paid: { userId: number; attemptId: string; lines: readonly MealLine[] },
    amendments: readonly Amendment[],
    at: Date,
  ) => Promise<MealLine[]>
}

type By = Omit<Author, 'at'>
/** `verdict` is what the provider said, where it was asked. */
type Recovered = { attempt: Standing; position: Position | null; verdict?: Verdict | null }

/**
 * Tries again to make orders of what was paid (E17); what was not known to be paid is asked for first. Throws
 * `recovery_in_progress`, `nothing_to_recover`, `line_not_amendable`, `price_above_paid` and `lines_refused`.
 */
export const retryAttempt =
  (needs: RecoveryNeeds) =>
  async (id: string, amendments: readonly Amendment[], by: By): Promise<Recovered> => {
    const started = await retryOnConflict(async () => {
      const at = needs.now()
      const loaded = await loadAttempt(needs.eventStore, id)
      const amended = await amendedOf(needs, loaded, amendments, at)
      return append(needs, loaded, { kind: 'start-recovery', amended, now: at }, by)
    })
    if (isMoneyOurs(started.attempt)) return fulfilled(needs, id, by)
    if (started.attempt.token) return needs.settle(id, { source: 'administrator' }, by)
    return apply(needs, id, { kind: 'end-recovery', why: 'not-paid', now: needs.now() }, by)
  }

/** The amended lines at the price that was paid; a line that already is an order in its slot stays as it is. */
const amendedOf = async (
  { amendedLines, mealsOf }: RecoveryNeeds,
  { attempt }: LoadedAttempt,
  amendments: readonly Amendment[],
  at: Date,
): Promise<MealLine[]> => {
  if (attempt.status === 'none' || amendments.length === 0) return []
  const { attemptId, userId, lines: all } = attempt.checkout
  const had = new Set((await mealsOf(attempt.checkout)).orders().map(({ index }) => index))
  const waiting = unresolvedLines(attempt).filter(({ index }) => !had.has(index))
  const paid = new Map(waiting.map((line) => [line.index, line]))
  const wanted = amendments.filter(({ index, to }) => isOther(all[index], to))
  if (wanted.some(({ index }) => !paid.has(index))) throw refusal('line_not_amendable')
  if (wanted.length === 0) return []
  const amended = await amendedLines({ attemptId, userId, lines: all }, wanted, at)
  return amended.map((line) => {
    const { price, originalPrice, discountPercentage } = paid.get(line.index)!
    if (line.price > price) throw refusal('price_above_paid')
    return { ...line, price, originalPrice, discountPercentage }
  })
}

const isOther = (line: MealLine | undefined, to: Amendment['to']): boolean =>
  !line ||
  line.item.id !== to.menuItemId ||
  line.slot.studentId !== to.studentId ||
  line.slot.week !== to.weekNumber ||
  line.slot.day !== to.dayOfWeek ||
  line.category !== (to.category || null) ||
  line.sideDish !== (to.sideDish || null) ||
  (to.comments !== undefined && line.comments !== (to.comments ?? ''))

/** A person judges a mismatch fine (E19): its orders are made. Throws `nothing_to_accept`. */
export const acceptMismatch =
  (needs: RecoveryNeeds) =>
  async (id: string, reason: string, by: By): Promise<Recovered> => {
    await apply(needs, id, { kind: 'accept', reason, now: needs.now() }, by)
    return fulfilled(needs, id, by)
  }

/**
 * A person gives up on the unresolved lines (E20): they are owed back. What is an order already, because a crash came
 * before we knew, is found first and stays one. Throws `nothing_to_waive`.
 */
export const waiveRemainder =
  (needs: RecoveryNeeds) =>
  (id: string, reason: string, by: By): Promise<Recovered> =>
    retryOnConflict(async () => {
      const author = { ...by, at: needs.now() }
      const loaded = await loadAttempt(needs.eventStore, id)
      if (loaded.attempt.status === 'none') throw refusal('attempt_not_found')
      const meals = await needs.mealsOf(loaded.attempt.checkout)
      const waiting = new Set(unresolvedLines(loaded.attempt).map(({ index }) => index))
      if (meals.orders().some(({ index }) => waiting.has(index))) throw refusal('orders_found')
      const events = paymentAttempt.decide({ kind: 'waive', reason, now: author.at }, loaded.attempt)
      const appends = [...attemptAppend(loaded, events, author), ...meals.release(author)]
      const position = appends.length > 0 ? await needs.eventStore.append(appends) : loaded.position
      return { attempt: advanced(loaded, events).attempt as Standing, position }
    })

/**
 * An administrator gives up an attempt that is being processed (E13), after asking the provider: what is paid after all
 * is fulfilled and refused with `attempt_paid`. Throws `not_processing`.
 */
export const abandonAttempt =
  (needs: RecoveryNeeds) =>
  async (id: string, by: By): Promise<Recovered> => {
    const before = await loadAttempt(needs.eventStore, id)
    if (before.attempt.status === 'initiated') throw refusal('not_processing')
    const { attempt, position } = await needs.settle(id, { source: 'administrator' }, by)
    // Whoever is refused here looks at the orders next.
    if (attempt.status === 'fulfilled' && position !== null) await needs.waitForViews(position)
    const isOpen = attempt.status === 'processing'
    const cancelled = isOpen && attempt.token ? await needs.provider?.cancel(attempt.token.token) : undefined
    const tokenCancelled = cancelled?.kind === 'cancelled'
    return apply(needs, id, { kind: 'abandon', tokenCancelled, now: needs.now() }, by)
  }

/** Puts a recovery whose process is gone back to where it began (E18). */
export const endLostRecovery =
  (needs: RecoveryNeeds) =>
  (id: string, by: By): Promise<Recovered> =>
    apply(needs, id, { kind: 'end-recovery', why: 'lease-lost', now: needs.now() }, by)

const fulfilled = async (needs: RecoveryNeeds, id: string, by: By): Promise<Recovered> => {
  const { attempt, position } = await fulfilAttempt(needs)(id, by)
  return { attempt: attempt as Standing, position }
}

const apply = (needs: RecoveryNeeds, id: string, command: AttemptCommand, by: By): Promise<Recovered> =>
  retryOnConflict(async () => append(needs, await loadAttempt(needs.eventStore, id), command, by))

const append = async (
  needs: RecoveryNeeds,
  loaded: LoadedAttempt,
  command: AttemptCommand,
  by: By,
): Promise<Recovered> => {
  const author = { ...by, at: command.now }
  const events = paymentAttempt.decide(command, loaded.attempt)
  const attempt = advanced(loaded, events).attempt as Standing
  if (events.length === 0) return { attempt, position: loaded.position }
  const released = await releasedDays(needs, loaded, attempt, author)
  const position = await needs.eventStore.append([...attemptAppend(loaded, events, author), ...released])
  return { attempt, position }
}
