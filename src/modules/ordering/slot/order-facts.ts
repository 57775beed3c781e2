import type { Ngwee, Proof } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderRow } from './order'

/** What other modules learn of an order. */
export type OrderFacts = {
  id: string
  attemptId: string
  line: number
  userId: number
  studentId: number
  /** As ordered for; `class` is null for a child in no class. */
  student: { name: string; grade: string; class: string | null }
  item: { id: number; name: string }
  category: string | null
  sideDish: string | null
  week: number
  day: number
  originalPrice: Ngwee
  price: Ngwee
  credit: Ngwee
  status: OrderRow['status']
  paymentStatus: OrderRow['payment_status']
  paidByHand: boolean
  proof: Proof | null
  payBy: OrderRow['pay_by']
  placedAt: Date
  mealDate: SchoolDate
  /** While it is unpaid; so is `portionUntil`. */
  lapsesAt: Date | null
  portionUntil: Date | null
  lapsed: boolean
  /** When it lapses or has lapsed, whatever became of it. */
  lapse: Date | null
  remedy: OrderRow['remedy']
  closureId: string | null
  absent: boolean
  absenceCredit: Ngwee
  handedOut: boolean
}

/** Adds what only the stream knows: the amount of a confirmed alternative payment, and change ids. */
export type OrderFactsInStream = OrderFacts & {
  paidBy: string | null
  paidLater: Ngwee | null
  changes: ReadonlySet<string>
}
