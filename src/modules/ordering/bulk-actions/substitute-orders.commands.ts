import { allergenKeys, allergenWords, conflictOf } from '#contracts/allergens'
import { dietNames } from '#contracts/catalogue'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { isConflict, type MealConflict } from '#contracts/health'
import type { substituteOrders } from '#contracts/ordering'
import { parseOrderId } from '#kernel/id'
import { mealMessage, type UserMessage } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { deadlinesText, schoolMoment } from '#kernel/school-time'
import {
  handleCommand,
  loadStreams,
  ownWritesShown,
  writing,
  type By,
} from '#platform/event-store/command-handler'
import { type MenuFacts, substituteRefusal, type Substitution } from '../cart/line-policies.decide'
import { ordersWhere } from '../orders/orders-where.rows'
import type { orderCommands } from '../orders/orders.commands'
import { portionOfOrder } from '../portions/portions.decide'
import type { OrderNeeds } from '../portions/portions.view'
import type { ConflictOfMeal, OrderingNeeds } from '../ports'
import { lineMessages, namedIn, refusal } from '../refusals'
import { orderOf } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import type { OrderRow } from '../slot/order'
import type { BulkAction, ActionOrder, Skipped } from './bulk-actions.commands'
import { ordersByFamily, planOf, tellOtherGuardians } from './cancel-orders.commands'

type Substitute = BodyOf<typeof substituteOrders> & { knowsHealth: boolean }

const contentsUnseen =
  'This meal has allergens that the other has not, or does not suit a diet. Ask someone who may see allergies to choose it.'

const batchSize = 100

/** Gives pending orders another meal; what was paid stays, each family gets one mail. Skips orders that cannot have it. */
export const substituteAct = (
  needs: OrderNeeds,
  orders: ReturnType<typeof orderCommands>,
): BulkAction<Substitute, ReplyOf<typeof substituteOrders>> => ({
  act: 'substitute',
  plan: async ({ orderIds, menuItemId, category, sideDish }) => {
    const plan = planOf(await orders.ordersNow(orderIds), orderIds, 'substitute')
    const what = `${plan.orders.length} orders given another meal`
    const meal = { menuItemId, category: category ?? null, sideDish: sideDish ?? null }
    return { plan, change: { kind: 'cycles', what, old: null, new: meal } }
  },
  carryOut: async ({ id: actId, plan: { orders: wanted, skipped }, body, by: asker }) => {
    const ids = wanted.map(({ id }) => id)
    const by = writing(asker)
    const refused = await substituteAll(needs, ids, { ...body, changeId: actId, by })
    // The letters name the meals that stand there now.
    await ownWritesShown(by, needs)
    const isRefused = new Set(refused.map(({ orderId }) => orderId))
    const updated = wanted.filter(({ id }) => !isRefused.has(id))
    const told = await tellFamilies(needs, actId, updated)
    return { updated: updated.length, ...told, skipped: [...skipped, ...refused] }
  },
})

type Wish = Pick<Substitute, 'menuItemId' | 'category' | 'sideDish' | 'acknowledged' | 'knowsHealth'> & {
  changeId: string
  by: By
}

const substituteAll = async (needs: OrderNeeds, orderIds: readonly string[], wish: Wish) => {
  const refused: Skipped[] = []
  for (let from = 0; from < orderIds.length; from += batchSize) {
    const batch = await substituteBatch(needs, orderIds.slice(from, from + batchSize), wish)
    refused.push(...batch.refused)
  }
  return refused
}

const substituteBatch = (needs: OrderNeeds, orderIds: readonly string[], wish: Wish) => {
  const { zone, identity } = needs
  return handleCommand(needs, wish.by, async (at) => {
    const { known, slots, items, health, allergyRule } = await factsOfBatch(needs, orderIds, wish)
    const item = items.get(wish.menuItemId)
    const taken = known.map((order) => ({
      ...portionOfOrder(order),
      itemId: wish.menuItemId,
      until: null,
    }))
    const isOther = known.map(({ item_id }) => item_id !== wish.menuItemId)
    const book = await needs.portions([...taken, ...known.map(portionOfOrder)], at)
    const others = taken.filter((_portion, place) => isOther[place])
    const soldOut = new Set([...book.soldOut(others, at).keys()].map((place) => others[place]))
    const today = schoolMoment(at, zone).date
    const refused: Skipped[] = []
    const accepted: ConflictOfMeal[] = []
    const changed = known.flatMap((row, place) => {
      const loaded = slots[place]!
      const adds = item !== undefined && addsTo(items.get(row.item_id), item)
      const conflict = wish.knowsHealth ? conflictOf(health.get(row.student_id), item) : noConflict
      const facts = { today, isSoldOut: soldOut.has(taken[place]!), conflict, allergyRule, adds }
      try {
        const meal = mealFor(row, item, wish, facts, at)
        const command = {
          kind: 'substitute',
          orderId: row.id,
          changeId: wish.changeId,
          meal,
          now: at,
        } as const
        const change = { loaded, events: mealSlot.decide(command, loaded.state) }
        if (meal.acknowledged)
          accepted.push({ studentId: row.student_id, date: row.meal_date, itemId: meal.item.id, ...conflict })
        const [takes, gives] = isOther[place] ? [[taken[place]!], [portionOfOrder(row)]] : [[], []]
        return [{ change, takes, gives }]
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused.push({ orderId: row.id, code: error.code, message: error.message, ...error.extra })
        return []
      }
    })
    if (accepted.length > 0) await identity.acknowledge(accepted, 'office')
    const takes = changed.flatMap((one) => one.takes)
    const gives = changed.flatMap((one) => one.gives)
    const changes = [...book.take(takes, at), ...changed.map(({ change }) => change), ...book.give(gives, at)]
    return { changes, refused }
  })
}

