import { type ReactNode, useMemo } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { type Eater, useRemainingPortions } from '../../features/menu/menu-week'
import { filled, firstWay, isTaken, totalOf } from '../../features/week-plan/suggest-week'
import { kwacha } from '../../lib/format'
import { Button } from '../../ui/button'
import { planFacts } from './plan-facts'
import type { Ordering } from './use-ordering'

type Filling = { ordering: Ordering; eaters: readonly Eater[]; week: CycleWeek }

/** "Fill the week, as last week: K147.00", or `otherwise` where no day is open. */
export const FillButton = ({
  onPlan,
  otherwise,
  ...filling
}: Filling & { onPlan: (week: CycleWeek) => void; otherwise: ReactNode }) => {
  const fill = useFill(filling)
  if (!fill) return otherwise
  return (
    <Button className="px-3! text-sm! max-[22rem]:px-1.5!" onClick={() => onPlan(filling.week)}>
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
  )
}

/** What the plan of the week opens with; null where no day is open. */
const useFill = ({ ordering, eaters, week }: Filling) => {
  const { calendar, cart, marks, add } = ordering
  const { data } = calendar
  const few = useRemainingPortions(data?.[0][1].find(({ isActive }) => isActive)?.weeks ?? [])
  return useMemo(() => {
    if (!data) return null
    const { family } = planFacts({ week, eaters, few, ordering: { calendar: { data }, cart, marks, add } })
    const rows = family.flatMap((child) => filled(child, firstWay(child), []))
    if (rows.length === 0) return null
    const price = totalOf(rows)
    return {
      asLastWeek: family.some((child) => firstWay(child) === 'lastWeek'),
      price: rows.some(isTaken) ? (price === 0 ? 'Free' : kwacha(price)) : '',
    }
  }, [data, week, eaters, few, cart, marks, add])
}
