import type { AllergyRule } from '#contracts/health'
import type { CartLine } from '#contracts/ordering'
import type { Lunch } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { cycleDate, type SchoolDate } from '#kernel/school-time'
import type { MealSlot } from '../slot/meal-slot'

/** `price` is before discount. */
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

export type ChildDay = Pick<CartLine, 'studentId' | 'weekNumber' | 'dayOfWeek'>

export const lunchOfLine = (line: ChildDay, cycle: CycleFacts): Lunch => ({
  studentId: line.studentId,
  date: cycleDate(cycle.startDate, line.weekNumber, line.dayOfWeek),
})

/** Missing facts are undefined. */
export type LineFacts = {
  line: CartLine
  student: StudentFacts | undefined
  item: MenuFacts | undefined
  cycle: CycleFacts | null
  /** Date and cutoff; null without a cycle. */
  day: { mealDate: SchoolDate; cutoffAt: Date } | null
  today: SchoolDate
  now: Date
  /** Same student and day earlier in the cart. */
  repeated: boolean
  slot: MealSlot | undefined
  isSoldOut: boolean
  allergens: readonly string[]
  allergyRule: AllergyRule
  attemptId: string
  discountPercentage: number
  byOffice: boolean
}

const staffGrade = 'teacher'

export const isStaff = (student: Pick<StudentFacts, 'grade'>): boolean => student.grade === staffGrade
