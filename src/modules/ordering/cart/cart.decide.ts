import { conflictOf, type Needs } from '#contracts/allergens'
import { closureFor } from '#contracts/cycles'
import { isConflict, type AllergyRule } from '#contracts/health'
import type { CartLine, LineRefusal } from '#contracts/ordering'
import { lunchId, type SlotKey } from '#kernel/id'
import type { MealLine } from '#kernel/meal-line'
import type { Discount } from '#kernel/money'
import {
  clockTime,
  cycleDate,
  dayAndMonth,
  schoolMoment,
  weekdayName,
  type CutoffOf,
} from '#kernel/school-time'
import type { CycleFacts } from '../ports'
import { linesRefused } from '../refusals'
import type { MealSlot } from '../slot/meal-slot'
import {
  isLateToday,
  isStaff,
  lunchOfLine,
  type ChildDay,
  type ClosedDay,
  type LineFacts,
  type MenuFacts,
  type StudentFacts,
  lineRefusal,
  priced,
} from './line-policies.decide'
/** `slots` by lunch id, for the asked days; `zone` is the school's. */
export type CartFacts = {
  now: Date
  zone: string
  attemptId: string
  cycle: CycleFacts | null
  cutoffOf: CutoffOf
  closures: readonly ClosedDay[]
  students: ReadonlyMap<number, StudentFacts>
  items: ReadonlyMap<number, MenuFacts>
  slots: ReadonlyMap<string, MealSlot>
  /** Lines without a portion, by index, with the number left. */
  soldOut: ReadonlyMap<number, number>
  discountOf: (studentId: number, index: number) => Discount
  needs: ReadonlyMap<number, Needs>
  allergyRule: AllergyRule
  byOffice?: boolean
  /** Asked for by the office; `refused` once the kitchen has completed a meal of today. */
  late?: 'accepted' | 'refused'
}

const slotOfLine = (line: ChildDay, cycle: CycleFacts): SlotKey => ({
  cycleId: cycle.id,
  studentId: line.studentId,
  week: line.weekNumber,
  day: line.dayOfWeek,
})

/** Prices and dates all lines or none; throws `lines_refused` with reasons. */
export const checkedCart = (lines: readonly CartLine[], facts: CartFacts): MealLine[] => {
  const linesWithFacts = factsOfLines(lines, facts)
  const refused = linesWithFacts.flatMap((line, index) => {
    const code = lineRefusal(line)
    if (!code) return []
    const message = messageOf(code, line, facts.zone)
    const reason = code === 'day_blocked' ? (line.closure?.reason ?? undefined) : undefined
    return [{ index, code, message, reason, left: facts.soldOut.get(index), conflict: line.conflict }]
  })
  if (refused.length > 0) throw linesRefused(refused)
  return linesWithFacts.map(mealOf)
}

export const factsOfLines = (lines: readonly CartLine[], facts: CartFacts): LineFacts[] => {
  const { cycle, students, items, slots, soldOut, now, attemptId, discountOf, allergyRule } = facts
  const today = schoolMoment(now, facts.zone).date
  const seen = new Set<string>()
  return lines.map((line, index) => {
    const childDay = `${line.studentId}.${line.weekNumber}.${line.dayOfWeek}`
    const repeated = seen.has(childDay)
    seen.add(childDay)
    const student = students.get(line.studentId)
    const item = items.get(line.menuItemId)
    const day = cycle && dayOf(line, cycle, { ...facts, leadDays: item?.leadDays ?? 0 })
    const slot = cycle ? slots.get(lunchId(lunchOfLine(line, cycle))) : undefined
    return {
      line,
      student,
      item,
      cycle,
      day,
      closure: day && student ? closureFor(facts.closures, day.mealDate, student) : undefined,
      today,
      now,
      repeated,
      slot,
      isSoldOut: soldOut.has(index),
      attemptId,
      discount: discountOf(line.studentId, index),
      conflict: conflictOf(student && facts.needs.get(student.id), item),
      allergyRule,
      byOffice: facts.byOffice ?? false,
      late: facts.late,
    }
  })
}

const messageOf = (code: LineRefusal, line: LineFacts, zone: string): string | undefined => {
  if (code === 'too_many_orders') return tooManyOrdersOf(line)
  if (code === 'day_blocked' && line.closure?.reason) return `School Closed: ${line.closure.reason}`
  if (code !== 'cutoff_passed' || !line.day) return undefined
  return isLateToday(line, 'refused') ? kitchenIsDone : closedEarlier(line.day, zone)
}

const kitchenIsDone = 'The kitchen has completed meals of today, so nothing can be ordered for today any more'

/** Undefined where orders close on the day of the meal. */
const closedEarlier = (
  { mealDate, cutoffAt }: NonNullable<LineFacts['day']>,
  zone: string,
): string | undefined => {
  const cutoff = schoolMoment(cutoffAt, zone)
  return cutoff.date === mealDate
    ? undefined
    : `Orders for ${weekdayName(mealDate)} closed on ${weekdayName(cutoff.date)} ${clockTime(cutoff)}`
}

const tooManyOrdersOf = ({ student, day }: LineFacts) =>
  student && day
    ? `${student.name}'s lunch of ${dayAndMonth(day.mealDate)} was ordered and cancelled 30 times. Ask the office.`
    : undefined

const dayOf = (
  line: CartLine,
  cycle: CycleFacts,
  { cutoffOf, leadDays }: Pick<CartFacts, 'cutoffOf'> & { leadDays: number },
) => {
  const mealDate = cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek)
  return {
    mealDate,
    cutoffAt: cutoffOf(mealDate, leadDays),
    ...(leadDays > 0 && { dayCutoffAt: cutoffOf(mealDate) }),
  }
}

const mealOf = (facts: LineFacts, index: number): MealLine => {
  const { line, student, item, cycle, day, discount, conflict } = facts
  if (!student || !item || !cycle || !day) throw new Error('A line without its facts passed the checks')
  return {
    index,
    slot: slotOfLine(line, cycle),
    student: { name: student.name, grade: student.grade, ...(student.class && { class: student.class }) },
    item: { id: item.id, name: item.name, type: item.type },
    category: line.category || null,
    sideDish: isStaff(student) ? null : line.sideDish || null,
    comments: line.comments ?? '',
    ...priced(item.price, discount),
    ...(item.portionLimit !== null && { limited: true as const }),
    ...(facts.now >= day.cutoffAt && { late: true as const }),
    mealDate: day.mealDate,
    cutoffAt: day.cutoffAt.toISOString(),
    ...(day.dayCutoffAt && { dayCutoffAt: day.dayCutoffAt.toISOString() }),
    // Without a conflict nothing was accepted: later ones are asked anew.
    ...(isConflict(conflict) && { acknowledged: true as const }),
  }
}
