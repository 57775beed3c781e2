import type { CartLine, LineRefusal } from '#contracts/ordering'
import { lunchId, type Lunch, type SlotKey } from '#kernel/id'
import type { MealLine } from '#kernel/meal-line'
import { discounted, type Ngwee } from '#kernel/money'
import { cycleDate, instantAt, schoolMoment, type SchoolDate } from '#kernel/school-time'
import { linesRefused } from '../refusals'
import type { MealSlot } from '../slot/meal-slot'
import { slotConflict } from '../slot/reopening.decide'

/** A menu item as ordering sees it; `price` is before any discount. */
export type MenuFacts = {
  id: number
  name: string
  type: 'primary' | 'secondary'
  price: Ngwee
  categories: readonly string[]
  sideDishes: readonly string[]
  weekNumbers: readonly number[]
  daysOfWeek: readonly number[]
  /** How many of it can be ordered for one date; null: any number. */
  portionLimit: number | null
  /** Dates on which it cannot be ordered. */
  soldOutDates: readonly SchoolDate[]
  isAvailable: boolean
  isArchived: boolean
}
export type StudentFacts = { id: number; name: string; grade: string }
export type CycleFacts = {
  id: number
  startDate: SchoolDate
  cycleLength: number
  blockedDays: readonly { week: number; day: number }[]
}

/** All that the checks of a cart look at. `slots` by the id of their lunch, for the days asked for; `zone` the school's. */
export type CartFacts = {
  now: Date
  zone: string
  attemptId: string
  cycle: CycleFacts | null
  cutoff: { hour: number; minute: number }
  students: ReadonlyMap<number, StudentFacts>
  items: ReadonlyMap<number, MenuFacts>
  slots: ReadonlyMap<string, MealSlot>
  /** The lines, by their place, that get no portion of a limited item, with how many are left. */
  soldOut: ReadonlyMap<number, number>
  discountPercentage: number
}

/** Whose lunch a line asks for, and where in the active cycle. */
export type ChildDay = Pick<CartLine, 'studentId' | 'weekNumber' | 'dayOfWeek'>

/** The lunch a line asks for, in this cycle. */
export const lunchOfLine = (line: ChildDay, cycle: CycleFacts): Lunch => ({
  studentId: line.studentId,
  date: cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek),
})

const slotOfLine = (line: ChildDay, cycle: CycleFacts): SlotKey => ({
  cycleId: cycle.id,
  studentId: line.studentId,
  week: line.weekNumber,
  day: line.dayOfWeek,
})

/** The cart priced and dated by us, all lines or none: refused lines throw `lines_refused` with the reason of each. */
export const checkedCart = (lines: readonly CartLine[], facts: CartFacts): MealLine[] => {
  const linesWithFacts = factsOfLines(lines, facts)
  const refused = linesWithFacts.flatMap((line, index) => {
    const code = lineRefusal(line)
    return code ? [{ index, code, left: facts.soldOut.get(index) }] : []
  })
  if (refused.length > 0) throw linesRefused(refused)
  return linesWithFacts.map(mealOf)
}

const factsOfLines = (lines: readonly CartLine[], facts: CartFacts): LineFacts[] => {
  const { cycle, students, items, slots, soldOut, now, attemptId, discountPercentage } = facts
  const today = schoolMoment(now, facts.zone).date
  const seen = new Set<string>()
  return lines.map((line, index) => {
    const childDay = `${line.studentId}.${line.weekNumber}.${line.dayOfWeek}`
    const repeated = seen.has(childDay)
    seen.add(childDay)
    const student = students.get(line.studentId)
    const item = items.get(line.menuItemId)
    const day = cycle && dayOf(line, cycle, facts)
    const slot = cycle ? slots.get(lunchId(lunchOfLine(line, cycle))) : undefined
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
      isSoldOut: soldOut.has(index),
      attemptId,
      discountPercentage,
    }
  })
}

const dayOf = (line: CartLine, cycle: CycleFacts, { cutoff, zone }: CartFacts) => {
  const mealDate = cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek)
  return { mealDate, cutoffAt: instantAt(mealDate, cutoff.hour, cutoff.minute, zone) }
}

