import { moneyOf, type MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { loadStreams } from '#platform/event-store/command-handler'
import { paymentAttempt } from '../attempt/fold'
import { isAwaited } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../needs'

export type UnpaidMealsNeeds = Pick<PaymentsNeeds, 'eventStore' | 'identity' | 'ordering'> & {
  /** A user's payments whose token may still be paid, as the view knows them. */
  openAttempts: (userId: number) => Promise<{ id: string }[]>
}

/**
 * Refuses (`too_many_unpaid_meals`) a checkout that leaves one of its children with more meals waiting for payment than
 * the school allows: ordered and not paid for, or on the card provider's page. What costs nothing does not count.
 */
export const refuseTooManyUnpaid = async (
  needs: UnpaidMealsNeeds,
  userId: number,
  lines: readonly MealLine[],
): Promise<void> => {
  const [limit, ordered, onPage] = await Promise.all([
    needs.identity.maxUnpaidMeals(),
    needs.ordering.unpaidMealsOf(userId),
    linesOnPage(needs, userId),
  ])
  const waiting = [...onPage, ...lines].filter((line) => moneyOf(line) > 0)
  for (const { slot, student } of lines) {
    const count =
      (ordered.get(slot.studentId) ?? 0) +
      waiting.filter((line) => line.slot.studentId === slot.studentId).length
    if (count > limit) throw tooManyUnpaid(student.name, count, limit)
  }
}

const linesOnPage = async ({ eventStore, openAttempts }: UnpaidMealsNeeds, userId: number) => {
  const ids = (await openAttempts(userId)).map(({ id }) => id)
  const attempts = await loadStreams(eventStore, paymentAttempt, ids)
  return attempts.flatMap(({ state }) =>
    state.status !== 'none' && isAwaited(state) ? state.checkout.lines : [],
  )
}

const tooManyUnpaid = (child: string, count: number, limit: number) =>
  new Refusal(
    'too_many_unpaid_meals',
    `${child} would have ${count} meals waiting for payment, and at most ${limit} may wait. ` +
      'Please pay for earlier meals or cancel some, or order fewer now.',
  )
