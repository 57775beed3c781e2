import type { ReplyOf } from '#contracts/endpoint'
import type { retryAttempt } from '#contracts/payments-console'
import type { MealLine } from '#kernel/meal-line'
import { ordersOfMeals, releaseMeals, type Amendment } from '#modules/ordering/index'
import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import {
  attemptCredit,
  changeAttempt,
  loadAttempt,
  type AttemptNow,
} from '../attempt/change-attempt.commands'
import { paymentAttempt } from '../attempt/fold'
import { reasonOf, reasonsText, recoveryError, recoveryStatus } from '../attempt/labels'
import { isMoneyOurs, unresolvedLines, type StartedAttempt } from '../attempt/payment-attempt'
import { decidePayment } from '../attempt/payment.decide'
import { decideSettlement } from '../attempt/settlement.decide'
import type { PaymentsNeeds } from '../ports'
import type { Verdict } from '../providers/provider'
import { refusal } from '../refusals'
import { fulfilAttempt, type SettlingNeeds } from './settle.commands'

type Recovered = AttemptNow & { verdict?: Verdict | null }

/** E17. Throws `recovery_in_progress`, `nothing_to_recover`, `line_not_amendable`, `price_above_paid` and `lines_refused`. */
export const retry =
  (needs: SettlingNeeds) =>
  async (id: string, amendments: readonly Amendment[], by: By): Promise<Recovered> => {
    const { attempt: before } = await loadAttempt(needs, id)
    if (before.status === 'processing' || before.status === 'paid') {
      const changed = amendments.filter(({ index, to }) => isOther(before.checkout.lines[index], to))
      if (changed.length > 0) throw refusal('line_not_amendable')
      return needs.settle(id, { source: 'administrator' }, by)
    }
    const started = await changeAttempt(needs, id, by, async (attempt, now) => {
      const amended = await amendedOf(needs, attempt, amendments, now)
      return decideSettlement({ kind: 'start-recovery', amended, now }, attempt)
    })
    if (isMoneyOurs(started.attempt)) return fulfilAttempt(needs)(id, by)
    if (started.attempt.token) return needs.settle(id, { source: 'administrator' }, by)
    return changeAttempt(needs, id, by, (attempt, now) =>
      decideSettlement({ kind: 'end-recovery', why: 'not-paid', now }, attempt),
    )
  }

