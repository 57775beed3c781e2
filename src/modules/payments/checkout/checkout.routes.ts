import { setTimeout as pause } from 'node:timers/promises'
import { placeOrders, type PayWay } from '#contracts/ordering'
import { numberToPayTo } from '#contracts/payments'
import { eventReader, type EventOf } from '#kernel/event'
import { moneyOf, type MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { weekdayName, type SchoolDate } from '#kernel/school-time'
import { loadStream, loadStreams, type StreamChange } from '#platform/event-store/command-handler'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { paymentReply, sendsPrompts } from '../alternative/instructions'
import { openAttempts } from '../attempt/attempts.view'
import { paymentAttempt } from '../attempt/fold'
import { toPayFor, isAwaited } from '../attempt/payment-attempt'
import { readPaymentBypass } from '../attempt/payment-bypass.rows'
import { claimReference } from '../attempt/references.rows'
import { tooLateForTransfer } from '../attempt/unpaid.decide'
import type { PaymentsNeeds } from '../ports'
import { unpaidMealsCounted } from '../published'
import { refusal } from '../refusals'
import type { VerifyAndSettle } from '../settlement/settle.commands'
import { placeFreeCheckout, type FreeCheckout } from './place-order.commands'

/** Places a cart of a family or, for one, of the office: one way for both. */
export const placeCheckout = (needs: PaymentsNeeds, settle: VerifyAndSettle) => {
  const { knex } = needs.database
  const attemptNeeds = {
    ...needs,
    settle,
    openAttempts: (userId: number) => openAttempts(knex, userId, needs.now()),
  }

  /** While alternative payments are on they pay the cart; beside the card only if chosen. The office does not ask. */
  const termsOf = async (
    attemptId: string,
    asked: FreeCheckout & { at: Date },
    lines: readonly MealLine[],
  ) => {
    const { userId, payBy, office, at } = asked
    if (office && asked.useCredit) throw refusal('credit_short')
    if (office) {
      const companyRef = await claimReference(knex, attemptId)
      return { kind: 'alternative' as const, companyRef, ...(payBy && { payBy }) }
    }
    const { enabled, unpaidUntil } = await readPaymentBypass(knex)
    if (payBy === null && !enabled) return { kind: 'free' as const, companyRef: null }
    const missed = unpaidUntil === 'cutoff' ? tooLateForTransfer(lines, at) : null
    if (missed !== null) throw tooLateFor(missed, enabled)
    await refuseTooManyUnpaid(attemptNeeds, userId, lines)
    const counted = await countUnpaidOfAccount(attemptNeeds, { userId, attemptId, at }, lines)
    const companyRef = await claimReference(knex, attemptId)
    return { kind: 'alternative' as const, companyRef, counted, ...(payBy && { payBy }) }
  }
  /** Throws `way_not_offered`, `paid_at_once`. */
  const refuseOtherWay = async (way: PayWay): Promise<void> => {
    const settings = await readPaymentBypass(knex)
    if (way !== 'bank' && sendsPrompts(settings, needs.provider !== null)) throw refusal('paid_at_once')
    const isOffered = settings.enabled || settings.beside
    if (!isOffered || numberToPayTo(settings, way) === '') throw refusal('way_not_offered')
  }
  const place = placeFreeCheckout({ ...attemptNeeds, refuseOtherWay, termsOf })

  return async (asked: FreeCheckout) => {
    const { orders, checkout } = await place(asked)
    const { companyRef: reference, lines, payBy, office } = checkout
    const payment =
      reference === null
        ? null
        : paymentReply(
            { reference, amount: toPayFor(lines), payBy, atOffice: office !== undefined },
            await readPaymentBypass(knex),
          )
    return { orders, payment }
  }
}

export const checkoutRoutes = (place: ReturnType<typeof placeCheckout>): Route[] => [
  route(
    placeOrders,
    onlyRoles('parent', 'teacher'),
    ({ user, body, idempotencyKey, by }) =>
      place({
        userId: user.userId,
        lines: 'cartItems' in body ? body.cartItems : body,
        useCredit: 'cartItems' in body && body.useCredit === true,
        payBy: ('cartItems' in body && body.payBy) || null,
        body,
        idempotencyKey,
        by,
      }),
    { cart: true },
  ),
]

type UnpaidMealsNeeds = PaymentsNeeds & {
  openAttempts: (userId: number) => Promise<{ id: string }[]>
}

/** Throws `too_many_unpaid_meals`. Meals on the provider's page count, free ones do not; merged children count as one. */
export const refuseTooManyUnpaid = async (
  needs: UnpaidMealsNeeds,
  userId: number,
  lines: readonly MealLine[],
  known: { openIds?: readonly string[]; otherIds?: ReadonlyMap<number, readonly number[]> } = {},
): Promise<void> => {
  const [limit, ordered, onPage, otherIds] = await Promise.all([
    needs.identity.maxUnpaidMeals(),
    needs.ordering.totals({ userIds: [userId], state: 'unpaid' }, 'student'),
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

const linesOnPage = async (
  { eventStore, openAttempts }: UnpaidMealsNeeds,
  userId: number,
  openIds?: readonly string[],
) => {
  const ids = openIds ?? (await openAttempts(userId)).map(({ id }) => id)
  const attempts = await loadStreams(eventStore, paymentAttempt, ids)
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
  needs: UnpaidMealsNeeds,
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
  { eventStore, viewsInclude }: UnpaidMealsNeeds,
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

/** With the card replaced there is no other way than the office. */
const tooLateFor = (date: SchoolDate, isCardReplaced: boolean) => {
  const insteadDo = isCardReplaced ? 'Ask the office.' : 'Pay by card or on your phone.'
  return new Refusal(
    'too_late_for_transfer',
    `A transfer would come too late for ${weekdayName(date)}. ${insteadDo}`,
  )
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
