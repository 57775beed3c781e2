import * as z from 'zod/mini'
import { type CartDay, type CartItem, isSameDay } from '../cart-items'
import { cartKey, readCart, writeCart } from '../cart-store'

const paying = z.object({
  transactionId: z.string(),
  days: z.array(
    z.object({
      studentId: z.number(),
      weekNumber: z.number(),
      dayOfWeek: z.number(),
      date: z.optional(z.string()),
    }),
  ),
})

const payingKey = (userId: number) => `${cartKey(userId)}-paying`

/** Keeps which meals of the cart this payment is for, so that they can leave the cart once it is known. */
export const rememberPaying = (userId: number, transactionId: string, items: readonly CartItem[]): void => {
  const days = items.map(({ studentId, weekNumber, dayOfWeek, date }) => ({
    studentId,
    weekNumber,
    dayOfWeek,
    date,
  }))
  localStorage.setItem(payingKey(userId), JSON.stringify({ transactionId, days }))
}

/**
 * Takes out of the cart what this payment was for, once. A return page that is opened again days later, or that belongs
 * to another device, leaves the cart of today alone.
 */
export const removePaid = (userId: number, transactionId: string): void => {
  const days = paidDays(userId, transactionId)
  if (!days) return
  localStorage.removeItem(payingKey(userId))
  writeCart(
    userId,
    readCart(userId).filter((item) => !days.some((day) => isSameDay(item, day))),
  )
}

const paidDays = (userId: number, transactionId: string): CartDay[] | null => {
  try {
    const stored = z.parse(paying, JSON.parse(localStorage.getItem(payingKey(userId)) ?? 'null'))
    return stored.transactionId === transactionId ? stored.days : null
  } catch {
    return null
  }
}
