import { v5, v7 } from 'uuid'
import type { Order } from '#contracts/ordering'
import { lunchId, parseOrderId } from '#kernel/id'
import { longDay, type SchoolDate } from '#kernel/school-time'
import { handleCommand, loadStream } from '#platform/event-store/command-handler'
import { creditSpent, eatenAfterAll, orderAfter, repliesTo, type OwnMove } from '../orders/orders.commands'
import { portionOfOrder } from '../portions/portions.decide'
import type { OrderNeeds } from '../portions/portions.view'
import { refusal } from '../refusals'
import { mealDayOf } from '../slot/deadlines.decide'
import { familyMember, isTheirs, nextOrderId, orderOf, type SlotOrder } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { originOf } from '../slot/money-back.decide'
import { claimed } from '../slot/twin-slots.commands'
import { checkedLine, closesOf, creditDifference, mealOf } from './change-order.commands'
import { priced } from './line-policies.decide'

const namespace = '3d1f6a0c-8f3e-4c39-9d0b-6b1c5a7e2f48'

/** Another day (plans-and-sponsors.md section 4), in one append: the day's claim, portions, credit, the order. The same date changes nothing. */
export const moveOrder = (needs: OrderNeeds) => {
  const step = async (asked: OwnMove, changeId: string, now: Date) => {
    const { orderId, userId, isOffice, date } = asked
    const lunch = parseOrderId(orderId)?.lunch
    if (!lunch) throw refusal('order_not_found')
    const loaded = await loadStream(needs.eventStore, mealSlot, lunch)
    const known = orderOf(loaded.state, orderId)
    const guardians = (await needs.identity.guardiansOf([lunch.studentId])).get(lunch.studentId) ?? []
    const member = familyMember(userId, guardians)
    if (!isOffice && !isTheirs(known, member)) throw refusal('order_not_found')
    if (known.meal_date === date) return { changes: [{ loaded, events: [] }], order: known }
    const buyer = isOffice
      ? { userId: familyOf(known, guardians), attemptId: changeId, office: { late: false } }
      : { userId, attemptId: changeId }
    const { line, slots, discount, accept } = await checkedLine(
      needs,
      buyer,
      await wishOf(needs, known, date),
      now,
    )
    const isDiscounted = discount.percentage !== known.meal.discountPercentage
    const meal = mealOf(line, isDiscounted ? priced(known.meal.originalPrice, discount) : known.meal)
    const there = { studentId: line.slot.studentId, date }
    const free = slots.get(lunchId(there))!
    const as = lunchId(there) === lunchId(lunch) ? orderId : nextOrderId(there, free.state)
    const to = { from: known.meal_date, slot: line.slot, mealDate: date, as }
    const day = mealDayOf(known.meal_date, await needs.familyTerms())
    const act = { orderId, changeId, meal, to, closes: closesOf(line), day, now }
    const events = mealSlot.decide(
      isOffice ? { kind: 'move', ...act } : { kind: 'move-own', ...act, ...member },
      loaded.state,
    )
    const order = orderAfter(loaded, events, orderId)
    await accept()
    const change = { loaded, events }
    const { taken, given } = await portionChanges(needs, known, order, now)
    const credit = await creditChanges(needs, { known, change, price: meal.price, changeId, date }, now)
    const changes = [...taken, ...credit, change, ...given]
    if (as === orderId) return { changes, order }
    const { claim, release } = claimed(free, order, { changeId, now })
    return { changes: [claim, ...changes, release], order }
  }

  return async (asked: OwnMove): Promise<Order> => {
    const { orderId, userId, date, idempotencyKey: key } = asked
    const changeId = key === null ? v7() : v5(`${userId}/${orderId}/${date}/${key}`, namespace)
    const { order } = await handleCommand(needs, asked.by, (at) => step(asked, changeId, at))
    return (await repliesTo(needs, [order], needs.now(), asked.isOffice ? undefined : userId))[0]!
  }
}

/** Whose lunch the office moves: the payer's, while the child is with the payer. */
const familyOf = ({ user_id: payer }: SlotOrder, guardians: readonly number[]): number =>
  guardians.includes(payer) ? payer : (guardians[0] ?? payer)

/** The same meal, under the child's present number. */
const wishOf = async (
  { identity }: OrderNeeds,
  { id, meal, user_id: payer }: SlotOrder,
  date: SchoolDate,
) => {
  const { studentId } = parseOrderId(id)!.lunch
  const { category, sideDish, comments, acknowledged } = meal
  const child = (await identity.childrenNow([studentId])).get(studentId)
  return {
    payer,
    studentId: child?.id ?? studentId,
    date,
    menuItemId: meal.item.id,
    category,
    sideDish,
    comments,
    ...(acknowledged && { acknowledged }),
  }
}

/** Takes the portion of the new day before the order moves and returns the other one after. Throws `sold_out`. */
const portionChanges = async (needs: OrderNeeds, known: SlotOrder, order: OrderNow, now: Date) => {
  const [old, wanted] = [portionOfOrder(known), { ...portionOfOrder(order), until: null }]
  const book = await needs.portions([old, wanted], now)
  return { taken: book.take([wanted], now), given: book.give([old], now) }
}
type OrderNow = ReturnType<typeof orderAfter>

type Settled = {
  known: SlotOrder
  change: Parameters<typeof eatenAfterAll>[0][number]
  price: number
  changeId: string
  date: SchoolDate
}

/** Takes back what an absence of the day left gave, and settles another discount. Throws `credit_spent` and `credit_short`. */
const creditChanges = async (
  { credit }: OrderNeeds,
  { known, change, price, changeId, date }: Settled,
  now: Date,
) => {
  const accounts = credit.accounts()
  const absences = await credit.reclaimAbsence(eatenAfterAll([change]), now, accounts)
  for (const amount of absences.spent.values()) throw creditSpent(amount)
  const {
    id: orderId,
    attempt_id: attemptId,
    user_id: userId,
    item_name: item,
    student_name: student,
  } = known
  const about = { userId, orderId, attemptId, changeId, ...originOf(known) }
  const text = `${item} for ${student} moved to ${longDay(date)}`
  const settled = { ...about, text, difference: creditDifference(known, price) }
  return [...absences.changes, ...(await credit.settlePrice(settled, now, accounts))]
}
