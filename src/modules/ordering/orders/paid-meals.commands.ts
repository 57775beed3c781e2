import type { Ports } from '#platform/ports'
import { parseOrderId } from '#kernel/id'
import { loadStreams } from '#platform/event-store/command-handler'
import { mealSlot } from '../slot/meal-slot.decide'
import type { OrderRow } from './order'
import { orderFrom } from './orders.view'

/** In the asked order, as of that instant; orders not placed are left out. */
export const paidMeals =
  ({ eventStore }: Ports) =>
  async (orderIds: readonly string[], at: string) => {
    const wanted = orderIds.flatMap((id) => {
      const lunch = parseOrderId(id)?.lunch
      return lunch ? [{ id, lunch }] : []
    })
    const lunches = wanted.map(({ lunch }) => lunch)
    const slots = await loadStreams(eventStore, mealSlot, lunches)
    return wanted.flatMap(({ id }, index) => {
      const until = slots[index]?.events.filter(({ data }) => data.at <= at) ?? []
      const row = orderFrom(until, id)
      return row ? [{ attemptId: row.attempt_id, meal: mealOf(row) }] : []
    })
  }

const mealOf = (row: OrderRow) => ({
  mealDate: row.meal_date,
  student: row.student_name,
  item: row.item_name,
  category: row.category,
  sideDish: row.side_dish,
  originalPrice: row.original_price,
  price: row.price,
  credit: row.credit,
})
