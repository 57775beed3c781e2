import type { MealConflict } from '#contracts/health'
import type { SchoolDate } from '#kernel/school-time'
import type { Catalogue } from '#modules/catalogue/index'
import type { Credit } from '#modules/credit/index'
import type { Cycles } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ports } from '#platform/ports'

export type ConflictOfMeal = MealConflict & { studentId: number; date: SchoolDate; itemId: number }

export type AcknowledgedBy = 'family' | 'office'

export type MealInConflict = ConflictOfMeal & { orderId: string; student: string; item: string }

export type OrderingNeeds = Ports & {
  catalogue: Catalogue
  messaging: Messaging
  identity: Identity
  cycles: Cycles
  credit: Credit
  receiptNumbers: (
    orders: readonly { id: string; attemptId: string }[],
  ) => Promise<ReadonlyMap<string, string>>
}

export type CycleFacts = {
  id: number
  startDate: SchoolDate
  cycleLength: number
  blockedDays: readonly { week: number; day: number }[]
}
