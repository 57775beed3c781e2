import { useQuery } from '@tanstack/react-query'
import type { User } from '#contracts/identity'
import { holdsDay, pricedAs } from '../../features/cart/cart-items'
import { useCart } from '../../features/cart/use-cart'
import { cyclesQuery, menuQuery } from '../../features/menu/api'
import { dayFace } from '../../features/menu/day-face'
import type { Eater, MenuDay } from '../../features/menu/day-face'
import type { MealChoice } from '../../features/menu/meal-card'
import { ordersQuery } from '../../features/orders/api'
import { toast } from '../../lib/toast'
import { bothFaces } from '../../ui/query-faces'

/** What the menu of one eater shows and does: the menu, the cycles and the orders, and the cart between them. */
export const useOrdering = (user: User) => {
  const cart = useCart(user.id)
  const orders = useQuery(ordersQuery(user.role === 'teacher' ? 'teacher' : 'parent'))
  const calendar = bothFaces(useQuery(menuQuery), useQuery(cyclesQuery))

  const add = (eater: Eater, day: MenuDay, { item, category, sideDish }: MealChoice) => {
    const at = { studentId: eater.id, weekNumber: day.week, dayOfWeek: day.day }
    if (dayFace(day, eater, [], orders.data ?? []).kind === 'ordered')
      return toast({
        title: 'Already Ordered',
        text: 'You already have an order for this day',
        kind: 'error',
      })
    if (holdsDay(cart.items, at))
      return toast({
        title: 'Already in Cart',
        text: 'You already have this day in your cart',
        kind: 'error',
      })
    return cart.add({ ...pricedAs(item), ...at, student: eater, category, sideDish, comments: '' })
  }
  const remove = (eater: Eater, day: MenuDay) =>
    cart.remove({ studentId: eater.id, weekNumber: day.week, dayOfWeek: day.day })

  return { cart, orders, calendar, add, remove }
}

export type Ordering = ReturnType<typeof useOrdering>
