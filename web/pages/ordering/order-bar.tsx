import { useMemo } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { closedText, totalOf } from '../../features/cart/cart'
import { CartButton, CartSum, OrderButton } from '../../features/cart/cart-buttons'
import { ChildSelect } from '../../features/menu/child-picker'
import { type Eater, useRemainingPortions } from '../../features/menu/menu-week'
import { filled, firstWay, isTaken, totalOf as totalOfRows } from '../../features/week-plan/suggest-week'
import { kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { planFacts } from './plan-facts'
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

/** Child, cart and the next step: fill the week, then order. */
export const OrderBar = ({ ordering, eaters, chosen, onChoose, week, onPlan }: OrderBarProps) => {
  const fill = useFill(ordering, eaters, week)
  const { items } = ordering.cart
  const cycles = ordering.calendar.data?.[0][1]
  const total = totalOf(items.filter((item) => closedText(cycles, item) === undefined))
  const isFull = week !== undefined && items.length > 0
  const canFill = week !== undefined && fill !== null && items.length === 0
  return (
    <section aria-label="Your order" className="order-bar">
      <ChildSelect eaters={eaters} chosen={chosen} onChoose={onChoose} />
      <div className="ml-auto flex max-w-full flex-none flex-wrap items-center justify-end gap-3 max-sm:gap-2">
        {isFull || canFill ? null : <CartSum total={total} />}
        <CartButton count={items.length} beside={isFull || canFill} />
        {isFull ? <OrderButton total={total} /> : null}
        {canFill ? (
          <Button className="px-3! text-sm! max-[22rem]:px-1.5!" onClick={() => onPlan(week)}>
            <span className="inline-block text-left leading-tight max-sm:w-min">
              <span className="whitespace-nowrap">
                Fill the week{fill.asLastWeek ? ',' : fill.price ? ':' : ''}
              </span>{' '}
              <span className="whitespace-nowrap">
                {fill.asLastWeek ? 'as last week: ' : ''}
                {fill.price}
              </span>
            </span>
          </Button>
        ) : null}
      </div>
    </section>
  )
}

/** What the plan of the week opens with; null where no day is open. */
const useFill = (ordering: Ordering, eaters: readonly Eater[], week: CycleWeek | undefined) => {
  const { calendar, cart, marks, add } = ordering
  const { data } = calendar
  const few = useRemainingPortions(data?.[0][1].find(({ isActive }) => isActive)?.weeks ?? [])
  return useMemo(() => {
    if (!data || !week) return null
    const { family } = planFacts({ week, eaters, few, ordering: { calendar: { data }, cart, marks, add } })
    const rows = family.flatMap((child) => filled(child, firstWay(child), []))
    if (rows.length === 0) return null
    const isTakenAny = rows.some(isTaken)
    const price = totalOfRows(rows)
    return {
      asLastWeek: family.some((child) => firstWay(child) === 'lastWeek'),
      price: isTakenAny ? (price === 0 ? 'Free' : kwacha(price)) : '',
    }
  }, [data, week, eaters, few, cart, marks, add])
}
