import { v5, v7 } from 'uuid'
import type { CartLine, Order, MealChange } from '#contracts/ordering'
import { parseOrderId } from '#kernel/id'
import type { MealLine } from '#kernel/meal-line'
import { differs, kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { cyclePlace, type SchoolDate } from '#kernel/school-time'
import { loadStream, handleCommand } from '#platform/event-store/command-handler'
import { orderAfter, repliesTo, type OwnChange } from '../orders/orders.commands'
import { portionOfOrder } from '../portions/portions.decide'
import type { OrderNeeds } from '../portions/portions.view'
import { refusal } from '../refusals'
import { mealDayOf } from '../slot/deadlines.decide'
import { type SlotOrder, familyMember, isTheirs, orderOf } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { originOf } from '../slot/money-back.decide'
import type { OrderedMeal } from '../slot/order'
import { isSameMeal, type Closes } from '../slot/order-acts.decide'
import { acknowledgeMeals, cartFacts, type Buyer } from './cart.commands'
import { checkedCart } from './cart.decide'

const namespace = 'b0a6c1d4-3f5e-4b0c-9f9d-52f0a2c1e7aa'

/** Settles the price with the payer's credit in one append. Another meal under the same key is `idempotency_key_reused`. */
export const changeOwnOrder = (needs: OrderNeeds) => {
  const step = async ({ orderId, userId, body }: OwnChange, changeId: string, at: Date) => {
    const lunch = parseOrderId(orderId)?.lunch
    if (!lunch) throw refusal('order_not_found')
    const loaded = await loadStream(needs.eventStore, mealSlot, lunch)
    const known = loaded.state.orders.get(orderId)
    const guardians = await needs.identity.guardiansOf([lunch.studentId])
    const member = familyMember(userId, guardians.get(lunch.studentId))
    if (!known || !isTheirs(known, member)) throw refusal('order_not_found')
    const before = known.meals.get(changeId)
    if (before && !isSameMeal(before, wishOf(body))) throw refusal('idempotency_key_reused')
    if (before) return { changes: [{ loaded, events: [] }], order: orderOf(loaded.state, orderId) }
    const day = mealDayOf(known.meal_date, await needs.familyTerms())
    const { meal, student, closes } = await mealFor(needs, { known, userId }, body, at)
    const change = { kind: 'change', orderId, changeId, ...member, meal, closes, day, now: at } as const
    const events = mealSlot.decide(change, loaded.state)
    const order = orderAfter(loaded, events, orderId)
    if (events.length === 0) return { changes: [{ loaded, events }], order }
    const text = `${meal.item.name} instead of ${known.meal.item.name} for ${student}`
    const difference = creditDifference(known, meal.price)
    const { attempt_id: attemptId, user_id: payer } = known
    const settled = { userId: payer, orderId, attemptId, changeId, difference, text, ...originOf(known) }
    const { taken, given } = await portionChanges(needs, known, meal, at)
    const credit = await needs.credit.settlePrice(settled, at)
    return { changes: [...taken, ...credit, { loaded, events }, ...given], order }
  }

  return async (asked: OwnChange): Promise<Order> => {
    const { orderId, idempotencyKey: key } = asked
    const changeId = key === null ? v7() : v5(`${asked.userId}/${orderId}/${key}`, namespace)
    const { order } = await handleCommand(needs, asked.by, (at) => step(asked, changeId, at))
    return (await repliesTo(needs, [order], needs.now(), asked.userId))[0]!
  }
}

const wishOf = ({ menuItemId, category, sideDish, comments }: MealChange) => ({
  item: { id: menuItemId },
  category: category || null,
  sideDish: sideDish || null,
  comments: comments ?? '',
})

/** Checked as a cart line and priced; the same item keeps its price. */
const mealFor = async (
  needs: OrderNeeds,
  { known, userId }: { known: SlotOrder; userId: number },
  body: MealChange,
  at: Date,
): Promise<{ meal: OrderedMeal; student: string; closes: Closes }> => {
  const { discountedPrice: claimed, ...chosen } = body
  const lunch = parseOrderId(known.id)!.lunch
  const wish = { ...chosen, studentId: lunch.studentId, date: known.meal_date }
  // Checks the caller: the payer may have lost the child.
  const buyer = { userId, attemptId: known.attempt_id }
  const { line, accept } = await checkedLine(needs, buyer, { payer: known.user_id, ...wish }, at)
  const prices = line.item.id === known.meal.item.id ? known.meal : line
  if (differs(claimed, prices.price)) throw refusal('price_changed')
  await accept()
  return { meal: mealOf(line, prices), student: line.student.name, closes: closesOf(line) }
}

type Wish = Pick<
  CartLine,
  'menuItemId' | 'category' | 'sideDish' | 'comments' | 'acknowledged' | 'studentId'
> & {
  date: SchoolDate
}

/** One line checked as a cart's, under today's discount of its payer; `accept` keeps what was acknowledged. A refusal throws its own code. */
export const checkedLine = async (
  needs: OrderNeeds,
  buyer: Buyer,
  { payer, ...chosen }: Wish & { payer: number },
  at: Date,
) => {
  const { studentId, date } = chosen
  const wish = { ...chosen, ...(await placeOf(needs, date)) }
  const [{ facts, slots }, children] = await Promise.all([
    cartFacts(needs, buyer, [wish], at),
    needs.identity.childrenNow([studentId]),
  ])
  // A merged child keeps the number it was ordered under.
  const childId = children.get(studentId)?.id ?? studentId
  const discount = (await needs.discountOf(payer, [childId]))(childId)
  const child = facts.students.get(childId)
  const students = new Map(child ? [[studentId, { ...child, id: studentId }]] : [])
  const listed = facts.items.get(wish.menuItemId)?.price ?? 0
  const claimed: CartLine = { ...wish, originalPrice: kwachaFromNgwee(listed) }
  const lines = asOneRefusal(() => checkedCart([claimed], { ...facts, students, discountOf: () => discount }))
  const by = buyer.office ? 'office' : 'family'
  return {
    line: lines[0]!,
    discount,
    slots,
    accept: () => acknowledgeMeals(needs.identity, lines, facts, by),
  }
}

type Prices = Pick<OrderedMeal, 'originalPrice' | 'price' | 'discountPercentage' | 'sponsor'>

export const mealOf = (
  { item, category, sideDish, comments, acknowledged, limited }: MealLine,
  { originalPrice, price, discountPercentage, sponsor }: Prices,
): OrderedMeal => ({
  item,
  category,
  sideDish,
  comments,
  originalPrice,
  price,
  discountPercentage,
  ...(sponsor !== undefined && { sponsor }),
  ...(acknowledged && { acknowledged }),
  ...(limited && { limited }),
})

export const closesOf = ({ cutoffAt, dayCutoffAt }: MealLine): Closes => ({
  cutoffAt,
  ...(dayCutoffAt && { dayCutoffAt }),
})

const placeOf = async ({ cycles }: OrderNeeds, date: SchoolDate) => {
  const { cycle } = await cycles.orderingCalendar()
  if (!cycle) throw refusal('no_active_cycle')
  const place = cyclePlace(cycle.startDate, date)
  if (place.weekNumber < 1 || place.weekNumber > cycle.cycleLength) throw refusal('day_moved')
  return place
}

const asOneRefusal = <Result>(check: () => Result): Result => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'lines_refused') throw error
    const [line] = error.extra['lines'] as { code: string; message: string; left?: number }[]
    const { code, message, index: _index, ...extra } = { index: 0, ...line! }
    throw new Refusal(code, message, { extra, ...(error.status && { status: error.status }) })
  }
}

/** Takes the new portion before the order changes and returns the old one after. Throws `sold_out`. */
const portionChanges = async (needs: OrderNeeds, known: SlotOrder, { item }: OrderedMeal, at: Date) => {
  if (item.id === known.meal.item.id) return { taken: [], given: [] }
  const old = portionOfOrder(known)
  const wanted = { ...old, itemId: item.id, until: null }
  const book = await needs.portions([old, wanted], at)
  const left = book.soldOut([wanted], at).get(0)
  if (left !== undefined) throw refusal('sold_out', { extra: { left } })
  return { taken: book.take([wanted], at), given: book.give([old], at) }
}

/** Negative gives credit. For an unpaid order only its credit part counts. */
export const creditDifference = ({ price: old, credit, payment_status }: SlotOrder, price: Ngwee): number =>
  payment_status === 'confirmed' ? price - old : Math.min(credit, price) - Math.min(credit, old)
