import type { CartLine, LineRefusal } from '#contracts/ordering'
import type { LeftCode } from '#contracts/plan'
import { lunchId, type Lunch } from '#kernel/id'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { cyclePlace, weekdayOf, type SchoolDate } from '#kernel/school-time'
import { factsOfLines, type CartFacts } from '../cart/cart.decide'
import { lineRefusal, priced, type LineFacts } from '../cart/line-policies.decide'
import { slotConflict } from '../slot/meal-slot'
import type { FamilyPlan, LeftOut, PlannedLine } from './events'
import { daysOfWeek } from './plan-hours.decide'
import type { Skipped } from './plan.decide'

type Dish = FamilyPlan['children'][number]['days'][number]['dishes'][number]

/** A day of a child in the plan; `week` and `day` of the cycle. */
type ChildOfDay = { studentId: number; date: SchoolDate; week: number; day: number; dishes: readonly Dish[] }

/** `taken`: lunches that hold a portion already; `closeMs`: how long before the cutoff this way to pay closes. */
export type WeekFacts = Omit<CartFacts, 'soldOut'> & {
  hasPortion: (line: PlannedLine, taken: readonly PlannedLine[]) => boolean
  /** Lunches that were ever cancelled, by lunch id. */
  cancelled: ReadonlySet<string>
  skipped: readonly Skipped[]
  closeMs: number
  balance: Ngwee
}

/** In order of date, and of the plan's children. None outside of the cycle. */
export const daysAsked = (
  { children }: Pick<FamilyPlan, 'children'>,
  week: SchoolDate,
  cycle: CartFacts['cycle'],
): ChildOfDay[] =>
  daysOfWeek(week).flatMap((date) =>
    children.flatMap(({ studentId, days }) => {
      const asked = days.find(({ day }) => day === weekdayOf(date))
      if (!asked || !cycle) return []
      const { weekNumber, dayOfWeek } = cyclePlace(cycle.startDate, date)
      const isInCycle = weekNumber >= 1 && weekNumber <= cycle.cycleLength
      return isInCycle ? [{ studentId, date, week: weekNumber, day: dayOfWeek, dishes: asked.dishes }] : []
    }),
  )

/** A line of a cart; the price is that of today, so that only the plan's own says that it rose. */
export const cartLineOf = (
  { studentId, week, day, date }: Omit<ChildOfDay, 'dishes'>,
  { menuItemId, category, sideDish }: Omit<Dish, 'price'>,
  originalPrice: Ngwee,
): CartLine => ({
  menuItemId,
  studentId,
  weekNumber: week,
  dayOfWeek: day,
  date,
  category,
  sideDish,
  originalPrice: kwachaFromNgwee(originalPrice),
})

type Fate = PlannedLine | LeftCode

/** What a plan orders for a week, what it leaves out and why (plans-and-sponsors.md section 1). Children who left are in neither. */
export const decideWeek = (
  plan: FamilyPlan,
  week: SchoolDate,
  facts: WeekFacts,
): { lines: PlannedLine[]; left: LeftOut[]; credit: Ngwee } => {
  const lines: PlannedLine[] = []
  const left: LeftOut[] = []
  const days = daysAsked(plan, week, facts.cycle).filter(({ studentId }) => facts.students.has(studentId))
  let total = 0
  let isLimitReached = false
  for (const one of days) {
    const { studentId, date } = one
    const fate = withinMoney(fateOf(one, facts, lines))
    if (typeof fate === 'string') left.push({ studentId, date, code: fate })
    else {
      lines.push(fate)
      total += fate.price
    }
  }
  return { lines, left, credit: Math.min(total, facts.balance) }

  function withinMoney(fate: Fate): Fate {
    if (typeof fate === 'string') return fate
    const after = total + fate.price
    isLimitReached ||= plan.weekLimit !== null && after > plan.weekLimit
    if (isLimitReached) return 'week_limit'
    return plan.pay.by === 'credit' && after > facts.balance && fate.price > 0 ? 'credit_short' : fate
  }
}

