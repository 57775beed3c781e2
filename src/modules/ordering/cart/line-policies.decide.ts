import type { LineRefusal } from '#contracts/ordering'
import type { SchoolDate } from '#kernel/school-time'
import { isTriedTooOften, slotConflict } from '../slot/reopening.decide'
import { isStaff, type LineFacts, type MenuFacts, type StudentFacts } from './line-facts'
import { differs } from '#kernel/money'
import { priced } from './line-price.decide'

type LinePolicy = (facts: LineFacts) => LineRefusal | null

const secondaryGrades: ReadonlySet<string> = new Set(['6', '7', '8', '9', '10', '11', '12'])

/** The menu from which a child of this grade orders; staff orders from the elder children's. */
export const menuOfGrade = (grade: string): MenuFacts['type'] =>
  isStaff({ grade }) || secondaryGrades.has(grade) ? 'secondary' : 'primary'

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
  return item.type === menuOfGrade(student.grade) ? null : 'wrong_menu_for_grade'
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

/** Before whose day it is: what cannot be ordered gives up no other payment of the family. */
const notTriedTooOften: LinePolicy = ({ slot, attemptId, byOffice }) =>
  slot && !byOffice && isTriedTooOften(slot, attemptId) ? 'too_many_orders' : null

const slotFree: LinePolicy = ({ slot, attemptId, now }) => (slot ? slotConflict(slot, attemptId, now) : null)

const portionLeft: LinePolicy = ({ item, day, isSoldOut }) =>
  isSoldOut || (item && day && item.soldOutDates.includes(day.mealDate)) ? 'sold_out' : null

/** Only a family that was asked may have such a meal, and only where the school's rule lets it. */
const allergensAccepted: LinePolicy = ({ line, allergens, allergyRule }) =>
  allergens.length === 0 || (allergyRule === 'warn' && line.acknowledged === true)
    ? null
    : 'allergen_conflict'

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
  notTriedTooOften,
  slotFree,
  portionLeft,
  allergensAccepted,
  priceAsClaimed,
]

/** The first reason why this line cannot be ordered; null when it can. */
export const lineRefusal = (facts: LineFacts): LineRefusal | null => {
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
  allergensAccepted,
]

/** An ordered lunch that shall become another meal; `line` says which. */
export type Substitution = Pick<
  LineFacts,
  'line' | 'item' | 'today' | 'isSoldOut' | 'allergens' | 'allergyRule'
> & {
  student: StudentFacts
  mealDate: SchoolDate
}

/** The first reason why an ordered lunch cannot become this meal; null when it can. */
export const substituteRefusal = ({ mealDate, ...wish }: Substitution, now: Date): LineRefusal | null => {
  const facts = {
    cycle: null,
    now,
    repeated: false,
    slot: undefined,
    attemptId: '',
    discountPercentage: 0,
    byOffice: true,
  }
  const day = { mealDate, cutoffAt: now }
  for (const policy of substitutePolicies) {
    const refused = policy({ ...facts, ...wish, day })
    if (refused) return refused
  }
  return null
}
