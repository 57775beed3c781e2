import type { AllergyRule } from '#contracts/health'
import type { CartLine } from '#contracts/ordering'
import type { Lunch } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { cycleDate, type SchoolDate } from '#kernel/school-time'
import type { MealSlot } from '../slot/meal-slot'

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
  allergens: readonly string[]
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

/** Whose lunch a line asks for, and where in the active cycle. */
export type ChildDay = Pick<CartLine, 'studentId' | 'weekNumber' | 'dayOfWeek'>

/** The lunch a line asks for, in this cycle. */
export const lunchOfLine = (line: ChildDay, cycle: CycleFacts): Lunch => ({
  studentId: line.studentId,
  date: cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek),
})

/** A cart line beside everything its checks look at; what is not there is undefined. */
export type LineFacts = {
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
  /** Of the item's allergens, those that the student is allergic to. */
  allergens: readonly string[]
  allergyRule: AllergyRule
  attemptId: string
  discountPercentage: number
  /** The office asks for it, for somebody who has paid. */
  byOffice: boolean
}

const staffGrade = 'teacher'

/** Somebody of the school who orders for themselves. */
export const isStaff = (student: Pick<StudentFacts, 'grade'>): boolean => student.grade === staffGrade
