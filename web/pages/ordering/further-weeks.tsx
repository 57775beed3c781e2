import { useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek } from '#contracts/cycles'
import type { PlanFields } from '#contracts/plan'
import { EveryWeek } from '../../features/family-plan/every-week'
import { type Eater, useRemainingPortions } from '../../features/menu/menu-week'
import type { PlannedMeal } from '../../features/week-plan/week-plan'
import { counted, dayAndMonth, dayName } from '../../lib/format'
import { usePlan } from '../../queries/plan'
import { Button } from '../../ui/button'
import { planFacts, type Planning } from './plan-facts'

type FurtherWeeksProps = {
  meals: readonly PlannedMeal[]
  week: CycleWeek
  eaters: readonly Eater[]
  ordering: Planning
  onSaved: () => void
}

/** Beyond the week that was chosen: every week by a plan, or the rest of the cycle by the cart. */
export const FurtherWeeks = ({ meals, week, eaters, ordering, onSaved }: FurtherWeeksProps) => {
  const plan = usePlan()
  const [isAsked, ask] = useState(false)
  const [told, tell] = useState<string[] | null>(null)
  const weeks = ordering.calendar.data?.[0][1].find(({ isActive }) => isActive)?.weeks ?? []
  const later = weeks.filter((one) => one.week > week.week && one.days.some(({ state }) => state === 'open'))
  const few = useRemainingPortions(weeks)
  if (!plan?.offered && later.length === 0) return null
  const fill = () => {
    const filled = later.map((one) =>
      sameMeals(planFacts({ week: one, eaters, ordering, few }), meals, eaters),
    )
    const added = eaters.map((eater) =>
      ordering.add(
        eater,
        filled.flatMap(({ taken }) => taken.filter(({ childId }) => childId === eater.id)),
      ),
    )
    const total = added.reduce((sum, count) => sum + count, 0)
    tell([
      `${counted(total, 'meal')} of later weeks put into your cart.`,
      ...filled.flatMap(({ left }) => left),
    ])
  }
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        {plan?.offered && !isAsked ? (
          <Button variant="secondary" onClick={() => ask(true)}>
            Order this every week
          </Button>
        ) : null}
        {later.length > 0 && told === null ? (
          <Button variant="secondary" onClick={fill}>
            The same until the end of the cycle
          </Button>
        ) : null}
      </div>
      {told ? (
        <ul className="mt-2 text-sm" aria-live="polite">
          {told.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      ) : null}
      {isAsked && plan ? (
        <EveryWeek
          namesOf={new Map(eaters.map(({ id, name }) => [id, name]))}
          wanted={childrenOf(meals)}
          saved={plan.plan}
          version={plan.version}
          onSaved={onSaved}
        />
      ) : null}
    </>
  )
}

const childrenOf = (meals: readonly PlannedMeal[]): PlanFields['children'] =>
  [...new Set(meals.map(({ childId }) => childId))].map((studentId) => ({
    studentId,
    days: meals
      .filter(({ childId }) => childId === studentId)
      .map(({ day, item: { id, price, discountPrice }, category, sideDish }) => ({
        day,
        dishes: [{ menuItemId: id, category, sideDish, price: Number(discountPrice ?? price) }],
      })),
  }))

/** `item` may be gone from the menu. */
export type WantedMeal = Omit<PlannedMeal, 'item'> & { item: Pick<MenuItem, 'id' | 'name'> }

/** What of these meals another week has, and why not the rest. */
export const sameMeals = (
  { family, closed, viewsOf }: ReturnType<typeof planFacts>,
  meals: readonly WantedMeal[],
  eaters: readonly Eater[],
) => {
  const each = meals.map((meal) => {
    const child = family.find(({ id }) => id === meal.childId)!
    const view = viewsOf(eaters.find(({ id }) => id === meal.childId)!).find(
      ({ day }) => day.day === meal.day,
    )
    const open = child.days.find(({ day }) => day === meal.day)
    const found = open?.meals.find(({ item }) => item.id === meal.item.id)
    const isChosen =
      found && isAmong(found.item.categories, meal.category) && isAmong(found.sides, meal.sideDish)
    if (view && isChosen) return { taken: { ...meal, item: found.item, day: view.day }, left: null }
    const told = [...child.told, ...closed].find(({ day }) => day === meal.day)
    const why = found
      ? `Please choose ${meal.item.name} on the menu`
      : open
        ? `${meal.item.name} is not offered`
        : (told?.words ?? 'Closed for orders')
    const date = view ? ` ${dayAndMonth(view.day.date)}` : ''
    return { taken: null, left: `${dayName(meal.day)}${date}, ${child.name}: ${why}` }
  })
  return {
    taken: each.flatMap(({ taken }) => taken ?? []),
    left: each.flatMap(({ left }) => left ?? []),
  }
}

const isAmong = (choices: readonly string[], choice: string | null): boolean =>
  choices.length === 0 || (choice !== null && choices.includes(choice))
