import { useQuery } from '@tanstack/react-query'
import { markOf, type MealMark } from '#contracts/mark-words'
import { knownMenuQuery, mealMarksQuery } from './api'
import type { CartItem } from './cart-items'

/** How a meal in the cart is marked, and whether it is in the way of the order. */
export type CartMark = MealMark & { stops: boolean }

/**
 * Marks meals by what their children must not have now, whatever was known when they were chosen. A meal that the menu no
 * longer has is not marked: the server judges it.
 */
export const useCartMarks = (): ((item: CartItem) => CartMark) => {
  const marks = useQuery(mealMarksQuery).data
  const menu = useQuery(knownMenuQuery).data
  return (item) => {
    const known = menu?.find(({ id }) => id === item.menuItemId)
    const mark = markOf(known && marks, item.student, known ?? emptyMeal, item.category)
    return { ...mark, stops: mark.rule === 'block' || (mark.rule === 'warn' && !item.acknowledged) }
  }
}

const emptyMeal = { name: '', allergens: [], categories: [] }
