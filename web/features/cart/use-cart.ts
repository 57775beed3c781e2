import { useSyncExternalStore } from 'react'
import { isSameDay, withoutDay } from './cart-items'
import type { CartDay, CartItem } from './cart-items'
import { readCart, subscribeToCart, writeCart } from './cart-store'

export type Cart = {
  items: readonly CartItem[]
  add: (item: CartItem) => void
  remove: (day: CartDay) => void
  setComments: (day: CartDay, comments: string) => void
  replace: (items: readonly CartItem[]) => void
  clear: () => void
}

/** The cart of this user on this device, the same on every screen and in every tab. */
export const useCart = (userId: number): Cart => {
  const items = useSyncExternalStore(subscribeToCart, () => readCart(userId))
  const replace = (next: readonly CartItem[]) => writeCart(userId, next)
  return {
    items,
    replace,
    add: (item) => replace([...withoutDay(readCart(userId), item), item]),
    remove: (day) => replace(withoutDay(readCart(userId), day)),
    setComments: (day, comments) =>
      replace(readCart(userId).map((item) => (isSameDay(item, day) ? { ...item, comments } : item))),
    clear: () => replace([]),
  }
}
