import type { PayBy } from '#contracts/ordering'
import type { Ngwee, Remedy } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'

/** A row of `ordering.orders`. Ngwee, `price` after discount; instants are ISO text when folded, Date when read. */
export type OrderRow = {
  id: string
  attempt_id: string
  line: number
  user_id: number
  student_id: number
  student_name: string
  student_grade: string
  student_class: string | null
  cycle_id: number
  week: number
  day: number
  meal_date: string
  item_id: number
  item_name: string
  item_type: 'primary' | 'secondary'
  category: string | null
  side_dish: string | null
  comments: string
  original_price: number
  price: number
  credit: number
  discount_percentage: number
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  payment_status: 'confirmed' | 'pending'
  paid_by_hand: boolean
  pay_by: PayBy | null
  placed_at: string | Date
  cancelled_late: boolean
  remedy: Remedy | null
  closure_id: string | null
  cutoff_at: string | Date
  /** Ordered by the office after the cutoff. */
  late: boolean
  lapses_at: string | Date | null
  /** Portion of a limited item kept until then while unpaid; null: as long as the order. */
  portion_until: string | Date | null
  /** Cancelled unpaid. */
  lapsed: boolean
  absent: boolean
  /** Given once the meal is paid; 0 while present. */
  absence_credit: number
  /** The hatch ended the absence. */
  absence_ended: boolean
  /** Times the family reported or took back an absence. */
  absences_told: number
  changes: number
  /** The hatch's mark and device time; null if not handed out. */
  given_mark: string | null
  given_at: string | Date | null
  /** What else the hatch marked; it stands while nothing is given. */
  noticed_kind: 'absent' | 'problem' | null
  noticed_mark: string | null
  noticed_at: string | Date | null
  substituted: boolean
  acknowledged: boolean
}

export type OrderFacts = {
  id: string
  attemptId: string
  line: number
  userId: number
  student: { name: string; grade: string }
  item: { id: number; name: string }
  week: number
  day: number
  price: Ngwee
  credit: Ngwee
  status: OrderRow['status']
  paymentStatus: OrderRow['payment_status']
  paidByHand: boolean
  payBy: OrderRow['pay_by']
  placedAt: Date
  mealDate: SchoolDate
  lapsesAt: Date | null
  portionUntil: Date | null
  remedy: OrderRow['remedy']
  closureId: string | null
  absenceCredit: Ngwee
}

/** Adds what only the stream knows: the amount of a confirmed alternative payment, and change ids. */
export type OrderFactsInStream = OrderFacts & { paidLater: Ngwee | null; changes: ReadonlySet<string> }
