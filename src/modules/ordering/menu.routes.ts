import { getMenuItem, listMenu, listPortions, setSoldOut, type PortionsLeft } from '#contracts/catalogue'
import { pricedFor } from '#contracts/discounts'
import { addDays, weekdayOf, type SchoolDate } from '#kernel/school-time'
import type { MenuItem } from '#modules/catalogue/published'
import { buyersOrFeature, route, signedIn, withFeature, type Principal } from '#platform/http/route'
import type { OrderNeeds, ordersOn, portionsTaken } from './portions/portions.view'

const seesArchived = ({ role }: Principal) => role === 'admin'

export const menuRoutes = (
  { catalogue, discountOf, now }: OrderNeeds,
  takenIn: ReturnType<typeof portionsTaken>,
  countOn: ReturnType<typeof ordersOn>,
) => [
  route(listPortions, buyersOrFeature('menu'), async ({ query: { from, to }, user }) => {
    const dates = datesBetween(from, to)
    const isOffice = user.role === 'admin'
    const items = await catalogue.itemsInPortions()
    const counted = items.filter(({ portionLimit }) => isOffice || portionLimit !== null)
    const taken = await takenIn({ itemIds: counted.map(({ id }) => id), from, to, at: now() })
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

  route(setSoldOut, withFeature('menu'), async ({ params: { id }, body, by }) => {
    await catalogue.setSoldOut(id, body, by)
    return { orders: await countOn(id, body.date) }
  }),

  route(listMenu, signedIn, async ({ user }) => {
    const items = seesArchived(user) ? await catalogue.allItems() : await catalogue.menu()
    const { percentage } = (await discountOf(user.userId, []))(null)
    return items.map((item) => pricedFor(catalogue.menuItemReply(item), percentage))
  }),

  route(getMenuItem, signedIn, async ({ params, user }) => {
    const item = await catalogue.itemOf(params.id)
    if (item.isArchived && !seesArchived(user)) throw catalogue.itemNotFound()
    const { percentage } = (await discountOf(user.userId, []))(null)
    return pricedFor(catalogue.menuItemReply(item), percentage)
  }),
]

const datesBetween = (from: SchoolDate, to: SchoolDate): SchoolDate[] => {
  const dates: SchoolDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}

/** Null for unlimited items and days without the item. */
const portionsLeft = (
  { id, portionLimit: limit, soldOutDates, daysOfWeek }: MenuItem,
  date: SchoolDate,
  taken: number,
): PortionsLeft | null => {
  if (soldOutDates.includes(date)) return { menuItemId: id, date, limit, left: 0 }
  if (limit === null || !daysOfWeek.includes(weekdayOf(date))) return null
  return { menuItemId: id, date, limit, left: Math.max(0, limit - taken) }
}
