import type { ReactNode } from 'react'
import type { CycleWeek } from '#contracts/cycles'
import { type Eater, useRemainingPortions } from '../../features/menu/menu-week'
import { WeekPlan, type PlannedMeal } from '../../features/week-plan/week-plan'
import { counted } from '../../lib/format'
import { toast } from '../../lib/toast'
import { planFacts, type Planning } from './plan-facts'

type PlanWeekProps = {
  week: CycleWeek
  eaters: readonly Eater[]
  ordering: Planning
  onClose: () => void
  onAdded: () => void
  /** Of a family itself. */
  renderFurther?: (meals: PlannedMeal[]) => ReactNode
}

/** Then shows them in the cart. */
export const PlanWeek = ({ week, eaters, ordering, onClose, onAdded, renderFurther }: PlanWeekProps) => {
  const [[, cycles]] = ordering.calendar.data!
  const few = useRemainingPortions(cycles.find(({ isActive }) => isActive)?.weeks ?? [])
  const { family, closed, viewsOf } = planFacts({ week, eaters, ordering, few })
  const add = (meals: PlannedMeal[]) => {
    const added = eaters.map((eater) => {
      const views = viewsOf(eater)
      const own = meals.filter(({ childId }) => childId === eater.id)
      return ordering.add(
        eater,
        own.map((meal) => ({ ...meal, day: views.find(({ day }) => day.day === meal.day)!.day })),
      )
    })
    const total = added.reduce((sum, count) => sum + count, 0)
    const names = eaters.filter((_eater, one) => added[one]! > 0).map(({ name }) => name)
    if (total === meals.length)
      toast({
        title: ordering.added ?? 'Added to your cart',
        text: `${counted(total, 'meal')} for ${names.join(' and ')}`,
      })
    onClose()
    if (total > 0) onAdded()
  }
  return (
    <WeekPlan
      title={`Week ${week.week} for ${eaters.length === 1 ? eaters[0]!.name : 'all children'}`}
      closed={closed}
      family={family}
      onAdd={add}
      renderFurther={renderFurther}
      onClose={onClose}
    />
  )
}
