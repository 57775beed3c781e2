import { parseOrderId } from '#kernel/id'
import { longDay } from '#kernel/school-time'
import { mealsInShort } from '#kernel/user-message'
import type { OrderingNeeds } from '../needs'
import { mealsOfOrders } from '../orders/active-orders.rows'
import { hasMovedFrom } from '../slot/known-order.decide'

/** A mail's id comes from `id` and the family. */
type Told = { subject: string; start: string; id: string }

const childOf = (orderId: string): number => parseOrderId(orderId)!.lunch.studentId

/**
 * After a child moved to another account: the payer is told of the money, present guardians of the meals. `orders` name the payers.
 * Repeatable.
 */
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
      const lines = meals.map(({ item, student, date }) => `- ${item} for ${student} on ${longDay(date)}`)
      const bare = meals.map(({ date }) => `- A meal on ${longDay(date)}`)
      const message = {
        subject,
        text: `${start}:\n${lines.join('\n')}\n${end}`,
        bareText: `${start}:\n${bare.join('\n')}\n${end}`,
        short: `${start}: ${mealsInShort(meals.map(({ date }) => date))}.`,
      }
      await messaging.messageUser(userId, message, `${id}-child-of-${userId}`)
    }
  }
