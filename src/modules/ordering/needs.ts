import type { Catalogue } from '#modules/catalogue/index'
import type { Credit } from '#modules/credit/index'
import type { Cycles } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { SchoolDate } from '#kernel/school-time'
import type { Ports } from '#platform/ports'

/** A meal of a student, and what of it the student is allergic to. */
export type AllergensOfMeal = {
  studentId: number
  date: SchoolDate
  itemId: number
  allergens: readonly string[]
}

/** Who has accepted that a meal contains what the child is allergic to. */
export type AcknowledgedBy = 'family' | 'office'

/** An ordered meal that nobody of the family has accepted, in the words of its order. */
export type MealInConflict = AllergensOfMeal & { orderId: string; student: string; item: string }

/** What ordering is made with. */
export type OrderingNeeds = Ports & {
  catalogue: Catalogue
  identity: Identity
  cycles: Cycles
  credit: Credit
  /** The numbers of the receipts of these orders' payments, by order; those of no receipt are left out. */
  receiptNumbers: (
    orders: readonly { id: string; attemptId: string }[],
  ) => Promise<ReadonlyMap<string, string>>
}
