import { eventReader, type EventOf } from '#kernel/event'
import { moneyOf, type MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { loadStream, loadStreams, type StreamChange } from '#platform/event-store/command-handler'
import { paymentAttempt } from '../attempt/fold'
import { isAwaited } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../needs'
import { unpaidMealsCounted } from './events'

export type UnpaidMealsNeeds = PaymentsNeeds & {
  /** A user's payments whose token may still be paid, as the view knows them. */
  openAttempts: (userId: number) => Promise<{ id: string }[]>
}

/**
 * Refuses (`too_many_unpaid_meals`) a checkout that leaves one of its children with more meals waiting for payment than
 * the school allows: ordered and not paid for, or on the card provider's page. A child that was entered twice is one child.
 * What costs nothing does not count.
 */
export const refuseTooManyUnpaid = async (
  needs: UnpaidMealsNeeds,
  userId: number,
  lines: readonly MealLine[],
): Promise<void> => {
  const [limit, ordered, onPage, otherIds] = await Promise.all([
    needs.identity.maxUnpaidMeals(),
    needs.ordering.unpaidMealsOf(userId),
    linesOnPage(needs, userId),
    needs.identity.otherIdsOf([...new Set(lines.map(({ slot }) => slot.studentId))]),
  ])
  const waiting = [...onPage, ...lines].filter((line) => moneyOf(line) > 0)
  for (const { slot, student } of lines) {
    const child = new Set([slot.studentId, ...(otherIds.get(slot.studentId) ?? [])])
    const count =
      [...child].reduce((sum, id) => sum + (ordered.get(id) ?? 0), 0) +
      waiting.filter((line) => child.has(line.slot.studentId)).length
    if (count > limit) throw tooManyOfChild(student.name, count, limit)
  }
}

const linesOnPage = async ({ eventStore, openAttempts }: UnpaidMealsNeeds, userId: number) => {
  const ids = (await openAttempts(userId)).map(({ id }) => id)
  const attempts = await loadStreams(eventStore, paymentAttempt, ids)
  return attempts.flatMap(({ state }) =>
    state.status !== 'none' && isAwaited(state) ? state.checkout.lines : [],
  )
}

/** How many meals an account may have ordered and not paid for, whoever of its children they are for. */
const maxUnpaidPerAccount = 40

/** The checkout that counted last, by the account; null: none has. Two that count at once append to it in conflict. */
const lastCount = {
  streamOf: (userId: number) => `unpaidMeals-${userId}`,
  read: eventReader(unpaidMealsCounted),
  initial: null as string | null,
  evolve: (_last: string | null, { data }: EventOf<typeof unpaidMealsCounted>): string | null =>
    data.attemptId,
}

/**
 * Refuses (`too_many_unpaid_meals`) a checkout without a card that leaves its account with more than 40 unpaid meals.
 * What it answers is appended with the checkout, before its orders: of two checkouts at once the other counts anew.
 */
export const countUnpaidOfAccount = async (
  needs: UnpaidMealsNeeds,
  { userId, attemptId, at }: { userId: number; attemptId: string; at: Date },
  lines: readonly MealLine[],
): Promise<StreamChange> => {
  const loaded = await loadStream(needs.eventStore, lastCount, userId)
  const begun = loaded.state === null ? [] : await linesYetToBeOrdered(needs, loaded.state)
  const ordered = [...(await needs.ordering.unpaidMealsOf(userId)).values()]
  const waiting = ordered.reduce((sum, count) => sum + count, begun.length)
  const count = waiting + lines.filter((line) => moneyOf(line) > 0).length
  if (count > maxUnpaidPerAccount) throw tooManyOfAccount(waiting, count)
  return { loaded, events: [unpaidMealsCounted({ userId, attemptId, at: at.toISOString() })] }
}

/** The meals of the checkout that counted last, where it has yet to order them; else the list of orders shows them now. */
const linesYetToBeOrdered = async (
  { eventStore, waitForViews }: UnpaidMealsNeeds,
  attemptId: string,
): Promise<MealLine[]> => {
  const { state, position } = await loadStream(eventStore, paymentAttempt, attemptId)
  if (position !== null) await waitForViews(position)
  return state.status === 'draft' ? state.checkout.lines.filter((line) => moneyOf(line) > 0) : []
}

const whatToDo = 'Please pay for earlier meals or cancel some, or order fewer now.'

const tooManyOfChild = (child: string, count: number, limit: number) =>
  new Refusal(
    'too_many_unpaid_meals',
    `${child} would have ${count} meals waiting for payment, and at most ${limit} may wait. ${whatToDo}`,
  )

const tooManyOfAccount = (waiting: number, count: number) =>
  new Refusal(
    'too_many_unpaid_meals',
    `Your account has ${waiting} unpaid ${waiting === 1 ? 'meal' : 'meals'}, and would have ${count} with these. ` +
      `At most ${maxUnpaidPerAccount} may wait. ${whatToDo}`,
  )
