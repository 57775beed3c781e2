import type { WeekState } from '#contracts/plan'
import { groupedBy } from '#kernel/grouped-by'
import { moneyOf } from '#kernel/meal-line'
import { addDays, schoolMoment } from '#kernel/school-time'
import type { OrderFacts } from '#modules/ordering/index'
import { weekOrderedOn, type WeekKept } from '#modules/ordering/published'
import type { By } from '#platform/event-store/command-handler'
import {
  isGivenUp,
  isMoneyOurs,
  isPromptRefused,
  type PaymentAttempt,
  type StartedAttempt,
} from '../attempt/payment-attempt'
import { attemptAfter } from '../card/card-checkout.commands'
import type { PaymentsNeeds } from '../ports'
import { failedMail } from '../settlement/payment-letters'
import { carryOn, type CarryNeeds } from './carry-out-plan.commands'
import { pausedPlan, planLink } from './plan-letters'
import { planAttempt } from './plan-way.commands'

export type FollowedWeek = {
  userId: number
  week: WeekKept
  attempt: StartedAttempt | null
  becomes: Becomes
}
type Becomes = Exclude<WeekState, 'announced'>

// Whoever began it is still placing it.
const graceMs = 30_000

/** Weeks of which something became, or whose checkout a crash cut off. */
export const weeksThatTurned = (needs: PaymentsNeeds) => async (): Promise<FollowedWeek[]> => {
  const now = needs.now()
  const since = addDays(weekOrderedOn(schoolMoment(now, needs.zone).date), -14)
  const followed = await needs.ordering.planWeeksToFollow(since)
  if (followed.length === 0) return []
  const ids = followed.map(({ userId, week }) => planAttempt(userId, week.week, week.number))
  const attempts = await attemptsNow(needs, [...ids, ...ids.map(attemptAfter)])
  const orders = groupedBy(
    await needs.ordering.ordersWhere({ attemptIds: ids }),
    ({ attemptId }) => attemptId,
  )
  return followed.flatMap(({ userId, week }, index): FollowedWeek[] => {
    const id = ids[index]!
    const attempt = attempts.get(attemptAfter(id)) ?? attempts.get(id) ?? null
    const becomes = stateOf(attempt, orders.get(id) ?? [])
    const isCutOff = becomes === 'waiting' && now.getTime() - Date.parse(week.since) > graceMs
    const isTurned = becomes !== week.state && (week.state === 'waiting' || becomes === 'ordered')
    return isTurned || (isCutOff && week.state === 'waiting' && !isUnderWay(attempt))
      ? [{ userId, week, attempt, becomes }]
      : []
  })
}

const attemptsNow = async (
  { database }: PaymentsNeeds,
  ids: readonly string[],
): Promise<Map<string, StartedAttempt>> => {
  const rows = await database
    .knex('payments.attempts')
    .whereRaw('id = any(?::uuid[])', [[...ids]])
    .select<{ id: string; attempt: PaymentAttempt }[]>('id', 'attempt')
  return new Map(rows.flatMap(({ id, attempt }) => (attempt.status === 'none' ? [] : [[id, attempt]])))
}

const isUnderWay = (attempt: StartedAttempt | null): boolean =>
  attempt !== null &&
  attempt.status !== 'draft' &&
  (attempt.status !== 'initiated' || attempt.prompt !== undefined)

/** `orders` are those of the checkout. */
const stateOf = (attempt: StartedAttempt | null, orders: readonly OrderFacts[]): Becomes => {
  if (attempt === null) return 'waiting'
  if (attempt.checkout.kind !== 'card')
    return attempt.status === 'fulfilled' ? stateOfOrders(orders) : 'waiting'
  if (isMoneyOurs(attempt)) {
    const isAny = attempt.outcomes.some(({ kind }) => kind === 'ordered')
    if (isAny) return 'ordered'
    return attempt.status === 'refund_due' || attempt.status === 'refunded' ? 'failed' : 'waiting'
  }
  if (!isGivenUp(attempt)) return 'waiting'
  return attempt.status === 'create_failed' || isPromptRefused(attempt) ? 'failed' : 'not_paid'
}

const isUnpaid = ({ status, paymentStatus }: OrderFacts): boolean =>
  paymentStatus === 'pending' && (status === 'pending' || status === 'completed')

const stateOfOrders = (orders: readonly OrderFacts[]): Becomes => {
  if (orders.length === 0 || orders.some((order) => isUnpaid(order) && moneyOf(order) > 0)) return 'waiting'
  return orders.some(({ paymentStatus }) => paymentStatus === 'confirmed') ? 'ordered' : 'not_paid'
}

const pausedAfter = 3

/** Records it; who did not pay is told once, with a link to the cart. */
export const turnWeek =
  (needs: CarryNeeds) =>
  async ({ userId, week: { week }, attempt, becomes }: FollowedWeek, by: By): Promise<void> => {
    if (becomes === 'waiting' || (becomes === 'failed' && attempt?.status === 'create_failed'))
      return carryOn(needs, userId, week, by)
    const { ordering, messaging, publicUrl } = needs
    if (becomes === 'not_paid' && attempt) {
      const letter = failedMail(attempt, publicUrl)
      if (letter) await messaging.messageUser(userId, letter, `payment-failed-${attempt.checkout.attemptId}`)
      const { unpaidInARow } = await ordering.plans.stateOf(userId)
      if (unpaidInARow + 1 >= pausedAfter)
        await messaging.messageUser(userId, pausedPlan(planLink(publicUrl)), `plan-paused-${userId}-${week}`)
    }
    await ordering.plans.change(userId, by, () => ({ kind: 'turn', week, state: becomes }))
  }
