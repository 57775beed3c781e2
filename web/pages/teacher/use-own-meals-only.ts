import { useEffect } from 'react'
import type { Cart } from '../../features/cart/use-cart'
import { toast } from '../../lib/toast'

/** Takes out of a teacher's cart what was meant for children before the account became a teacher's. */
export const useOwnMealsOnly = ({ items, update }: Cart, ownId: number | undefined): void => {
  const isOthers = ({ studentId }: { studentId: number }) => ownId !== undefined && studentId !== ownId
  const hasOthers = items.some(isOthers)
  useEffect(() => {
    if (!hasOthers) return
    update((now) => now.filter((item) => !isOthers(item)))
    toast({ title: 'Cart updated', text: 'A teacher account orders for its owner only.', kind: 'info' })
  })
}