const fateOf = (one: ChildOfDay, facts: WeekFacts, taken: readonly PlannedLine[]): Fate => {
  const lunch: Lunch = { studentId: one.studentId, date: one.date }
  const fates = one.dishes.map((dish) => ({ dish, facts: lineFactsOf(one, dish, facts) }))
  const first = fates[0]!.facts
  const slot = facts.slots.get(lunchId(lunch))
  if (slot && slotConflict(slot, facts.attemptId, facts.now)) return 'already_ordered'
  if (facts.now.getTime() + facts.closeMs >= facts.cutoffOf(one.date).getTime())
    return closedOr(first, 'cutoff_passed')
  const closed = closedOr(first, null)
  // A later dish may have fewer lead days.
  if (closed && closed !== 'cutoff_passed') return closed
  if (facts.skipped.some(({ studentId, date }) => studentId === one.studentId && date === one.date))
    return 'skipped'
  if (facts.cancelled.has(lunchId(lunch))) return 'cancelled_before'
  const found = fates.map((fate) => dishFate(one, fate, facts, taken))
  return found.find((fate) => typeof fate !== 'string') ?? found[0]!
}

const lineFactsOf = (one: ChildOfDay, dish: Dish, facts: WeekFacts): LineFacts =>
  factsOfLines([cartLineOf(one, dish, facts.items.get(dish.menuItemId)?.price ?? 0)], {
    ...facts,
    soldOut: new Map(),
  })[0]!

const closedOr = <Otherwise extends LeftCode | null>(
  line: LineFacts,
  otherwise: Otherwise,
): LeftCode | Otherwise => {
  const refused = lineRefusal(line)
  return refused !== null && (dayCodes as readonly LineRefusal[]).includes(refused)
    ? codeOf[refused]
    : otherwise
}

const dayCodes = ['day_blocked', 'day_past', 'cutoff_passed'] as const

const dishFate = (
  one: ChildOfDay,
  { dish, facts: line }: { dish: Dish; facts: LineFacts },
  facts: WeekFacts,
  taken: readonly PlannedLine[],
): Fate => {
  const refused = lineRefusal(line)
  if (refused) return codeOf[refused]
  if (facts.now.getTime() + facts.closeMs >= line.day!.cutoffAt.getTime()) return 'cutoff_passed'
  const { studentId, date, week, day } = one
  const { menuItemId, category, sideDish } = dish
  const { name, price } = line.item!
  const planned: PlannedLine = {
    menuItemId,
    category,
    sideDish,
    studentId,
    date,
    week,
    day,
    name,
    originalPrice: price,
    price: priced(price, line.discount).price,
  }
  if (!facts.hasPortion(planned, taken)) return 'sold_out'
  return planned.price > dish.price ? 'price_rose' : planned
}

const codeOf: Record<LineRefusal, LeftCode> = {
  student_not_found: 'not_offered',
  no_active_cycle: 'day_blocked',
  day_moved: 'day_blocked',
  week_outside_cycle: 'day_blocked',
  day_blocked: 'day_blocked',
  day_past: 'cutoff_passed',
  cutoff_passed: 'cutoff_passed',
  item_missing: 'not_offered',
  item_archived: 'not_offered',
  item_unavailable: 'not_offered',
  item_not_offered: 'not_offered',
  sold_out: 'sold_out',
  wrong_menu_for_grade: 'not_offered',
  protein_required: 'not_offered',
  protein_not_offered: 'not_offered',
  side_required: 'not_offered',
  side_not_offered: 'not_offered',
  allergen_conflict: 'allergen_conflict',
  diet_conflict: 'diet_conflict',
  price_changed: 'price_rose',
  duplicate_line: 'already_ordered',
  already_ordered: 'already_ordered',
  day_reserved: 'already_ordered',
  too_many_orders: 'cancelled_before',
  credit_gone: 'credit_short',
}

export const leftMessages: Record<LeftCode, string> = {
  already_ordered: 'Lunch for this day is ordered already',
  day_blocked: 'The school is closed on this day',
  cutoff_passed: 'The orders of this day have closed',
  not_offered: 'None of the chosen meals is offered on this day',
  sold_out: 'This meal is sold out on this day',
  price_rose: 'This meal costs more now than when you chose it',
  allergen_conflict: 'This meal contains something that this child is allergic to',
  diet_conflict: 'This meal is against the diet of this child',
  cancelled_before: 'A lunch of this day was cancelled, so the plan does not order it again',
  skipped: 'You asked to skip this day',
  week_limit: 'The limit for the week is reached',
  credit_short: 'Your credit does not cover this meal',
}
