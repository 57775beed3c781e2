import { listPortions, setSoldOut, type PortionsLeft } from '#contracts/portions'
import { addDays, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { httpRefusal } from '#platform/http/http-refusals'
import { route, whoeverOrdersOr, withFeature } from '#platform/http/route'
import type { MenuItem } from './menu-item.decide'
import { itemsInPortions } from './menu-items.rows'
import type { menuCommands } from './menu.commands'
import type { CatalogueNeeds } from './needs'

type PortionNeeds = Pick<CatalogueNeeds, 'database' | 'ordering' | 'now'>

/** How many portions of items there are for each date, and items that are sold out by hand. */
export const portionRoutes = (
  commands: ReturnType<typeof menuCommands>,
  { database: { knex }, ordering, now }: PortionNeeds,
) => [
  route(listPortions, whoeverOrdersOr('menu'), async ({ query: { from, to }, user }) => {
    const dates = datesBetween(from, to)
    const isOffice = user.role === 'admin'
    const items = await itemsInPortions(knex)
    const counted = items.filter(({ portionLimit }) => isOffice || portionLimit !== null)
    const taken = await ordering.portionsTaken({ itemIds: counted.map(({ id }) => id), from, to, at: now() })
    const takenOf = new Map(taken.map((one) => [`${one.itemId}.${one.date}`, one.taken]))
    return {
      data: items.flatMap((item) =>
        dates.flatMap((date) => {
          const taken = takenOf.get(`${item.id}.${date}`) ?? 0
          const left = portionsLeft(item, date, taken)
          if (!left) return []
          return isOffice ? { ...left, taken, soldOut: item.soldOutDates.includes(date) } : left
        }),
      ),
    }
  }),

  route(setSoldOut, withFeature('menu'), async ({ params: { id }, body, actor, correlationId }) => {
    await commands.setSoldOut(id, body, { actor, correlationId })
    return { orders: await ordering.ordersOn(id, body.date) }
  }),
]

const mostDays = 62

const datesBetween = (from: SchoolDate, to: SchoolDate): SchoolDate[] => {
  if (to > addDays(from, mostDays - 1)) {
    const message = `At most ${mostDays} days can be asked for at once`
    throw httpRefusal('validation_failed', message, { fields: { to: message } })
  }
  const dates: SchoolDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}

/** Null where the item can be ordered in any number, or is not offered on this day of the week. */
const portionsLeft = (
  { id, portionLimit: limit, soldOutDates, daysOfWeek }: MenuItem,
  date: SchoolDate,
  taken: number,
): PortionsLeft | null => {
  if (soldOutDates.includes(date)) return { menuItemId: id, date, limit, left: 0 }
  if (limit === null || !daysOfWeek.includes(weekdayOf(date))) return null
  return { menuItemId: id, date, limit, left: Math.max(0, limit - taken) }
}
