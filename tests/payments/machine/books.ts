import type { CartLine } from '#contracts/ordering'
import type { MenuFacts } from '#modules/ordering/cart/line-policies.decide'
import { attemptIdFor } from '#modules/payments/checkout/free-checkout.job'
import { nshima } from '../../ordering/lunches'
import type { Cart } from './acts'

/** What is sold, dear, cheap and free; the second parent pays a tenth less. */
export const menu: readonly MenuFacts[] = [
  nshima,
  { ...nshima, id: 4, name: 'Beans', price: 3000 },
  { ...nshima, id: 5, name: 'Porridge', price: 0 },
]
const prices = [
  [4550, 3000, 0],
  [4095, 2700, 0],
] as const

export const parentId = (family: number, parent: number) => 1000 + family * 10 + parent
export const childId = (family: number, child: number) => 5000 + family * 10 + child

/** One cart as its parent knows it: what each line costs them, in ngwee, by the price list and nothing else. */
export const cartBook = (family: number, { parent, child, days, item, how }: Cart, number: number) => {
  const userId = parentId(family, parent)
  const key = `cart-${number}`
  const price = prices[parent as 0 | 1][item as 0 | 1 | 2]
  const lines = days.map((dayOfWeek): CartLine => ({
    menuItemId: menu[item]!.id,
    studentId: childId(family, child),
    weekNumber: 1,
    dayOfWeek,
    category: 'beef',
    sideDish: 'Cabbage',
    originalPrice: menu[item]!.price / 100,
  }))
  return {
    userId,
    key,
    attemptId: attemptIdFor(userId, key),
    isCard: how === 'card' && price > 0,
    price,
    total: price * lines.length,
    lines,
  }
}
export type CartBook = ReturnType<typeof cartBook>

/** One act of paying back: `amount` leaves the drawer when the service has it in its lists under this `reference`. */
export type Payout = { refundId: string; reference: string; amount: number }
