import * as z from 'zod/mini'
import { endpoint, idParam } from './endpoint'

/**
 * `left` of `limit` portions; null: the item has no limit and is sold out on this date by hand. Administrators also learn
 * how many portions are `taken`, by live orders and reservations, and whether the date was sold out by hand.
 */
const portionsLeft = z.object({
  menuItemId: z.number(),
  date: z.string(),
  limit: z.nullable(z.number()),
  left: z.number(),
  taken: z.optional(z.number()),
  soldOut: z.optional(z.boolean()),
})
export type PortionsLeft = z.infer<typeof portionsLeft>

/**
 * What is left of limited items on each date of a day of the week on which they are offered, from the first date to the
 * last one, at most 62 days, and the dates that were sold out by hand (`left` 0). What is absent can be ordered freely.
 */
export const listPortions = endpoint('GET', '/api/menu/portions', {
  query: z.object({ from: z.iso.date(), to: z.iso.date() }),
  reply: z.object({ data: z.array(portionsLeft) }),
})

/** Stops or allows ordering of one item on one date; `orders`: how many live orders of it stand on that date. */
export const setSoldOut = endpoint('PUT', '/api/menu/:id/sold-out', {
  params: idParam,
  body: z.object({ date: z.iso.date(), soldOut: z.boolean() }),
  reply: z.object({ orders: z.number() }),
})
