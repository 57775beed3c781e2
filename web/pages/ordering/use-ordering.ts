import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OrderCycle } from '#contracts/cycles'
import type { User } from '#contracts/identity'
import type { Order } from '#contracts/ordering'
import { holdsDay, pricedAs, withoutOrdered } from '../../features/cart/cart-items'
import type { CartItem } from '../../features/cart/cart-items'
import { useCart } from '../../features/cart/use-cart'
import type { Cart } from '../../features/cart/use-cart'
import { cyclesQuery, menuQuery } from '../../features/menu/api'
import { dayFace } from '../../features/menu/day-face'
import type { Eater, MenuDay } from '../../features/menu/day-face'
import type { MealChoice } from '../../features/menu/meal-card'
import { ordersQuery } from '../../features/orders/api'
import { counted } from '../../lib/format'
import { toast } from '../../lib/toast'
import { bothFaces } from '../../ui/query-faces'

/** What the menu of one eater shows and does: the menu, the cycles and the orders, and the cart between them. */
export const useOrdering = (user: User) => {
  const cart = useCart(user.id)
  const orders = useQuery(ordersQuery(user.role === 'teacher' ? 'teacher' : 'parent'))
  const cycles = useQuery(cyclesQuery)
  // Orders that cannot be read count as none; until that is known no day can be said to be open.
  const known = { ...orders, data: orders.data ?? (orders.error ? [] : undefined), error: null }
  const calendar = bothFaces(bothFaces(useQuery(menuQuery), cycles), known)
  usePrunedCart(cart, orders.data, cycles.data)

  const mayAdd = (eater: Eater, day: MenuDay) => {
    const refusal =
      dayFace(day, eater, [], orders.data ?? []).kind === 'ordered'
        ? { title: 'Already Ordered', text: 'You already have an order for this day' }
        : holdsDay(cart.items, cartDay(eater, day))
          ? { title: 'Already in Cart', text: 'You already have this day in your cart' }
          : null
    if (refusal) toast({ ...refusal, kind: 'error' })
    return !refusal
  }
  /** Puts meals of different days into the cart; a day that is taken is refused with a toast. Answers how many went in. */
  const add = (eater: Eater, meals: readonly DayChoice[]): number => {
    const lines = meals
      .filter(({ day }) => mayAdd(eater, day))
      .map(({ day, item, category, sideDish }) => ({
        ...pricedAs(item),
        ...cartDay(eater, day),
        student: eater,
        category,
        sideDish,
        comments: '',
      }))
    cart.update((now) => [...now, ...lines])
    return lines.length
  }
  const remove = (eater: Eater, day: MenuDay) => cart.remove(cartDay(eater, day))

  return { cart, orders, calendar, add, remove }
}

export type Ordering = ReturnType<typeof useOrdering>
export type DayChoice = MealChoice & { day: MenuDay }

const cartDay = (eater: Eater, { week, day }: MenuDay) => ({
  studentId: eater.id,
  weekNumber: week,
  dayOfWeek: day,
})

/** Takes out of the cart what is ordered meanwhile: by a payment that went on by itself, or on another device. */
const usePrunedCart = (
  { items, update }: Cart,
  orders: readonly Order[] | undefined,
  cycles: readonly OrderCycle[] | undefined,
) => {
  const cycleId = cycles?.find(({ isActive }) => isActive)?.id
  const prune = (now: readonly CartItem[]) =>
    orders && cycleId !== undefined ? withoutOrdered(now, orders, cycleId) : now
  const taken = items.length - prune(items).length
  useEffect(() => {
    if (taken === 0) return
    update(prune)
    toast({ title: 'Cart updated', text: prunedWords(taken), kind: 'info' })
  })
}

const prunedWords = (meals: number) =>
  `${counted(meals, 'meal is', 'meals are')} already ordered and no longer in your cart.`
