import type { CartLine, LineRefusal } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { MealSlot } from '../slot/meal-slot'
import { slotConflict } from '../slot/meal-slot.decide'
import { differs, priced } from './pricing'

/** What ordering knows of a menu item; `price` is before any discount. */
export type MenuFacts = {
  id: number
  name: string
  type: 'primary' | 'secondary'
  price: Ngwee
  categories: readonly string[]
  sideDishes: readonly string[]
  weekNumbers: readonly number[]
  daysOfWeek: readonly number[]
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

/** A cart line beside everything its checks look at; what is not there is undefined. */
export type LineInQuestion = {
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
  attemptId: string
  discountPercentage: number
}

type LinePolicy = (question: LineInQuestion) => LineRefusal | null

const staffGrade = 'teacher'
const secondaryGrades: ReadonlySet<string> = new Set(['6', '7', '8', '9', '10', '11', '12', staffGrade])

export const isStaff = (student: StudentFacts): boolean => student.grade === staffGrade

const ownStudent: LinePolicy = ({ student }) => (student ? null : 'student_not_found')

const activeCycle: LinePolicy = ({ cycle }) => (cycle ? null : 'no_active_cycle')

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

/** The checks of DESIGN section 4 "Orders", in the order in which a line is told why not. */
const linePolicies: readonly LinePolicy[] = [
  ownStudent,
  activeCycle,
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
  priceAsClaimed,
]

/** The first reason why this line cannot be ordered; null when it can. */
export const lineRefusal = (question: LineInQuestion): LineRefusal | null => {
  for (const policy of linePolicies) {
    const refused = policy(question)
    if (refused) return refused
  }
  return null
}
