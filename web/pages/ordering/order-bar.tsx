import { Suspense } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { closedText, totalOf } from '../../features/cart/cart'
import { CartButton, CartSum, OrderButton } from '../../features/cart/cart-buttons'
import { ChildSelect } from '../../features/menu/child-picker'
import type { Eater } from '../../features/menu/menu-week'
import { lazyComponent } from '../../lib/lazy'
import type { Ordering } from './use-ordering'

type OrderBarProps = {
  ordering: Ordering
  eaters: readonly Eater[]
  chosen: Eater
  onChoose: (id: number) => void
  /** The family's week at the head; absent where there is none. */
  week?: CycleWeek | undefined
  onPlan: (week: CycleWeek) => void
}

const FillButton = lazyComponent(() => import('./fill-button').then((m) => m.FillButton))

/** Child, cart and the next step: fill the week, then order. */
export const OrderBar = ({ ordering, eaters, chosen, onChoose, week, onPlan }: OrderBarProps) => {
  const { items } = ordering.cart
  const cycles = ordering.calendar.data?.[0][1]
  const total = totalOf(items.filter((item) => closedText(cycles, item) === undefined))
  return (
    <section aria-label="Your order" className="order-bar">
      <ChildSelect eaters={eaters} chosen={chosen} onChoose={onChoose} />
      <div className="ml-auto flex max-w-full flex-none flex-wrap items-center justify-end gap-3 max-sm:gap-2">
        {week ? null : <CartSum total={total} />}
        <CartButton count={items.length} beside={week !== undefined} />
        {week && items.length > 0 ? <OrderButton total={total} /> : null}
        {week && items.length === 0 ? (
          <Suspense>
            <FillButton
              ordering={ordering}
              eaters={eaters}
              week={week}
              onPlan={onPlan}
              otherwise={<CartSum total={total} />}
            />
          </Suspense>
        ) : null}
      </div>
    </section>
  )
}
