import type { PayBy } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import type { Remedy } from '#kernel/remedy'

/**
 * One order with everything that lists show, as a row of `ordering.orders`. Prices are ngwee, `price` the price to
 * pay; instants are ISO text when folded and Date when read from the table.
 */
export type OrderRow = {
  id: string
  attempt_id: string
  line: number
  user_id: number
  student_id: number
  student_name: string
  student_grade: string
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
  /** What of the price the family's credit paid at its checkout. */
  credit: number
  discount_percentage: number
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  payment_status: 'confirmed' | 'pending'
  /** Nothing proves its payment but an administrator's word. */
  paid_by_hand: boolean
  /** How it is paid for; null where there was nothing to pay with money. */
  pay_by: PayBy | null
  placed_at: string | Date
  cancelled_late: boolean
  /** How what was paid for a cancelled order goes back; null while it is not cancelled. */
  remedy: Remedy | null
  /** The closure of its day that cancelled it. */
  closure_id: string | null
  /** When it lapses unless it is paid for, where the school lets unpaid meals lapse; null: it stays. */
  lapses_at: string | Date | null
  /** Until when its portion of a limited item is kept though nobody has paid; null: as long as it stands. */
  portion_until: string | Date | null
  /** It was cancelled because nobody had paid for it. */
  lapsed: boolean
  /** The child is ill and does not eat it. */
  absent: boolean
  /** What that gives back as credit once the meal is paid for; 0 while it is not absent. */
  absence_credit: number
  /** A mark of the hatch has ended an absence: what follows is not the family's. */
  absence_ended: boolean
  /** How often its family said that the child is ill, or takes it back. */
  absences_told: number
  /** To how many other meals it was changed. */
  changes: number
  /** The mark of the hatch by which it was handed out, and when by the device's clock; null: it was not. */
  given_mark: string | null
  given_at: string | Date | null
  /** The office gave it another meal than was ordered. */
  substituted: boolean
  /** Somebody was asked about an allergen of the child's in it, and wants it all the same. */
  acknowledged: boolean
}

/** An order as the contexts for money see it; `price` is the price to pay. */
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
  /** What of the price the family's credit paid at its checkout. */
  credit: Ngwee
  status: OrderRow['status']
  paymentStatus: OrderRow['payment_status']
  paidByHand: boolean
  payBy: OrderRow['pay_by']
  placedAt: Date
  /** When it lapses where the school lets unpaid meals lapse; null for one that is paid for, or stays all the same. */
  lapsesAt: Date | null
  /** When it lapses because its item is limited and nobody has paid; null: it does not. */
  portionUntil: Date | null
  remedy: OrderRow['remedy']
  closureId: string | null
  /** What the absence of the child gives back as credit once it is paid for; 0 without one. */
  absenceCredit: Ngwee
}

/**
 * The same with what the stream alone tells: what was paid when an alternative payment was confirmed, else null, and the
 * acts by which it was changed to another meal.
 */
export type OrderFactsInStream = OrderFacts & { paidLater: Ngwee | null; changes: ReadonlySet<string> }
