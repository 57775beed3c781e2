import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { cancelOrders } from '#contracts/ordering'
import { groupedBy } from '#kernel/grouped-by'
import { parseOrderId } from '#kernel/id'
import { mealMessage, type UserMessage } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import { moneyBackOf } from '../orders/money-back.commands'
import { ordersWhere } from '../orders/orders-where.rows'
import type { orderCommands } from '../orders/orders.commands'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import { addedUp, moneyBackText, type MoneyBack } from '../slot/money-back.decide'
import type { OrderRow } from '../slot/order'
import { acts } from '../slot/order-permissions.decide'
import type { BulkAction, ActionOrder, ActionPlan, Skipped } from './bulk-actions.commands'

type Cancel = BodyOf<typeof cancelOrders>

/** Tells each family once by mail. Skips orders that are completed, cancelled (also concurrently) or unknown. */
export const cancelAct = (
  needs: OrderingNeeds,
  orders: ReturnType<typeof orderCommands>,
): BulkAction<Cancel, ReplyOf<typeof cancelOrders>> => ({
  act: 'cancel',
  plan: async ({ orderIds, remedy }, id) => {
    const plan = planOf(await orders.ordersNow(orderIds), orderIds, 'close')
    const what = `${plan.orders.length} orders cancelled: {reason:${id}}`
    return { plan, change: { kind: 'cycles', what, old: null, new: { remedy } } }
  },
  carryOut: async ({ id: actId, plan: { orders: wanted, skipped }, body, by }) => {
    const ids = wanted.map(({ id }) => id)
    const changed = await orders.changeOrders(ids, { kind: 'cancel', actId, remedy: body.remedy }, by)
    const refused = new Set(changed.skipped.map(({ id }) => id))
    const cancelled = wanted.filter(({ id }) => !refused.has(id))
    const backs = await moneyBackOf(needs)(cancelled.map(({ id }) => id))
    const told = await tellFamilies(needs, actId, { cancelled, backs }, body)
    const back = addedUp([...backs.values()])
    return {
      cancelled: cancelled.length,
      owed: kwachaFromNgwee(back.money + back.credit),
      ...(back.credit > 0 && { asCredit: kwachaFromNgwee(back.credit) }),
      ...told,
      skipped: [
        ...skipped,
        ...changed.skipped.map(({ id: orderId, code, message }) => ({ orderId, code, message })),
      ],
    }
  },
})

export const planOf = (
  rows: readonly OrderRow[],
  orderIds: readonly string[],
  act: 'close' | 'substitute',
): ActionPlan => {
  const known = new Map(rows.map((row) => [row.id, row]))
  const orders: ActionOrder[] = []
  const skipped: Skipped[] = []
  for (const orderId of new Set(orderIds)) {
    const row = known.get(orderId)
    const answer = row ? acts[act].of[row.status] : 'order_not_found'
    if (answer !== 'may' && answer !== 'so')
      skipped.push({ orderId, code: answer, message: refusal(answer).message })
    else if (row) orders.push({ id: orderId, userId: row.user_id, item: row.item_name })
  }
  return { orders, skipped }
}

const tellFamilies = async (
  needs: OrderingNeeds,
  actId: string,
  { cancelled, backs }: { cancelled: readonly ActionOrder[]; backs: ReadonlyMap<string, MoneyBack> },
  { reason }: Cancel,
) => {
  const families = ordersByFamily(cancelled)
  let notTold = 0
  for (const [userId, orders] of families) {
    const ids = orders.map(({ id }) => id)
    const moneyOf = (some: readonly string[]) =>
      moneyBackText(addedUp(some.flatMap((id) => backs.get(id) ?? []))) ?? 'nothing is to be paid back'
    const meals = (await ordersWhere(needs.database.pool, { ids })).map((meal) => ({
      ...meal,
      money: moneyOf([meal.id]),
    }))
    const message = cancelledLetter(meals, reason, moneyOf(ids))
    if (!(await needs.messaging.messageUser(userId, message, `order-act-${actId}-${userId}`))) notTold += 1
  }
  await tellOtherGuardians(needs)(cancelled, {
    what: 'Cancelled by the school',
    start: 'The school has cancelled these meals of your child',
    id: `order-act-${actId}`,
  })
  return { families: families.size, notTold }
}

type ToldMeal = Parameters<typeof mealMessage>[0]['meals'][number]
type CancelledMeal = ToldMeal & { money: string }

export const cancelledLetter = (
  meals: readonly CancelledMeal[],
  reason: string,
  money: string,
): UserMessage => {
  const start = 'The school has cancelled these meals'
  return mealMessage({
    what: 'Cancelled by the school',
    meals,
    start: `${start} (${reason}):`,
    bareStart: `${start}:`,
    more: (meal) => `, ${meal.money}`,
    short: (inShort) => `${start}: ${inShort}. Money: ${money}.`,
  })
}

export const ordersByFamily = (orders: readonly ActionOrder[]): Map<number, ActionOrder[]> =>
  groupedBy(orders, ({ userId }) => userId)

/** A mail's id comes from `id` and the family. */
type Told = { what: string; why?: string; start: string; id: string }

const childOf = (orderId: string): number => parseOrderId(orderId)!.lunch.studentId

export const otherGuardianLetter = (
  meals: readonly ToldMeal[],
  { start, ...told }: Omit<Told, 'id'>,
): UserMessage =>
  mealMessage({
    ...told,
    meals,
    start: `${start}:`,
    end: ['The guardian who paid for them gets a message about the money.'],
    short: (inShort) => `${start}: ${inShort}.`,
  })

/** Tells the child's guardians other than the payer, who is told of the money; `orders` name the payers. Repeatable. */
export const tellOtherGuardians =
  ({ database: { pool }, identity, messaging }: OrderingNeeds) =>
  async (orders: readonly { id: string; userId: number }[], { id, ...told }: Told): Promise<void> => {
    const guardians = await identity.guardiansOf([...new Set(orders.map((order) => childOf(order.id)))])
    const families = new Map<number, string[]>()
    for (const order of orders) {
      const others = (guardians.get(childOf(order.id)) ?? []).filter((one) => one !== order.userId)
      for (const guardian of others) families.set(guardian, [...(families.get(guardian) ?? []), order.id])
    }
    for (const [userId, orderIds] of families) {
      const meals = await ordersWhere(pool, { ids: orderIds })
      await messaging.messageUser(userId, otherGuardianLetter(meals, told), `${id}-child-of-${userId}`)
    }
  }
