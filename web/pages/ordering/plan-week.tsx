import type { CycleWeek } from '#contracts/cycles'
import type { Order } from '#contracts/ordering'
import { sidesFor, type Eater } from '../../features/menu/day-content'
import type { OpenDay } from '../../features/menu/menu-week'
import { WeekPlan, type PlannedMeal } from '../../features/week-plan/week-plan'
import { counted } from '../../lib/format'
import { toast } from '../../lib/toast'
import type { Ordering } from './use-ordering'

type PlanWeekProps = {
  week: CycleWeek
  days: readonly OpenDay[]
  eater: Eater
  earlier: readonly Order[]
  onAdd: Ordering['add']
  onClose: () => void
}

/** Orders the open days of a week for one child at once. */
export const PlanWeek = ({ week, days, eater, earlier, onAdd, onClose }: PlanWeekProps) => {
  const add = (meals: PlannedMeal[]) => {
    const added = onAdd(
      eater,
      meals.map((meal) => ({ ...meal, day: days.find(({ day }) => day.day === meal.day)!.day })),
    )
    if (added === meals.length)
      toast({
        title: 'Added to your cart',
        text: `${counted(added, 'meal')} for ${eater.name}`,
        kind: 'success',
      })
    onClose()
  }
  return (
    <WeekPlan
      title={`Week ${week.week} for ${eater.name}`}
      name={eater.name}
      days={days.map(({ day: { day, date }, items }) => ({
        day,
        date,
        meals: items.map((item) => ({ item, sides: sidesFor(item, eater) })),
      }))}
      earlier={earlier}
      onAdd={add}
      onClose={onClose}
    />
  )
}
