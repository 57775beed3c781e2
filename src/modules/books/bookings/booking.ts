import { parseOrderId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'

/**
 * What a booking is of. `received`: money of a family that a receipt tells of; `paid_back`: money that a credit note
 * tells of; `owed` and `unpaid`: what is owed back and what is yet to be paid, up and down; `meal`: what a meal costs;
 * `free_meal`: how many cost nothing; `credit_given` and `granted`: credit given, less what was taken back, for money that
 * the family had paid and beyond it; `credit_spent`: credit that paid for a meal; `credit_paid_out`: credit that left as
 * money; `given_up`: what a family wants no more; `written_off`: what the school accepted as missing.
 */
export type BookingKind =
  | 'received'
  | 'paid_back'
  | 'owed'
  | 'unpaid'
  | 'meal'
  | 'free_meal'
  | 'credit_given'
  | 'granted'
  | 'credit_spent'
  | 'credit_paid_out'
  | 'given_up'
  | 'written_off'

/** How money was received; a booking without one stands under the method by which its order was paid. */
export type Method = 'card' | 'airtel' | 'mtn' | 'bank' | 'other'

/** One movement, as an event caused it. `amount` in ngwee, of free meals their number; negative where it went down. */
export type Booking = {
  id: string
  event_id: string
  at: string
  /** The school's day on which it was booked. */
  booked: SchoolDate
  /** The day of the meal that it is for; the day of booking where it is for none. */
  meal: SchoolDate
  kind: BookingKind
  method: Method | null
  amount: number
  /** The number of this part of what was received at once, from 0; null for what only moves it to another day. */
  part: number | null
  user_id: number
  attempt_id: string | null
  order_id: string | null
}

/** What a movement is before its event and the school's day are written to it. */
export type Movement = {
  kind: BookingKind
  amount: number
  userId: number
  /** Null: for no meal. */
  mealDate?: SchoolDate | null
  method?: Method | null
  part?: number | null
  attemptId?: string | null
  orderId?: string | null
}

export type BookedEvent = { id: string; data: { at: string } }

/** Writes the movements of one event down as bookings. `zone`: the school's. */
export const bookingsOf = (
  zone: string,
  { id, data }: BookedEvent,
  movements: readonly Movement[],
): Booking[] => {
  const booked = schoolMoment(new Date(data.at), zone).date
  return movements.map((movement, index) => ({
    id: `${id}.${index}`,
    event_id: id,
    at: data.at,
    booked,
    meal: movement.mealDate ?? booked,
    kind: movement.kind,
    method: movement.method ?? null,
    amount: movement.amount,
    part: movement.part ?? null,
    user_id: movement.userId,
    attempt_id: movement.attemptId ?? null,
    order_id: movement.orderId ?? null,
  }))
}

/** The date of the meal that an order is for. */
export const mealDateOf = (orderId: string): SchoolDate => parseOrderId(orderId)!.lunch.date

/** Money by the day of the meal that it is for; `''` is what is for none. */
export type Shares = ReadonlyMap<SchoolDate | '', Ngwee>

export const sharesOf = (parts: readonly { mealDate: SchoolDate | null; amount: number }[]): Shares => {
  const shares = new Map<SchoolDate | '', number>()
  for (const { mealDate, amount } of parts)
    if (amount !== 0) shares.set(mealDate ?? '', (shares.get(mealDate ?? '') ?? 0) + amount)
  return shares
}

/** Money that is received now, part by part; where it was received before, what moves from day to day. */
export const receivedMovements = (
  before: Shares,
  after: Shares,
  common: Omit<Movement, 'kind' | 'amount' | 'mealDate' | 'part'>,
): Movement[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((date) => ({ date, amount: (after.get(date) ?? 0) - (before.get(date) ?? 0) }))
    .filter(({ amount }) => amount !== 0)
    .map(({ date, amount }, index) => ({
      ...common,
      kind: 'received',
      amount,
      mealDate: date === '' ? null : date,
      part: before.size === 0 ? index : null,
    }))
