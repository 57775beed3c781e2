import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import {
  allConflicts,
  conflictFacts,
  conflictFor,
  conflictReason,
  isConflict,
  markOf,
  type MealMarks,
} from '#contracts/health'
import type { CartItem } from '../../features/cart/cart'
import {
  type DayOrder,
  ordersOf,
  sidesFor,
  type Eater,
  type RemainingPortions,
  cartedOn,
  type DayView,
  weekViews,
} from '../../features/menu/menu-week'
import type { EarlierMeal, PlanChild } from '../../features/week-plan/suggest-week'
import type { Ordering } from './use-ordering'

/** What a plan is made from, by a family or by the office for one. */
export type Planning = Pick<Ordering, 'marks' | 'add'> & {
  calendar: {
    data?: readonly [readonly [MenuItem[], OrderCycle[]], readonly (DayOrder & EarlierMeal)[]] | undefined
  }
  cart: { items: readonly CartItem[] }
  /** "Added to your cart" where absent. */
  added?: string
}

type PlanFacts = {
  week: CycleWeek
  eaters: readonly Eater[]
  ordering: Planning
  few: Readonly<Record<string, RemainingPortions>>
}

/** The week of each child as a plan takes it. */
export const planFacts = ({ week, eaters, ordering, few }: PlanFacts) => {
  const [[items, cycles], orders] = ordering.calendar.data!
  const cycle = cycles.find(({ isActive }) => isActive)
  const at = cycle?.weeks?.findIndex((one) => one.week === week.week) ?? -1
  const viewsOf = (eater: Eater) => weekViews(cycle, eater, items, orders)[at] ?? []
  const closed = closedForAll(eaters.map(viewsOf))
  const family = eaters.map((eater): PlanChild => ({
    id: eater.id,
    name: eater.name,
    earlier: ordersOf(eater, orders),
    unstatedOf: (item) => markOf(ordering.marks, eater, item).unstated,
    ...daysOf(viewsOf(eater), eater, { closed, cart: ordering.cart.items, few, marks: ordering.marks }),
  }))
  return { family, closed, viewsOf }
}

/** Facts beside the calendar that limit meals. */
type Facts = {
  closed: readonly ClosedForAll[]
  cart: readonly CartItem[]
  few: Readonly<Record<string, RemainingPortions>>
  marks: MealMarks | undefined
}

type ClosedForAll = { day: number; date: string; words: string }

/** Said once for all children; a child's order remains on such a day. */
const closedForAll = (family: readonly (readonly DayView[])[]): ClosedForAll[] => {
  const days = new Map<string, ClosedForAll>()
  for (const { day, content } of family.flat())
    if (content.kind === 'closed') days.set(day.date, { day: day.day, date: day.date, words: content.why })
  const isOpenForOne = (date: string) =>
    family.flat().some(({ day, content }) => day.date === date && canBeOrdered(content))
  return [...days.values()].filter(({ date }) => !isOpenForOne(date))
}

const canBeOrdered = ({ kind }: DayView['content']) => kind === 'meals' || kind === 'empty'

/** Orderable days, and reasons for others. */
const daysOf = (
  views: readonly DayView[],
  eater: Eater,
  facts: Facts,
): Pick<PlanChild, 'days' | 'told' | 'avoided'> => {
  const days = views.map((view) => dayOf(view, eater, facts))
  return {
    avoided: avoidedOf(views, eater, facts),
    days: days.flatMap((one) => ('meals' in one ? [one] : [])),
    told: days.flatMap((one) => ('words' in one && one.words !== '' ? [one] : [])),
  }
}

const dayOf = (view: DayView, eater: Eater, { closed, cart, few, marks }: Facts) => {
  const { content } = view
  const { day, date } = view.day
  const told = (words: string) => ({ day, date, words })
  if (content.kind === 'closed')
    return told(closed.some((one) => one.date === date) ? '' : `School Closed: ${content.why}`)
  if (content.kind === 'ordered') return told(`Already ordered: ${content.order.menuItem.name}`)
  if (content.kind === 'empty') return told('No meal available')
  if (cartedOn(view, eater, cart)) return told('Already in the cart')
  const isGone = ({ id }: { id: number }) => few[date]?.[id] === 0
  const left = content.items.filter((item) => !isGone(item))
  if (left.length === 0) return told('Sold out')
  const eaten = left.filter((item) => !isAvoided(item, eater, marks))
  if (eaten.length === 0) {
    const all = allConflicts(left.map((item) => conflictFor(marks, eater.id, item)))
    return told(`Nothing else on the menu – ${conflictReason(all, eater)}`)
  }
  return {
    day,
    date,
    meals: eaten.map((item) => ({ item, sides: sidesFor(item, eater) })),
    soldOut: content.items.filter(isGone).map(({ id }) => id),
  }
}

// Under any rule: such a meal is ordered from the calendar, with confirmation.
const isAvoided = (item: MenuItem, eater: Eater, marks: MealMarks | undefined) =>
  isConflict(conflictFor(marks, eater.id, item))

/** Distinct meals left out for allergens or a diet. */
const avoidedOf = (views: readonly DayView[], eater: Eater, { cart, marks }: Facts): PlanChild['avoided'] => {
  const offered = views.flatMap((view) =>
    view.content.kind === 'meals' && !cartedOn(view, eater, cart) ? view.content.items : [],
  )
  const avoided = new Map(
    offered.filter((item) => isAvoided(item, eater, marks)).map((item) => [item.id, item]),
  )
  return [...avoided.values()].map((item) => {
    const conflict = conflictFor(marks, eater.id, item)
    return {
      id: item.id,
      name: item.name,
      contains: conflictFacts(conflict),
      why: conflictReason(conflict, eater),
    }
  })
}
