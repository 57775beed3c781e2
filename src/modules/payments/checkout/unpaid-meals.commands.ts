import { setTimeout as pause } from 'node:timers/promises'
import { eventReader, type EventOf } from '#kernel/event'
import { moneyOf, type MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { loadStream, loadStreams, type StreamChange } from '#platform/event-store/command-handler'
import { openAttempts } from '../attempt/attempts.view'
import { paymentAttempt } from '../attempt/fold'
import { isAwaited } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../ports'
import { unpaidMealsCounted } from '../published'

/** Throws `too_many_unpaid_meals`. Meals on the provider's page count, free ones do not; merged children count as one. */
export const refuseTooManyUnpaid = async (
  needs: PaymentsNeeds,
  userId: number,
  lines: readonly MealLine[],
  known: { openIds?: readonly string[]; otherIds?: ReadonlyMap<number, readonly number[]> } = {},
): Promise<void> => {
  const [limit, ordered, onPage, otherIds] = await Promise.all([
    needs.identity.maxUnpaidMeals(),
    needs.ordering.totals({ userIds: [userId], state: 'unpaid' }, 'student', { at: needs.database.reads }),
    linesOnPage(needs, userId, known.openIds),
    known.otherIds ?? needs.identity.otherIdsOf([...new Set(lines.map(({ slot }) => slot.studentId))]),
  ])
  const waiting = [...onPage, ...lines].filter((line) => moneyOf(line) > 0)
  for (const { slot, student } of lines) {
    const child = new Set([slot.studentId, ...(otherIds.get(slot.studentId) ?? [])])
    const count =
      [...child].reduce((sum, id) => sum + (ordered.get(id)?.orders ?? 0), 0) +
      waiting.filter((line) => child.has(line.slot.studentId)).length
    if (count > limit) throw tooManyOfChild(student.name, count, limit)
  }
}

const linesOnPage = async (needs: PaymentsNeeds, userId: number, openIds?: readonly string[]) => {
  const ids = openIds ?? (await openAttempts(needs, userId)).map(({ id }) => id)
  const attempts = await loadStreams(needs.eventStore, paymentAttempt, ids)
  return attempts.flatMap(({ state }) =>
    state.status !== 'none' && isAwaited(state) ? state.checkout.lines : [],
  )
}

const maxUnpaidPerAccount = 40

/** Concurrent counts conflict on this stream. */
const lastCount = {
  streamOf: (userId: number) => `unpaidMeals-${userId}`,
  read: eventReader(unpaidMealsCounted),
  initial: null as string | null,
  evolve: (_last: string | null, { data }: EventOf<typeof unpaidMealsCounted>): string | null =>
    data.attemptId,
}

/** Throws `too_many_unpaid_meals` above 40 per account. Append its answer before the orders, so that concurrent checkouts recount. */
export const countUnpaidOfAccount = async (
  needs: PaymentsNeeds,
  { userId, attemptId, at }: { userId: number; attemptId: string; at: Date },
  lines: readonly MealLine[],
): Promise<StreamChange> => {
  const loaded = await loadStream(needs.eventStore, lastCount, userId)
  const begun = loaded.state === null ? [] : await linesYetToBeOrdered(needs, loaded.state)
  const ordered = await needs.ordering.totals({ userIds: [userId], state: 'unpaid' }, 'user')
  const waiting = begun.length + (ordered.get(userId)?.orders ?? 0)
  const count = waiting + lines.filter((line) => moneyOf(line) > 0).length
  if (count > maxUnpaidPerAccount) throw tooManyOfAccount(waiting, count)
  return { loaded, events: [unpaidMealsCounted({ userId, attemptId, at: at.toISOString() })] }
}

const maxLooks = 10

const betweenLooksMs = 50

/** EventStoreDB stores a count before its attempt: waits for that, and no longer where a crash came in between. */
const linesYetToBeOrdered = async (
  { eventStore, viewsInclude }: PaymentsNeeds,
  attemptId: string,
): Promise<MealLine[]> => {
  const load = () => loadStream(eventStore, paymentAttempt, attemptId)
  let { state, position } = await load()
  for (let looks = 1; state.status === 'none' && looks < maxLooks; looks += 1) {
    await pause(betweenLooksMs)
    ;({ state, position } = await load())
  }
  if (position !== null) await viewsInclude(position)
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