const amendedOf = async (
  { ordering }: PaymentsNeeds,
  attempt: StartedAttempt,
  amendments: readonly Amendment[],
  at: Date,
): Promise<MealLine[]> => {
  if (amendments.length === 0) return []
  const { attemptId, userId, lines: all } = attempt.checkout
  const ordered = new Set(
    ordersOfMeals(await ordering.mealsOf(attempt.checkout, at)).map(({ index }) => index),
  )
  const waiting = unresolvedLines(attempt).filter(({ index }) => !ordered.has(index))
  const paid = new Map(waiting.map((line) => [line.index, line]))
  const wanted = amendments.filter(({ index, to }) => isOther(all[index], to))
  if (wanted.some(({ index }) => !paid.has(index))) throw refusal('line_not_amendable')
  if (wanted.length === 0) return []
  const amended = await ordering.amendedLines({ attemptId, userId, lines: all }, wanted, at)
  return amended.map((line) => {
    const { price, credit, originalPrice } = paid.get(line.index)!
    if (line.price > price) throw refusal('price_above_paid')
    return { ...line, price, credit, originalPrice }
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

/** Accepts a mismatch (E19). Throws `nothing_to_accept`. */
export const accept =
  (needs: SettlingNeeds) =>
  async (id: string, reason: string, by: By): Promise<Recovered> => {
    await changeAttempt(needs, id, by, (attempt, now) =>
      decideSettlement({ kind: 'accept', reason, now }, attempt),
    )
    return fulfilAttempt(needs)(id, by)
  }

/** Owes unresolved lines back (E20); finds orders unknown after a crash first. Throws `nothing_to_waive`. */
export const waive =
  (needs: PaymentsNeeds) =>
  (id: string, reason: string, by: By): Promise<AttemptNow> =>
    handleCommand(needs, by, async (at) => {
      const { eventStore, ordering } = needs
      const loaded = await loadStream(eventStore, paymentAttempt, id)
      const before = loaded.state
      if (before.status === 'none') throw refusal('attempt_not_found')
      const meals = await ordering.mealsOf(before.checkout, at)
      const waiting = new Set(unresolvedLines(before).map(({ index }) => index))
      if (ordersOfMeals(meals).some(({ index }) => waiting.has(index))) throw refusal('orders_found')
      const events = decideSettlement({ kind: 'waive', reason, now: at }, before)
      const attempt = advanced(paymentAttempt, loaded, events).state as StartedAttempt
      const credit = await attemptCredit(needs, attempt)
      return {
        changes: [{ loaded, events }, ...releaseMeals(meals, at), ...credit.follow(attempt, at)],
        attempt,
      }
    })

/** Asks the provider first (E13): a paid attempt is fulfilled and throws `attempt_paid`. Throws `not_processing`. */
export const abandon =
  (needs: SettlingNeeds) =>
  async (id: string, by: By): Promise<Recovered> => {
    const before = await loadAttempt(needs, id)
    if (before.attempt.status === 'initiated') throw refusal('not_processing')
    const { attempt } = await needs.settle(id, { source: 'administrator' }, by)
    const isOpen = attempt.status === 'processing'
    const cancelled = isOpen && attempt.token ? await needs.provider?.cancel(attempt.token.token) : undefined
    const tokenCancelled = cancelled?.kind === 'cancelled'
    return changeAttempt(needs, id, by, (looked, now) =>
      decidePayment({ kind: 'abandon', tokenCancelled, now }, looked),
    )
  }

/** The process of the recovery has died (E18). */
export const endLostRecovery =
  (needs: PaymentsNeeds) =>
  (id: string, by: By): Promise<AttemptNow> =>
    changeAttempt(needs, id, by, (attempt, now) =>
      decideSettlement({ kind: 'end-recovery', why: 'lease-lost', now }, attempt),
    )

type Wanted = Amendment['to'] & { index?: number | undefined }

/** By index; else by position among all lines if the counts match, or among unresolved ones. Ordered lines are not asked again. */
export const amendmentsOf = (
  attempt: StartedAttempt,
  wanted: readonly Wanted[],
): { index: number; to: Wanted }[] => {
  const waiting = unresolvedLines(attempt).map(({ index }) => index)
  const places =
    wanted.length === attempt.checkout.lines.length ? [...attempt.checkout.lines.keys()] : waiting
  return wanted.flatMap((to, position) => {
    const index = to.index ?? places[position]
    return index !== undefined && attempt.outcomes[index]?.kind !== 'ordered' ? [{ index, to }] : []
  })
}

type RecoveryOutcome = ReplyOf<typeof retryAttempt>

export const recoveryOutcome = (
  attempt: StartedAttempt,
  verdict: Verdict | null = null,
): RecoveryOutcome => ({
  success: attempt.status === 'fulfilled' || attempt.status === 'paid',
  status:
    attempt.status === 'fulfilled'
      ? 'Orders created successfully'
      : (recoveryStatus(attempt) ?? 'Payment verification failed'),
  message: messageOf(attempt, verdict),
})

const orderAgain = 'The parent can order and pay again.'

const messageOf = (attempt: StartedAttempt, verdict: Verdict | null): string => {
  switch (attempt.status) {
    case 'fulfilled':
      return 'Order recovery initiated successfully'
    case 'paid':
      return 'The payment is there, and its orders are being made.'
    case 'blocked':
      return blocked(attempt)
    case 'recovering':
      return 'The card provider has not answered yet. Look again in a minute.'
    case 'review':
      return `${recoveryError(attempt)}. Accept it or give the money back under Order Recovery.`
    case 'create_failed':
      return `The payment was never begun: nothing was paid and nothing ordered. ${orderAgain}`
    case 'processing':
    case 'declined':
      return notPaid(verdict)
    default:
      return recoveryError(attempt) ?? `Nothing was ordered. ${orderAgain}`
  }
}

const blocked = (attempt: StartedAttempt): string => {
  const open = unresolvedLines(attempt).length
  const all = attempt.checkout.lines.length
  const [meals, it] = [all === 1 ? 'meal' : 'meals', open === 1 ? 'it' : 'them']
  const isHeld = unresolvedLines(attempt).every(({ index }) => reasonOf(attempt, index) === 'item_withdrawn')
  const first = isHeld ? `Retry to order ${it} all the same, change ${it},` : `Change ${it} and retry,`
  const why = reasonsText(attempt)
  return `${open} of ${all} ${meals} could not be ordered: ${why}. ${first} or give the money back, under Order Recovery.`
}

const notPaid = (verdict: Verdict | null): string => {
  switch (verdict?.kind) {
    case undefined:
    case 'unreachable':
    case 'config':
      return 'The card provider could not be asked, so nothing was changed. Retry in a few minutes.'
    case 'pending':
      return `The payment is not confirmed, so nothing was ordered. Retry later; if it stays so, the parent can order and pay again.`
    default:
      return `The payment was declined: nothing was paid and nothing ordered. ${orderAgain}`
  }
}
