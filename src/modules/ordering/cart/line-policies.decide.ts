import type { DishDiets } from '#contracts/catalogue'
import { closureFor } from '#contracts/cycles'
import type { AllergyRule, MealConflict } from '#contracts/health'
import type { CartLine, LineRefusal } from '#contracts/ordering'
import type { Lunch } from '#kernel/id'
import type { MealLine } from '#kernel/meal-line'
import { type Discount, type Ngwee, discounted, differs } from '#kernel/money'
import { cycleDate, type SchoolDate } from '#kernel/school-time'
import type { CycleFacts } from '../ports'
import { type MealSlot, isTriedTooOften, slotConflict } from '../slot/meal-slot'

export type MenuFacts = {
  id: number
  name: string
  type: 'primary' | 'secondary'
  price: Ngwee
  categories: readonly string[]
  sideDishes: readonly string[]
  weekNumbers: readonly number[]
  daysOfWeek: readonly number[]
  portionLimit: number | null
  soldOutDates: readonly SchoolDate[]
  allergens: readonly string[] | null
  diets: DishDiets
  leadDays: number
  isAvailable: boolean
  isArchived: boolean
}
export type StudentFacts = { id: number; name: string; grade: string; class?: string | null }
/** For everybody where both are empty; a `reason` for the family, if there is one. */
export type ClosedDay = {
  date: SchoolDate
  grades: readonly string[]
  classes: readonly string[]
  reason: string | null
}

export type ChildDay = Pick<CartLine, 'studentId' | 'weekNumber' | 'dayOfWeek'>

export const lunchOfLine = (line: ChildDay, cycle: CycleFacts): Lunch => ({
  studentId: line.studentId,
  date: cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek),
})

export type LineFacts = {
  line: CartLine
  student: StudentFacts | undefined
  item: MenuFacts | undefined
  cycle: CycleFacts | null
  /** `dayCutoffAt`: the date's own, where the item's is earlier. */
  day: { mealDate: SchoolDate; cutoffAt: Date; dayCutoffAt?: Date } | null
  /** What leaves this child without lunch on the day. */
  closure: ClosedDay | undefined
  today: SchoolDate
  now: Date
  repeated: boolean
  slot: MealSlot | undefined
  isSoldOut: boolean
  conflict: MealConflict
  allergyRule: AllergyRule
  attemptId: string
  discount: Discount
  byOffice: boolean
  late?: 'accepted' | 'refused' | undefined
}

const staffGrade = 'teacher'

export const isStaff = (student: Pick<StudentFacts, 'grade'>): boolean => student.grade === staffGrade

export const priced = (originalPrice: Ngwee, { percentage, sponsor }: Discount) => ({
  originalPrice,
  price: discounted(originalPrice, percentage),
  discountPercentage: percentage,
  ...(sponsor !== null && { sponsor }),
})

type LinePolicy = (facts: LineFacts) => LineRefusal | null

const secondaryGrades: ReadonlySet<string> = new Set(['6', '7', '8', '9', '10', '11', '12'])

/** Staff order from the older children's menu. */
export const menuOfGrade = (grade: string): MenuFacts['type'] =>
  isStaff({ grade }) || secondaryGrades.has(grade) ? 'secondary' : 'primary'

const ownStudent: LinePolicy = ({ student }) => (student ? null : 'student_not_found')

const activeCycle: LinePolicy = ({ cycle }) => (cycle ? null : 'no_active_cycle')

const dayNotMoved: LinePolicy = ({ line, day }) =>
  line.date !== undefined && day && line.date !== day.mealDate ? 'day_moved' : null

const weekInsideCycle: LinePolicy = ({ line, cycle }) =>
  cycle && line.weekNumber > cycle.cycleLength ? 'week_outside_cycle' : null

const dayNotBlocked: LinePolicy = ({ line, cycle, closure }) =>
  closure || cycle?.blockedDays.some(({ week, day }) => week === line.weekNumber && day === line.dayOfWeek)
    ? 'day_blocked'
    : null

const dayNotPast: LinePolicy = ({ day, today }) => (day && day.mealDate < today ? 'day_past' : null)

/** The office asked for it though orders of today have closed, and that is the answer. */
export const isLateToday = ({ day, today, late }: LineFacts, answer: LineFacts['late']): boolean =>
  day?.mealDate === today && late !== undefined && late === answer

const beforeCutoff: LinePolicy = (facts) =>
  facts.day && facts.now >= facts.day.cutoffAt && !isLateToday(facts, 'accepted') ? 'cutoff_passed' : null

const itemExists: LinePolicy = ({ item }) => (item ? null : 'item_missing')

const itemNotArchived: LinePolicy = ({ item }) => (item?.isArchived ? 'item_archived' : null)

const itemAvailable: LinePolicy = ({ item }) => (item && !item.isAvailable ? 'item_unavailable' : null)

const itemOfferedThatDay: LinePolicy = ({ line, item }) =>
  item && !(item.weekNumbers.includes(line.weekNumber) && item.daysOfWeek.includes(line.dayOfWeek))
    ? 'item_not_offered'
    : null

const menuFitsGrade: LinePolicy = ({ student, item }) => {
  if (!student || !item) return null
  return item.type === menuOfGrade(student.grade) ? null : 'wrong_menu_for_grade'
}

