import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { cancelOrders } from '#contracts/ordering'
import { decimalFromNgwee, kwachaFromNgwee, type Remedy } from '#kernel/money'
import { mealText, mealsInShort } from '#kernel/meal-line'
import type { OrderingNeeds } from '../ports'
import type { orderCommands } from '../orders/orders.commands'
import { mealsOfOrders } from '../orders/orders.rows'
import type { OrderRow } from '../orders/order'
import { refusal } from '../refusals'
import type { BulkAction, ActionOrder, ActionPlan, Skipped } from './bulk-actions.routes'
import { parseOrderId } from '#kernel/id'
import { hasMovedFrom } from '../slot/order-in-slot.decide'

export type ActNeeds = OrderingNeeds & {
  orders: ReturnType<typeof orderCommands>
}

type Cancel = BodyOf<typeof cancelOrders>

/** Tells each family once by mail. Skips orders that are completed, cancelled (also concurrently) or unknown. */
export const cancelAct = (needs: ActNeeds): BulkAction<Cancel, ReplyOf<typeof cancelOrders>> => ({
  act: 'cancel',
  plan: async ({ orderIds, remedy }, id) => {
    const plan = planOf(await needs.orders.ordersNow(orderIds), orderIds, notPendingCode)
    const what = `${plan.orders.length} orders cancelled: {reason:${id}}`
    return { plan, change: { kind: 'cycles', what, old: null, new: { remedy } } }
  },
  carryOut: async ({ id: actId, plan: { orders: wanted, skipped }, body, by }) => {
    const ids = wanted.map(({ id }) => id)
    const changed = await needs.orders.changeOrders(ids, { kind: 'cancel', actId, remedy: body.remedy }, by)
    const refused = new Set(changed.skipped.map(({ id }) => id))
    const cancelled = wanted.filter(({ id }) => !refused.has(id))
    const told = await tellFamilies(needs, actId, cancelled, body)
    return {
      cancelled: cancelled.length,
      owed: kwachaFromNgwee(cancelled.reduce((sum, { owed }) => sum + owed, 0)),
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
  closedOrderCode: (row: OrderRow) => GoneCode | null,
): ActionPlan => {
  const known = new Map(rows.map((row) => [row.id, row]))
  const orders: ActionOrder[] = []
  const skipped: Skipped[] = []
  for (const orderId of new Set(orderIds)) {
    const row = known.get(orderId)
    const code = row ? closedOrderCode(row) : 'order_not_found'
    if (row && !code)
      orders.push({ id: orderId, userId: row.user_id, owed: owedFor(row), item: row.item_name })
    else skipped.push({ orderId, code: code!, message: refusal(code!).message })
  }
  return { orders, skipped }
}

type GoneCode = 'already_completed' | 'already_cancelled' | 'already_refunded'

export const cancelledCode = ({ status }: OrderRow): GoneCode | null =>
  status === 'cancelled' ? 'already_cancelled' : status === 'refunded' ? 'already_refunded' : null

const notPendingCode = (row: OrderRow): GoneCode | null =>
  row.status === 'completed' ? 'already_completed' : cancelledCode(row)

const owedFor = ({ payment_status, price, absence_credit }: OrderRow): number =>
  payment_status === 'confirmed' ? price - absence_credit : 0

const tellFamilies = async (
  needs: ActNeeds,
  actId: string,
  cancelled: readonly ActionOrder[],
  { reason, remedy }: Cancel,
) => {
  const families = ordersByFamily(cancelled)
  let notTold = 0
  for (const [userId, orders] of families) {
    const owed = new Map(orders.map((order) => [order.id, order.owed]))
    const meals = (await mealsOfOrders(needs.database.knex)([...owed.keys()])).map((meal) => ({
      ...meal,
      money: moneyText(owed.get(meal.id) ?? 0, remedy),
    }))
    const start = 'The school has cancelled these meals'
    const lines = meals.map((meal) => `- ${mealText(meal)}: ${meal.money}`).join('\n')
    const message = {
      subject: 'Meals of yours are cancelled',
      text: `${start} (${reason}):\n${lines}`,
      bareText: `${start}:\n${lines}`,
      short: `${start}: ${mealsInShort(meals.map(({ date }) => date))}. Money: ${moneyText(owedOf(orders), remedy)}.`,
    }
    if (!(await needs.messaging.messageUser(userId, message, `order-act-${actId}-${userId}`))) notTold += 1
  }
  await tellNewFamilies(needs)(cancelled, {
    subject: 'Meals of your child are cancelled',
    start: 'The school has cancelled these meals of your child',
    id: `order-act-${actId}`,
  })
  return { families: families.size, notTold }
}

const owedOf = (orders: readonly ActionOrder[]) => orders.reduce((sum, { owed }) => sum + owed, 0)

export const ordersByFamily = (orders: readonly ActionOrder[]): Map<number, ActionOrder[]> => {
  const families = new Map<number, ActionOrder[]>()
  for (const order of orders) families.set(order.userId, [...(families.get(order.userId) ?? []), order])
  return families
}

const moneyText = (owed: number, remedy: Remedy): string => {
  if (owed === 0) return 'nothing is to be paid back'
  const amount = `K${decimalFromNgwee(owed)}`
  return remedy === 'credit' ? `${amount} goes to your credit` : `${amount} will be refunded`
}

/** A mail's id comes from `id` and the family. */
type Told = { subject: string; start: string; id: string }

const childOf = (orderId: string): number => parseOrderId(orderId)!.lunch.studentId

/** Tells the payer of the money and the present guardians of the meals; `orders` name the payers. Repeatable. */
export const tellNewFamilies =
  ({ database: { knex }, identity, messaging }: OrderingNeeds) =>
  async (orders: readonly { id: string; userId: number }[], { subject, start, id }: Told): Promise<void> => {
    const guardians = await identity.guardiansOf([...new Set(orders.map((order) => childOf(order.id)))])
    const families = new Map<number, string[]>()
    for (const order of orders) {
      const now = guardians.get(childOf(order.id)) ?? []
      if (!hasMovedFrom(order.userId, now)) continue
      for (const guardian of now) families.set(guardian, [...(families.get(guardian) ?? []), order.id])
    }
    for (const [userId, orderIds] of families) {
      const meals = await mealsOfOrders(knex)(orderIds)
      const end = 'Whoever has paid for them is told of the money.'
      const lines = meals.map((meal) => `- ${mealText(meal)}`)
      const message = {
        subject,
        text: `${start}:\n${lines.join('\n')}\n${end}`,
        short: `${start}: ${mealsInShort(meals.map(({ date }) => date))}.`,
      }
      await messaging.messageUser(userId, message, `${id}-child-of-${userId}`)
    }
  }
