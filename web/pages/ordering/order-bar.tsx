import { CartButton, CartSum } from '../../features/cart/cart-buttons'
import { ChildSelect } from '../../features/menu/child-select'
import type { Eater } from '../../features/menu/day-content'

type OrderBarProps = {
  eaters: readonly Eater[]
  chosen: Eater
  onChoose: (id: number) => void
  /** Meals in the cart, and what they cost in kwacha. */
  meals: number
  total: number
}

/** The one bar at the foot of the menu: the child, the meals in the cart, what they cost, and the way there. */
export const OrderBar = ({ eaters, chosen, onChoose, meals, total }: OrderBarProps) => (
  <section aria-label="Your order" className="order-bar">
    <ChildSelect eaters={eaters} chosen={chosen} onChoose={onChoose} />
    <div className="ml-auto flex flex-none items-center gap-3">
      <CartSum count={meals} total={total} />
      <CartButton count={meals} />
    </div>
  </section>
)