const factsOfBatch = async (
  { eventStore, catalogue, identity }: OrderNeeds,
  orderIds: readonly string[],
  { menuItemId }: Wish,
) => {
  const lunches = orderIds.map((id) => parseOrderId(id)!.lunch)
  const slots = await loadStreams(eventStore, mealSlot, lunches)
  const known = orderIds.map((id, place) => orderOf(slots[place]!.state, id))
  const [items, health, allergyRule] = await Promise.all([
    catalogue.itemsByIds([...new Set([menuItemId, ...known.map(({ item_id }) => item_id)])]),
    identity.healthOf([...new Set(lunches.map(({ studentId }) => studentId))]),
    catalogue.allergyRule(),
  ])
  return { known, slots, items, health, allergyRule }
}

/** At the old price. Throws the reason when the child cannot have the meal. */
const mealFor = (
  row: OrderRow,
  item: MenuFacts | undefined,
  { menuItemId, category, sideDish, acknowledged, knowsHealth }: Wish,
  {
    adds,
    ...facts
  }: Pick<Substitution, 'today' | 'isSoldOut' | 'conflict' | 'allergyRule'> & { adds: boolean },
  at: Date,
) => {
  // A refusal must not depend on the child: it would reveal allergies and diets.
  if (!knowsHealth && adds) throw new Refusal('item_unavailable', contentsUnseen)
  const student = { id: row.student_id, name: row.student_name, grade: row.student_grade }
  const place = { studentId: row.student_id, weekNumber: row.week, dayOfWeek: row.day }
  const line = { menuItemId, ...place, category, sideDish, acknowledged, originalPrice: 0 }
  const code = substituteRefusal({ ...facts, line, item, student, mealDate: row.meal_date }, at)
  const { conflict } = facts
  if (code === 'allergen_conflict' || code === 'diet_conflict')
    throw refusal(code, { extra: namedIn(code, conflict) })
  if (code || !item) throw new Refusal(code ?? 'item_missing', lineMessages[code ?? 'item_missing'])
  return {
    item: { id: item.id, name: item.name, type: item.type },
    category: category || null,
    sideDish: row.student_grade === 'teacher' ? null : sideDish || null,
    comments: row.comments,
    originalPrice: row.original_price,
    price: row.price,
    discountPercentage: row.discount_percentage,
    ...(row.sponsor !== null && { sponsor: row.sponsor }),
    ...(isConflict(conflict) && { acknowledged: true as const }),
  }
}

const noConflict: MealConflict = { allergens: [], diets: [] }

/** Whether a child that may eat `before` perhaps may not eat `after`. */
const addsTo = (before: MenuFacts | undefined, after: MenuFacts): boolean => {
  const known = new Set(before?.allergens?.flatMap(allergenWords).flatMap(allergenKeys))
  const words = (after.allergens ?? []).flatMap(allergenWords)
  const isNew = words.some((word) => !allergenKeys(word).every((key) => known.has(key)))
  return isNew || dietNames.some((diet) => after.diets[diet] === 'no' && before?.diets[diet] !== 'no')
}

const tellFamilies = async (needs: OrderingNeeds, actId: string, updated: readonly ActionOrder[]) => {
  const families = ordersByFamily(updated)
  const cutoffOf = await needs.cycles.shownCutoffs()
  let notTold = 0
  for (const [userId, orders] of families) {
    const before = new Map(orders.map(({ id, item }) => [id, item]))
    const meals = await ordersWhere(needs.database.pool, { ids: [...before.keys()] })
    const deadlines = deadlinesText(
      meals.map(({ mealDate }) => ({ mealDate, until: cutoffOf(mealDate) })),
      needs.zone,
    )
    const message = substitutedLetter(meals, before, deadlines)
    if (!(await needs.messaging.messageUser(userId, message, `order-act-${actId}-${userId}`))) notTold += 1
  }
  await tellOtherGuardians(needs)(updated, {
    what: 'Changed by the school',
    start: 'The school has changed meals of your child, which are now these',
    id: `order-act-${actId}`,
  })
  return { families: families.size, notTold }
}

export const substitutedLetter = (
  meals: readonly (Parameters<typeof mealMessage>[0]['meals'][number] & { id: string })[],
  before: ReadonlyMap<string, string>,
  deadlines: string,
): UserMessage => {
  const start = 'The school has changed these meals'
  return mealMessage({
    what: 'Changed by the school',
    meals,
    start: `${start}:`,
    more: ({ id }, isBare) => (isBare ? '' : `, instead of ${before.get(id)}`),
    end: [`The price stays the same. You may cancel such a meal and get all of its money back ${deadlines}.`],
    short: (inShort) => `${start}: ${inShort}. The price stays the same.`,
  })
}
