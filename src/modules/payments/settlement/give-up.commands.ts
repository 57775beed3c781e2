import type { CartLine, LineRefusal } from '#contracts/ordering'
import { lunchId, type Lunch } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { lunchOfLine } from '#modules/ordering/published'
import { type By, loadStream } from '#platform/event-store/command-handler'
import { openAttempts } from '../attempt/attempts.view'
import { changeAttempt, type AttemptNow } from '../attempt/change-attempt.commands'
import { paymentAttempt } from '../attempt/fold'
import { isAwaited, type StartedAttempt, isMoneyOurs } from '../attempt/payment-attempt'
import { decidePayment } from '../attempt/payment.decide'
import type { PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'
import type { SettlingNeeds } from './settle.commands'

export const processEnded = 'process-ended'

export const giveUpDraft =
  (needs: PaymentsNeeds) =>
  (id: string, why: string, detail: string | null, by: By): Promise<AttemptNow> =>
    changeAttempt(needs, id, by, (attempt, now) =>
      decidePayment({ kind: 'refuse-token', why, detail, now }, attempt),
    )

export type OpenAttempts = readonly { id: string; bodyHash: string }[]

type NewCheckout = { attemptId: string; bodyHash: string; lunches: readonly Lunch[]; by: By }

/** Gives up the buyer's overlapping card payments (E12), if unpaid and of another cart; else throws `payment_in_progress`. */
export const checkAfterSuperseding = async <Cart>(
  needs: SettlingNeeds,
  check: () => Promise<Cart>,
  checkout: { attemptId: string; userId: number; bodyHash: string; lines: readonly CartLine[]; by: By },
  known?: OpenAttempts,
): Promise<{ cart: Cart; openIds: readonly string[] }> => {
  const cart = await check().catch((refused: unknown) => {
    if (!isOnlyReserved(refused)) throw refused
    return null
  })
  const openIds = (known ?? (await openAttempts(needs, checkout.userId))).map(({ id }) => id)
  const lunches = openIds.length > 0 ? await lunchesOf(needs, checkout.lines) : []
  const superseded = await supersedeOverlapping(needs)(openIds, { ...checkout, lunches })
  return { cart: cart && !superseded ? cart : await check(), openIds }
}

const lunchesOf = async ({ cycles }: PaymentsNeeds, lines: readonly CartLine[]): Promise<Lunch[]> => {
  const { cycle } = await cycles.orderingCalendar()
  return cycle ? lines.map((line) => lunchOfLine(line, cycle)) : []
}

export const isOnlyReserved = (refused: unknown): boolean => {
  if (!(refused instanceof Refusal) || refused.code !== 'lines_refused') return false
  const lines = refused.extra.lines as { code: LineRefusal }[]
  return lines.every(({ code }) => code === 'day_reserved')
}

const supersedeOverlapping =
  (needs: SettlingNeeds) =>
  async (earlier: readonly string[], checkout: NewCheckout): Promise<boolean> => {
    let superseded = false
    for (const id of earlier) {
      const { state } = await loadStream(needs.eventStore, paymentAttempt, id)
      if (id === checkout.attemptId || state.status === 'none' || !overlaps(state, checkout)) continue
      if (isSameCart(state, checkout, needs.now())) throw refusal('payment_in_progress')
      await supersede(needs, id, checkout)
      superseded = true
    }
    return superseded
  }

const overlaps = ({ checkout }: StartedAttempt, { lunches }: NewCheckout): boolean => {
  const wanted = new Set(lunches.map(lunchId))
  return checkout.lines.some((line) => wanted.has(lunchId(lunchOf(line))))
}

const isSameCart = (attempt: StartedAttempt, { bodyHash }: NewCheckout, now: Date): boolean => {
  const { checkout, token } = attempt
  const isOpen = isAwaited(attempt) && token !== null && Date.parse(token.limitAt) > now.getTime()
  return isOpen && checkout.bodyHash === bodyHash
}

const supersede = async (needs: SettlingNeeds, id: string, { attemptId, by }: NewCheckout): Promise<void> => {
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

/** Cancels token and attempt (E9); null if the provider does not, without change. */
export const cancelPayment = async (
  needs: PaymentsNeeds,
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