const proteinChosen: LinePolicy = ({ line, item }) => {
  if (!item) return null
  if (!line.category) return item.categories.length > 0 ? 'protein_required' : null
  return item.categories.includes(line.category) ? null : 'protein_not_offered'
}

/** Teachers get no side dish, so it is not checked. */
const sideChosen: LinePolicy = ({ line, item, student }) => {
  if (!item || !student || isStaff(student)) return null
  if (!line.sideDish) return item.sideDishes.length > 0 ? 'side_required' : null
  return item.sideDishes.includes(line.sideDish) ? null : 'side_not_offered'
}

const onceInTheCart: LinePolicy = ({ repeated }) => (repeated ? 'duplicate_line' : null)

/** Before slot conflicts: a line that fails here gives up no other payment. */
const notTriedTooOften: LinePolicy = ({ slot, attemptId, byOffice }) =>
  slot && !byOffice && isTriedTooOften(slot, attemptId) ? 'too_many_orders' : null

const slotFree: LinePolicy = ({ slot, attemptId, now }) => (slot ? slotConflict(slot, attemptId, now) : null)

const portionLeft: LinePolicy = ({ item, day, isSoldOut }) =>
  isSoldOut || (item && day && item.soldOutDates.includes(day.mealDate)) ? 'sold_out' : null

/** One acceptance is of all that speaks against the meal. */
const isAccepted = ({ line, allergyRule }: LineFacts): boolean =>
  allergyRule === 'warn' && line.acknowledged === true

const allergensAccepted: LinePolicy = (facts) =>
  facts.conflict.allergens.length === 0 || isAccepted(facts) ? null : 'allergen_conflict'

const dietAccepted: LinePolicy = (facts) =>
  facts.conflict.diets.length === 0 || isAccepted(facts) ? null : 'diet_conflict'

/** A claim that is missing is not wrong. */
const priceAsClaimed: LinePolicy = ({ line, item, discount }) => {
  if (!item) return null
  const ours = priced(item.price, discount)
  const claimedToPay = line.discountedPrice ?? null
  const wrong =
    differs(line.originalPrice, ours.originalPrice) ||
    (claimedToPay !== null && differs(claimedToPay, ours.price))
  return wrong ? 'price_changed' : null
}

/** DESIGN section 4 "Orders", in order: the first failure is the reason. */
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
  notTriedTooOften,
  slotFree,
  portionLeft,
  allergensAccepted,
  dietAccepted,
  priceAsClaimed,
]

export const lineRefusal = (facts: LineFacts, policies = linePolicies): LineRefusal | null => {
  for (const policy of policies) {
    const refused = policy(facts)
    if (refused) return refused
  }
  return null
}

/** Whether the child can have this dish, on whichever day. */
export const dishPolicies: readonly LinePolicy[] = [
  itemExists,
  menuFitsGrade,
  proteinChosen,
  sideChosen,
  allergensAccepted,
  dietAccepted,
]

/** For replacement meals: the price stays, the cutoff does not apply. */
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
  allergensAccepted,
  dietAccepted,
]

export type Substitution = Pick<
  LineFacts,
  'line' | 'item' | 'today' | 'isSoldOut' | 'conflict' | 'allergyRule'
> & {
  student: StudentFacts
  mealDate: SchoolDate
}

export const substituteRefusal = ({ mealDate, ...wish }: Substitution, now: Date): LineRefusal | null => {
  const facts = {
    cycle: null,
    closure: undefined,
    now,
    repeated: false,
    slot: undefined,
    attemptId: '',
    discount: { percentage: 0, sponsor: null },
    byOffice: true,
  }
  const day = { mealDate, cutoffAt: now }
  return lineRefusal({ ...facts, ...wish, day }, substitutePolicies)
}

export type PaidLineUnavailableReason =
  | 'unknown_student'
  | 'cycle_inactive'
  | 'day_blocked'
  | 'day_past'
  | 'missing_item'
  | 'item_withdrawn'

export type PaidLineFacts = {
  studentIds: ReadonlySet<number>
  activeCycle: CycleFacts | null
  closures: readonly ClosedDay[]
  items: ReadonlyMap<number, { isAvailable: boolean; isArchived: boolean }>
  today: SchoolDate
}

/** Null when available (payments.md section 8 rules 1, 2 and 14). A withdrawn item comes last: whoever took the money decides. */
export const paidLineUnavailableReason = (
  { slot, student, item, mealDate }: MealLine,
  { studentIds, activeCycle, closures, items, today }: PaidLineFacts,
): PaidLineUnavailableReason | null => {
  if (!studentIds.has(slot.studentId)) return 'unknown_student'
  if (activeCycle?.id !== slot.cycleId) return 'cycle_inactive'
  const isBlocked = activeCycle.blockedDays.some(({ week, day }) => week === slot.week && day === slot.day)
  if (isBlocked || closureFor(closures, mealDate, student)) return 'day_blocked'
  if (mealDate < today) return 'day_past'
  const offer = items.get(item.id)
  if (!offer) return 'missing_item'
  return offer.isAvailable && !offer.isArchived ? null : 'item_withdrawn'
}