const mealOf = (facts: LineFacts, index: number): MealLine => {
  const { line, student, item, cycle, day, discountPercentage } = facts
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

/** A cart line beside everything its checks look at; what is not there is undefined. */
type LineFacts = {
  line: CartLine
  student: StudentFacts | undefined
  item: MenuFacts | undefined
  cycle: CycleFacts | null
  /** The day's date and the instant from which it takes no more orders; null without a cycle. */
  day: { mealDate: SchoolDate; cutoffAt: Date } | null
  today: SchoolDate
  now: Date
  /** The same student and day stands in the cart before. */
  repeated: boolean
  slot: MealSlot | undefined
  /** There is no portion of it left. */
  isSoldOut: boolean
  attemptId: string
  discountPercentage: number
}

type LinePolicy = (facts: LineFacts) => LineRefusal | null

const staffGrade = 'teacher'
const secondaryGrades: ReadonlySet<string> = new Set(['6', '7', '8', '9', '10', '11', '12', staffGrade])

const isStaff = (student: StudentFacts): boolean => student.grade === staffGrade

const ownStudent: LinePolicy = ({ student }) => (student ? null : 'student_not_found')

const activeCycle: LinePolicy = ({ cycle }) => (cycle ? null : 'no_active_cycle')

const dayNotMoved: LinePolicy = ({ line, day }) =>
  line.date !== undefined && day && line.date !== day.mealDate ? 'day_moved' : null

const weekInsideCycle: LinePolicy = ({ line, cycle }) =>
  cycle && line.weekNumber > cycle.cycleLength ? 'week_outside_cycle' : null

const dayNotBlocked: LinePolicy = ({ line, cycle }) =>
  cycle?.blockedDays.some(({ week, day }) => week === line.weekNumber && day === line.dayOfWeek)
    ? 'day_blocked'
    : null

const dayNotPast: LinePolicy = ({ day, today }) => (day && day.mealDate < today ? 'day_past' : null)

const beforeCutoff: LinePolicy = ({ day, now }) => (day && now >= day.cutoffAt ? 'cutoff_passed' : null)

const itemExists: LinePolicy = ({ item }) => (item ? null : 'item_missing')

const itemNotArchived: LinePolicy = ({ item }) => (item?.isArchived ? 'item_archived' : null)

const itemAvailable: LinePolicy = ({ item }) => (item && !item.isAvailable ? 'item_unavailable' : null)

const itemOfferedThatDay: LinePolicy = ({ line, item }) =>
  item && !(item.weekNumbers.includes(line.weekNumber) && item.daysOfWeek.includes(line.dayOfWeek))
    ? 'item_not_offered'
    : null

const menuFitsGrade: LinePolicy = ({ student, item }) => {
  if (!student || !item) return null
  const menu = secondaryGrades.has(student.grade) ? 'secondary' : 'primary'
  return item.type === menu ? null : 'wrong_menu_for_grade'
}

const proteinChosen: LinePolicy = ({ line, item }) => {
  if (!item) return null
  if (!line.category) return item.categories.length > 0 ? 'protein_required' : null
  return item.categories.includes(line.category) ? null : 'protein_not_offered'
}

/** Teachers get no separate side dish, so theirs is neither asked for nor checked. */
const sideChosen: LinePolicy = ({ line, item, student }) => {
  if (!item || !student || isStaff(student)) return null
  if (!line.sideDish) return item.sideDishes.length > 0 ? 'side_required' : null
  return item.sideDishes.includes(line.sideDish) ? null : 'side_not_offered'
}

const onceInTheCart: LinePolicy = ({ repeated }) => (repeated ? 'duplicate_line' : null)

const slotFree: LinePolicy = ({ slot, attemptId, now }) => (slot ? slotConflict(slot, attemptId, now) : null)

const portionLeft: LinePolicy = ({ item, day, isSoldOut }) =>
  isSoldOut || (item && day && item.soldOutDates.includes(day.mealDate)) ? 'sold_out' : null

/** Each price the browser claims is compared with ours; a claim it does not make cannot be wrong. */
const priceAsClaimed: LinePolicy = ({ line, item, discountPercentage }) => {
  if (!item) return null
  const ours = priced(item.price, discountPercentage)
  const claimedToPay = line.discountedPrice ?? null
  const wrong =
    differs(line.originalPrice, ours.originalPrice) ||
    (claimedToPay !== null && differs(claimedToPay, ours.price))
  return wrong ? 'price_changed' : null
}

/** The checks of DESIGN section 4 "Orders", in order: the first that fails is the reason of the line. */
const linePolicies: readonly LinePolicy[] = [
  ownStudent,
  activeCycle,
  dayNotMoved,
  weekInsideCycle,
  dayNotBlocked,
  dayNotPast,
  beforeCutoff,
  itemExists,
  itemNotArchived,
  itemAvailable,
  itemOfferedThatDay,
  menuFitsGrade,
  proteinChosen,
  sideChosen,
  onceInTheCart,
  slotFree,
  portionLeft,
  priceAsClaimed,
]

/** The first reason why this line cannot be ordered; null when it can. */
const lineRefusal = (facts: LineFacts): LineRefusal | null => {
  for (const policy of linePolicies) {
    const refused = policy(facts)
    if (refused) return refused
  }
  return null
}

/** What a meal that is given instead of an ordered one is checked by: what was paid stays, and the cutoff does not hinder it. */
const substitutePolicies: readonly LinePolicy[] = [
  dayNotPast,
  itemExists,
  itemNotArchived,
  itemAvailable,
  itemOfferedThatDay,
  menuFitsGrade,
  proteinChosen,
  sideChosen,
  portionLeft,
]

/** An ordered lunch that shall become another meal; `line` says which. */
export type Substitution = Pick<LineFacts, 'line' | 'item' | 'today' | 'isSoldOut'> & {
  student: StudentFacts
  mealDate: SchoolDate
}

/** The first reason why an ordered lunch cannot become this meal; null when it can. */
export const substituteRefusal = ({ mealDate, ...wish }: Substitution, now: Date): LineRefusal | null => {
  const facts = { cycle: null, now, repeated: false, slot: undefined, attemptId: '', discountPercentage: 0 }
  const day = { mealDate, cutoffAt: now }
  for (const policy of substitutePolicies) {
    const refused = policy({ ...facts, ...wish, day })
    if (refused) return refused
  }
  return null
}

/** What a meal costs and what is to pay after the user's discount (0 to 100 percent). */
export const priced = (originalPrice: Ngwee, discountPercentage: number) => ({
  originalPrice,
  price: discounted(originalPrice, discountPercentage),
  discountPercentage,
})

// A claim in kwacha may be 0.01 off; the rest is what floating point adds to that.
const toleranceNgwee = 1.000_001

/** Whether a price in kwacha that the browser claims is more than 0.01 away from ours. */
export const differs = (claimedKwacha: number, ours: Ngwee): boolean =>
  Math.abs(claimedKwacha * 100 - ours) > toleranceNgwee
