import type { Knex } from 'knex'
import { z } from 'zod'
import { closureFor, concerns, isForEverybody } from '#contracts/cycles'
import { mealMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Whom } from '#modules/cycles/index'
import type { ChangedOrder, MoneyBack, OrderFacts } from '#modules/ordering/index'
import { addedUp, keptForOrder, moneyBackText, owedForOrder } from '#modules/ordering/published'
import type { Position } from '#platform/event-store/event-store'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { each } from '#platform/pacing'
import {
  closuresInForce,
  isPaid,
  markOrdersNoted,
  noteOrders,
  unfinishedClosures,
  unnotedClosures,
  noteMails,
  markNotified,
  unsentMails,
  nextOrders,
  noteOutcomes,
  type ClosedDates,
  type ClosuresNeeds,
} from './closed-orders.rows'
import { closureNow, lockedClosure, type Closure } from './closures.rows'
import { refusal } from './refusals'

export const carryOutJob = job({
  name: 'carry-out-closure',
  payload: z.object({ closureId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

export const closureWorks = (needs: ClosuresNeeds): JobWork[] => [
  work(carryOutJob, ({ closureId }) => finishClosure(needs, closureId)),
]

/** Orders on these dates of children whom the closure concerns by their present grade and class. */
export const ordersConcerned = async (
  { ordering, identity }: Pick<ClosuresNeeds, 'ordering' | 'identity'>,
  { dates, ...whom }: Whom & { dates: readonly SchoolDate[] },
): Promise<OrderFacts[]> => {
  const standing = await ordering.ordersWhere({ dates, state: 'active' }, { sort: 'id' })
  if (isForEverybody(whom)) return standing
  const children = await identity.childrenNow(standing.map(({ studentId }) => studentId))
  // A child that has left is as it was when it ordered.
  return standing.filter((order) => concerns(whom, children.get(order.studentId) ?? order.student))
}

export const recordActiveOrders = async (needs: ClosuresNeeds, closure: ClosedDates): Promise<void> => {
  const { knex } = needs.database
  await noteOrders(knex, closure.id, await ordersConcerned(needs, closure), 'once')
  await markOrdersNoted(knex, closure.id)
}

/**
 * Reads the streams once the closure is locked: a batch may have cancelled what the view still shows. Of a closure for some, only orders of
 * children that it concerned when they ordered: what a child ordered before it came into a class stays.
 */
const recordLateOrders = async (needs: ClosuresNeeds, closure: ClosedDates): Promise<void> => {
  const { ordering, database } = needs
  const shown = (await ordersConcerned(needs, closure)).filter(
    ({ status, student }) => status !== 'completed' && concerns(closure, student),
  )
  if (shown.length === 0) return
  const { id } = closure
  await database.knex.transaction(async (transaction) => {
    const closure = await lockedClosure(transaction, id)
    if (!closure || closure.undoneAt) return
    const now = await ordering.ordersNow(shown.map((order) => order.id))
    const pending = new Set(now.flatMap(({ id, status }) => (status === 'pending' ? [id] : [])))
    const late = shown.filter((order) => pending.has(order.id))
    await noteOrders(transaction, id, late, 'again')
  })
}

const finishClosure = async (needs: ClosuresNeeds, closureId: string): Promise<void> => {
  await carryOut(needs)(closureId)
  await tellFamilies(needs)(closureId)
}

/** Also finds orders placed while the day was being closed, closures whose process died and families not yet told. */
export const carryOutSweep = (needs: ClosuresNeeds): Sweep => ({
  name: 'carry-out-closures',
  run: async () => {
    const { knex } = needs.database
    const today = schoolMoment(needs.now(), needs.zone).date
    const steps = [
      async () => each(await unnotedClosures(knex), (closure) => recordActiveOrders(needs, closure)),
      async () => each(await closuresInForce(knex, today), (closure) => recordLateOrders(needs, closure)),
      async () => each(await unfinishedClosures(knex), (id) => finishClosure(needs, id)),
    ]
    await each(steps, (step) => step())
  },
})

/** One mail per family once all orders are processed, a further one for later orders. The mail id is closure, family and number. */
const tellFamilies =
  (needs: ClosuresNeeds) =>
  async (closureId: string): Promise<void> => {
    const closure = await closureNow(needs.database.knex, closureId)
    if (!closure || closure.done < closure.total) return
    await tellAbout(needs, closure, 'closing')
    await tellAbout(needs, closure, 'undoing')
  }

const tellAbout = async (
  { database: { knex }, ordering, messaging }: ClosuresNeeds,
  closure: Closure,
  about: 'closing' | 'undoing',
): Promise<void> => {
  await knex.transaction(async (transaction) => {
    await lockedClosure(transaction, closure.id)
    await noteMails(transaction, closure.id, about)
  })
  for (const { userId, mail, orderIds } of await unsentMails(knex, closure.id, about)) {
    const backs = await ordering.moneyBackOf(orderIds, about === 'closing' ? owedForOrder : keptForOrder)
    const meals = (await ordering.ordersWhere({ ids: orderIds })).map((meal) => ({
      ...meal,
      back: backs.get(meal.id) ?? { money: 0, credit: 0 },
    }))
    const isFurther = mail > 1
    const message = about === 'closing' ? closedMail(closure, meals, isFurther) : openedMail(meals, isFurther)
    const id = `closure-${closure.id}-${about}-${userId}${mail > 1 ? `-${mail}` : ''}`
    const hasAddress = await messaging.messageUser(userId, message, id)
    const orders = orderIds.map((orderId) => ({ id: orderId, userId }))
    await ordering.tellOtherGuardians(orders, { ...otherGuardian[about], id })
    await markNotified(knex, { closureId: closure.id, userId, about, mail, hasAddress })
  }
}

const otherGuardian = {
  closing: {
    what: 'Cancelled',
    why: ': there is no lunch on these days',
    start: 'There is no lunch at school. These meals of your child are cancelled',
  },
  undoing: {
    what: 'Ordered again',
    start: 'There is lunch at school after all. These meals of your child are ordered again',
  },
}

type ToldMeal = OrderFacts & { back: MoneyBack }

export const closedMail = (closure: Closure, meals: readonly ToldMeal[], isFurther: boolean) => {
  const noLunch = `There is no lunch at school${isForEverybody(closure) ? '' : ' for some children'}`
  const cancelled = `These meals are cancelled${isFurther ? ' as well' : ''}:`
  return mealMessage({
    what: isFurther ? 'Cancelled as well' : 'Cancelled',
    why: ': there is no lunch on these days',
    meals,
    start: `${noLunch} (${closure.reason}). ${cancelled}`,
    bareStart: `${noLunch}. ${cancelled}`,
    more: (meal) => `, ${moneyText(meal)}`,
    short: (inShort) => `${noLunch}. Cancelled: ${inShort}.${owedInShort(meals)}`,
  })
}

const owedInShort = (meals: readonly ToldMeal[]): string => {
  const text = moneyBackText(addedUp(meals.map(({ back }) => back)))
  return text === null ? '' : ` ${text}.`
}

const moneyText = (order: ToldMeal): string => {
  if (order.price === 0) return 'it was free, nothing is to be paid back'
  const text = moneyBackText(order.back)
  if (!isPaid(order)) return `it was not paid for, you owe nothing${text === null ? '' : `, and ${text}`}`
  return text ?? 'nothing is to be paid back'
}

export const openedMail = (meals: readonly ToldMeal[], isFurther: boolean) =>
  mealMessage({
    what: isFurther ? 'Ordered again as well' : 'Ordered again',
    meals,
    start: `There is lunch at school after all. These meals are ordered again${isFurther ? ' as well' : ''}:`,
    more: (meal) => `, ${keptText(meal)}`,
    short: (inShort) => `There is lunch at school after all. Ordered again: ${inShort}.`,
  })

const keptText = ({ back, ...order }: ToldMeal): string => {
  if (order.price === 0) return 'it is free'
  const toPay = isPaid(order) ? 0 : order.price - order.credit
  return [
    ...(toPay > 0 ? [`K${decimalFromNgwee(toPay)} is still to be paid`] : []),
    ...(back.credit > 0 ? [`K${decimalFromNgwee(back.credit)} was taken from your credit again`] : []),
    ...(back.money > 0 ? [`K${decimalFromNgwee(back.money)} is paid and will not be refunded`] : []),
  ].join(' and ')
}

type Batch = Awaited<ReturnType<typeof nextOrders>>

// Orders per append; the lock is released in between.
const batchSize = 50

/** Cancels a closure's orders, or restores them. Safe concurrently: each batch locks the closure's row. Answers positions for the views. */
export const carryOut =
  (needs: ClosuresNeeds) =>
  async (closureId: string, until = Infinity): Promise<Position | null> => {
    let last: Position | null = null
    for (;;) {
      const done = await needs.database.knex.transaction((transaction) =>
        carryOutBatch(needs, transaction, closureId),
      )
      if (done.position !== null && (last === null || done.position > last)) last = done.position
      if (!done.isMore || performance.now() >= until) return last
    }
  }

const carryOutBatch = async (needs: ClosuresNeeds, transaction: Knex.Transaction, closureId: string) => {
  const closure = await lockedClosure(transaction, closureId)
  if (!closure) return { position: null, isMore: false }
  const about = closure.undoneAt ? 'undoing' : 'closing'
  const batch = await nextOrders(transaction, closureId, about, batchSize)
  if (batch.length === 0) return { position: null, isMore: false }
  const { outcomes, position } = closure.undoneAt
    ? await restored(needs, closure, batch)
    : await cancelled(needs, closure, batch)
  await noteOutcomes(transaction, closureId, about, outcomes)
  return { position, isMore: batch.length === batchSize }
}

const cancelled = async (
  { ordering }: ClosuresNeeds,
  { id: closureId, remedy, closedBy }: Closure,
  batch: Batch,
) => {
  const { orders, position } = await ordering.change(
    batch.map(({ id }) => id),
    { kind: 'close', closureId, remedy },
    { actor: closedBy, correlationId: closureId },
  )
  return {
    position,
    outcomes: outcomesOf(batch, orders, (order) => (order.closureId === closureId ? 'cancelled' : 'gone')),
  }
}

/** Why an order cannot come back: its child is gone, or another closure keeps the date closed for it. */
const unrestorable = async (
  { identity, cycles, ordering }: ClosuresNeeds,
  batch: Batch,
): Promise<Map<string, 'student_gone' | 'day_blocked'>> => {
  const lunches = await ordering.ordersNow(batch.map(({ id }) => id))
  const [children, closures] = await Promise.all([
    identity.childrenNow(lunches.map(({ studentId }) => studentId)),
    cycles.standingClosures(),
  ])
  const why = new Map<string, 'student_gone' | 'day_blocked'>()
  for (const { id, studentId, mealDate: date } of lunches) {
    const child = children.get(studentId)
    if (!child) why.set(id, 'student_gone')
    else if (closureFor(closures, date, child)) why.set(id, 'day_blocked')
  }
  return why
}

const restored = async (
  needs: ClosuresNeeds,
  { id: closureId, undoneBy, closedBy }: Closure,
  batch: Batch,
) => {
  const why = await unrestorable(needs, batch)
  const { orders, position } = await needs.ordering.change(
    batch.filter(({ id }) => !why.has(id)).map(({ id }) => id),
    { kind: 'restore', closureId },
    { actor: undoneBy ?? closedBy, correlationId: closureId },
  )
  const without = batch.flatMap(({ id, wasCancelled }) => {
    const code = why.get(id)
    if (!code || !wasCancelled) return []
    return [{ id, isPaid: null, what: 'skipped' as const, code, message: refusal(code).message }]
  })
  const wasCancelled = new Set(batch.filter((order) => order.wasCancelled).map(({ id }) => id))
  const outcomes = outcomesOf(batch, orders, ({ id, isActive, isChanged }) =>
    isActive && (isChanged || wasCancelled.has(id)) ? 'restored' : 'gone',
  )
  const isWithout = new Set(without.map(({ id }) => id))
  return { position, outcomes: [...outcomes.filter(({ id }) => !isWithout.has(id)), ...without] }
}

const outcomesOf = <What extends string>(
  batch: Batch,
  orders: readonly ChangedOrder[],
  whatOf: (order: ChangedOrder) => What,
) => {
  const changed = new Map(orders.map((order) => [order.id, order]))
  return batch.map(({ id }) => {
    const order = changed.get(id)
    if (!order) return { id, isPaid: null, what: 'gone' as const, code: null, message: null }
    const { isPaid, refused } = order
    if (refused) return { id, isPaid, what: 'skipped' as const, ...refused }
    return { id, isPaid, what: whatOf(order), code: null, message: null }
  })
}
