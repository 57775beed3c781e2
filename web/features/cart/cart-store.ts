import { safeParse } from 'zod/mini'
import { cartItem, type CartItem } from './cart-items'

/** Where this user's cart lies in the browser's local storage. */
export const cartKey = (userId: number): string => `tuckshop-cart-${userId}`

/** Where the sending of that cart lies until it is answered. */
export const attemptKey = (userId: number): string => `${cartKey(userId)}-attempt`

const listeners = new Set<() => void>()
const known = new Map<string, { text: string | null; items: readonly CartItem[] }>()

/** The cart as stored; the same array as long as the storage holds the same text. What is not a meal is left out. */
export const readCart = (userId: number): readonly CartItem[] => {
  const key = cartKey(userId)
  const text = localStorage.getItem(key)
  const before = known.get(key)
  if (before && before.text === text) return before.items
  const items = parsed(text)
  known.set(key, { text, items })
  return items
}

const parsed = (text: string | null): CartItem[] => {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.flatMap((item) => safeParse(cartItem, item).data ?? []) : []
  } catch {
    return []
  }
}

/** Stores the cart and notifies everybody on this page; the browser notifies other tabs. A changed cart is sent again. */
export const writeCart = (userId: number, items: readonly CartItem[]): void => {
  localStorage.setItem(cartKey(userId), JSON.stringify(items))
  localStorage.removeItem(attemptKey(userId))
  for (const listener of listeners) listener()
}

export const subscribeToCart = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
