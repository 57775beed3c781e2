import { useSyncExternalStore } from 'react'
import { type CartDay, type CartItem, isSameDay, withoutDay } from './cart-items'
import { readCart, subscribeToCart, writeCart } from './cart-store'

export type Cart = {
  items: readonly CartItem[]
  add: (item: CartItem) => void
  remove: (day: CartDay) => void
  setComments: (day: CartDay, comments: string) => void
  /** Somebody was asked about what is in this meal and wants it. */
  acknowledge: (day: CartDay) => void
  /** Changes the cart as it is now, which another tab may have changed since it was drawn. */
  update: (change: (items: readonly CartItem[]) => readonly CartItem[]) => void
  clear: () => void
}

/** The cart of this user on this device, the same on every screen and in every tab. */
export const useCart = (userId: number): Cart => {
  const items = useSyncExternalStore(subscribeToCart, () => readCart(userId))
  const update: Cart['update'] = (change) => writeCart(userId, change(readCart(userId)))
  return {
    items,
    update,
    add: (item) => update((now) => [...withoutDay(now, item), item]),
    remove: (day) => update((now) => withoutDay(now, day)),
    setComments: (day, comments) =>
      update((now) => now.map((item) => (isSameDay(item, day) ? { ...item, comments } : item))),
    acknowledge: (day) =>
      update((now) => now.map((item) => (isSameDay(item, day) ? { ...item, acknowledged: true } : item))),
    clear: () => update(() => []),
  }
}
