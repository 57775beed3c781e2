import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek } from '#contracts/cycles'
import type { PlanReply } from '#contracts/plan'
import { useRemainingPortions } from '../../features/menu/menu-week'
import { counted, mondayOf } from '../../lib/format'
import { toast } from '../../lib/toast'
import { afterPaint } from '../../lib/use-time'
import { usePlan } from '../../queries/plan'
import { SkippedNotice } from '../../ui/notice'
import { sameMeals, type WantedMeal } from './further-weeks'
import { planFacts } from './plan-facts'
import { useEaters, type Ordering } from './use-ordering'

type PlanIntoCartProps = { week: string; ordering: Ordering; onRead: () => void }

/** The link of a plan's letter: puts the meals of `week` into the cart once, and says which it cannot. */
export const PlanIntoCart = ({ week, ordering, onRead }: PlanIntoCartProps) => {
  const plan = usePlan()
  const eaters = useEaters().data
  const [, setQuery] = useSearchParams()
  const [left, setLeft] = useState<string[] | null>(null)
  const calendar = ordering.calendar.data
  const weeks = calendar?.[0][1].find(({ isActive }) => isActive)?.weeks ?? []
  const few = useRemainingPortions(weeks)
  const put = useEffectEvent(() => {
    const found = weeks.find(({ days }) => days.some(({ date }) => mondayOf(date) === week))
    const meals = found ? wantedOf(plan!, found, calendar![0][0]) : []
    const isInCart = (meal: WantedMeal) =>
      ordering.cart.items.some(
        ({ studentId, weekNumber, dayOfWeek }) =>
          studentId === meal.childId && weekNumber === found?.week && dayOfWeek === meal.day,
      )
    const wanted = meals.filter((meal) => !isInCart(meal))
    const own = eaters!.filter(({ id }) => wanted.some(({ childId }) => childId === id))
    const { taken, left: without } = found
      ? sameMeals(
          planFacts({ week: found, eaters: own, ordering, few }),
          wanted.filter(({ childId }) => own.some(({ id }) => id === childId)),
          own,
        )
      : { taken: [], left: ['No day of this week can be ordered any more'] }
    for (const eater of own)
      ordering.add(
        eater,
        taken.filter(({ childId }) => childId === eater.id),
      )
    if (taken.length > 0) toast({ title: 'Added to your cart', text: counted(taken.length, 'meal') })
    setLeft(found && meals.length === 0 ? ['Your plan has no meals for this week'] : without)
    setQuery(
      (now) => {
        now.delete('plan')
        return now
      },
      { replace: true },
    )
  })
  const isKnown =
    plan !== undefined && eaters !== undefined && calendar !== undefined && ordering.orders.data !== undefined
  useEffect(() => (isKnown && left === null ? afterPaint(put) : undefined), [isKnown, left])
  if (!left || left.length === 0) return null
  return (
    <div className="pb-3">
      <SkippedNotice
        title="Not put into your cart"
        skipped={left.map((words) => ({ id: words, words }))}
        onRead={onRead}
      />
    </div>
  )
}

/** As the week was ordered, or would be; protein and side are the plan's. */
const wantedOf = (
  { plan, next, weeks }: PlanReply,
  { days }: CycleWeek,
  items: readonly MenuItem[],
): WantedMeal[] => {
  const monday = mondayOf(days[0]!.date)
  const kept = [...weeks, ...(next ? [next] : [])].find(
    ({ week, orders }) => week === monday && orders.length > 0,
  )
  return (kept?.orders ?? []).flatMap(({ studentId, date, menuItem }) => {
    const day = days.find((one) => one.date === date)?.day
    if (day === undefined) return []
    const dishes =
      plan?.children.find((child) => child.studentId === studentId)?.days.find((one) => one.day === day)
        ?.dishes ?? []
    const named = items.filter(({ name }) => name === menuItem)
    const dish = dishes.find(({ menuItemId }) => named.some(({ id }) => id === menuItemId))
    const item = named.find(({ id }) => id === dish?.menuItemId) ?? named[0] ?? { id: 0, name: menuItem }
    return [
      { childId: studentId, day, item, category: dish?.category ?? null, sideDish: dish?.sideDish ?? null },
    ]
  })
}
