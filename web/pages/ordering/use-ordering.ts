import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { OrderCycle } from '#contracts/cycles'
import type { Student, User } from '#contracts/identity'
import type { Order } from '#contracts/ordering'
import {
  holdsDay,
  pricedAs,
  withoutDay,
  withoutOrdered,
  type CartItem,
  readCart,
  writeCart,
  useCart,
  type Cart,
} from '../../features/cart/cart'
import type { DayChoice } from '../../features/menu/day-card'
import { menuMarksQuery, dayContent, type Eater, type MenuDay } from '../../features/menu/menu-week'
import { ordersQuery } from '../../features/orders/api'
import { refresh } from '../../lib/endpoint-query'
import { counted } from '../../lib/format'
import { toast } from '../../lib/toast'
import { cartKey } from '../../queries/cart-here'
import { menuQuery } from '../../queries/catalogue'
import { calendarQuery, daysOf } from '../../queries/cycles'
import { studentsQuery } from '../../queries/identity'
import { discountsQuery } from '../../queries/ordering'
import { combinedQuery } from '../../ui/query-result'

const none: Order[] = []

/** Menu, cycles, orders and cart of one eater. */
export const useOrdering = (user: User) => {
  const cart = useCart(user.id)
  const as: 'parent' | 'teacher' = user.role === 'teacher' ? 'teacher' : 'parent'
  const orders = useQuery(ordersQuery(as))
  const cycles = useQuery(calendarQuery)
  const marks = useQuery(menuMarksQuery)
  // Unreadable orders count as none; before the first answer no day is open.
  const known = { ...orders, data: orders.data ?? (orders.error ? none : undefined), error: null }
  const calendar = combinedQuery(combinedQuery(useQuery(menuQuery), cycles), known)
  // Waits for health data before offering meals. Unmarked, the server still refuses.
  const isMarked = marks.data !== undefined || marks.error !== null
  useOrdersOfOtherTabs(user.id)
  useOrdersAtNewCutoffs(cycles.data)
  usePrunedCart(cart, orders.data, cycles.data)

  const ordered = orders.data
  const add = useCallback(
    (eater: Eater, meals: readonly DayChoice[]): number => {
      const lines = meals.filter(({ day }) => mayAdd(user.id, ordered ?? [], eater, day)).map(lineOf(eater))
      writeCart(user.id, [...readCart(user.id), ...lines])
      return lines.length
    },
    [user.id, ordered],
  )
  const remove = useCallback(
    (eater: Eater, day: MenuDay) => writeCart(user.id, withoutDay(readCart(user.id), cartDay(eater, day))),
    [user.id],
  )

  return {
    as,
    cart,
    orders,
    calendar: isMarked ? calendar : { ...calendar, data: undefined },
    /** Undefined while unknown. */
    marks: marks.data,
    marksFailed: marks.error !== null && marks.data === undefined,
    add,
    remove,
  }
}

export type Ordering = ReturnType<typeof useOrdering>

/** Whom this user orders for, each with its discount; the menu's own prices count where that cannot be read. */
export const useEaters = () => {
  const { data, error } = useQuery(discountsQuery)
  const withDiscounts = useCallback(
    (students: Student[]) =>
      students.map((student) => {
        const found = data?.children.find(({ studentId }) => studentId === student.id)
        return { ...student, discountPercentage: found?.discountPercentage }
      }),
    [data],
  )
  const eaters = useQuery({ ...studentsQuery, select: withDiscounts })
  return data || error ? eaters : { ...eaters, data: undefined }
}

/** Whether something is ordered that a child turned out to be allergic to, or that is against its diet. */
export const hasConflict = ({ orders }: Ordering): boolean =>
  orders.data?.some(({ allergens, diets }) => allergens?.length || diets?.length) ?? false

const mayAdd = (userId: number, orders: readonly Order[], eater: Eater, day: MenuDay): boolean => {
  const refusal =
    dayContent(day, eater, [], orders).kind === 'ordered'
      ? { title: 'Already Ordered', text: 'You already have an order for this day' }
      : holdsDay(readCart(userId), cartDay(eater, day))
        ? { title: 'Already in Cart', text: 'You already have this day in your cart' }
        : null
  if (refusal) toast({ ...refusal, kind: 'error' })
  return !refusal
}

const cartDay = (eater: Eater, { week, day, date }: MenuDay) => ({
  studentId: eater.id,
  weekNumber: week,
  dayOfWeek: day,
  date,
})

export const lineOf =
  (student: Eater) =>
  ({ day, item, category, sideDish, acknowledged }: DayChoice): CartItem => ({
    ...pricedAs(item),
    ...cartDay(student, day),
    cycleId: day.cycleId,
    student: { ...student, class: student.class ?? undefined },
    category,
    sideDish,
    comments: '',
    ...(acknowledged && { acknowledged }),
  })

/** A cart changed in another tab may have been ordered: refetches orders. */
const useOrdersOfOtherTabs = (userId: number) => {
  const client = useQueryClient()
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === cartKey(userId)) void refresh(client, 'ordering')
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [client, userId])
}

/** A changed cutoff changes what may still be done with an order, too. */
const useOrdersAtNewCutoffs = (cycles: readonly OrderCycle[] | undefined) => {
  const client = useQueryClient()
  const cutoffs =
    cycles &&
    daysOf(cycles)
      .map(({ cutoffAt }) => cutoffAt)
      .join()
  const known = useRef(cutoffs)
  useEffect(() => {
    const before = known.current
    known.current = cutoffs ?? before
    if (before !== undefined && cutoffs !== undefined && before !== cutoffs)
      void refresh(client, 'ordering', 'cycles')
  }, [client, cutoffs])
}

/** Drops days ordered elsewhere or by a finished payment. */
const usePrunedCart = (
  { items, update }: Cart,
  orders: readonly Order[] | undefined,
  cycles: readonly OrderCycle[] | undefined,
) => {
  const cycleId = cycles?.find(({ isActive }) => isActive)?.id
  const prune = (now: readonly CartItem[]) =>
    orders && cycleId !== undefined ? withoutOrdered(now, orders, cycleId) : now
  const pruned = items.length - prune(items).length
  useEffect(() => {
    if (pruned === 0) return
    update(prune)
    toast({ title: 'Cart updated', text: prunedText(pruned), kind: 'info' })
  })
}

const prunedText = (meals: number) =>
  `${counted(meals, 'meal is', 'meals are')} already ordered and no longer in your cart.`
