import type { CartLine } from '#contracts/ordering'
import { slotId } from '#kernel/id'
import { cycleDate, instantAt, schoolMoment } from '#kernel/school-time'
import { isStaff, lineRefusal } from './cart-line.decide'
import type { CycleFacts, LineInQuestion, MenuFacts, StudentFacts } from './cart-line.decide'
import { type MealLine } from '#kernel/meal-line'
import type { MealSlot } from '../slot/meal-slot'
import { priced } from './pricing'
import { linesRefused } from '../refusals'

/** All that the checks of a cart look at. `slots` by slot id, for the days asked for; `zone` the school's. */
export type CartFacts = {
  now: Date
  zone: string
  attemptId: string
  cycle: CycleFacts | null
  cutoff: { hour: number; minute: number }
  students: ReadonlyMap<number, StudentFacts>
  items: ReadonlyMap<number, MenuFacts>
  slots: ReadonlyMap<string, MealSlot>
  discountPercentage: number
}

/** The slot a line asks for, in this cycle. */
export const slotOfLine = (line: CartLine, cycle: CycleFacts) => ({
  cycleId: cycle.id,
  studentId: line.studentId,
  week: line.weekNumber,
  day: line.dayOfWeek,
})

/** The cart priced and dated by us, all lines or none: refused lines throw `lines_refused` with the reason of each. */
export const checkedCart = (lines: readonly CartLine[], facts: CartFacts): MealLine[] => {
  const questions = questionsAbout(lines, facts)
  const refused = questions.flatMap((question, index) => {
    const code = lineRefusal(question)
    return code ? [{ index, code }] : []
  })
  if (refused.length > 0) throw linesRefused(refused)
  return questions.map(mealOf)
}

const questionsAbout = (lines: readonly CartLine[], facts: CartFacts): LineInQuestion[] => {
  const { cycle, students, items, slots, now, attemptId, discountPercentage } = facts
  const today = schoolMoment(now, facts.zone).date
  const seen = new Set<string>()
  return lines.map((line) => {
    const childDay = `${line.studentId}.${line.weekNumber}.${line.dayOfWeek}`
    const repeated = seen.has(childDay)
    seen.add(childDay)
    const student = students.get(line.studentId)
    const item = items.get(line.menuItemId)
    const day = cycle && dayOf(line, cycle, facts)
    const slot = cycle ? slots.get(slotId(slotOfLine(line, cycle))) : undefined
    return {
      line,
      student,
      item,
      cycle,
      day,
      today,
      now,
      repeated,
      slot,
      attemptId,
      discountPercentage,
    }
  })
}

const dayOf = (line: CartLine, cycle: CycleFacts, { cutoff, zone }: CartFacts) => {
  const mealDate = cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek)
  return { mealDate, cutoffAt: instantAt(mealDate, cutoff.hour, cutoff.minute, zone) }
}

const mealOf = (question: LineInQuestion, index: number): MealLine => {
  const { line, student, item, cycle, day, discountPercentage } = question
  if (!student || !item || !cycle || !day) throw new Error('A line without its facts passed the checks')
  return {
    index,
    slot: slotOfLine(line, cycle),
    student: { name: student.name, grade: student.grade },
    item: { id: item.id, name: item.name, type: item.type },
    category: line.category || null,
    sideDish: isStaff(student) ? null : line.sideDish || null,
    comments: line.comments ?? '',
    ...priced(item.price, discountPercentage),
    mealDate: day.mealDate,
    cutoffAt: day.cutoffAt.toISOString(),
  }
}
