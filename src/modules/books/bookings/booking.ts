import { parseOrderId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'

/**
 * `received` has a receipt, `paid_back` a credit note. `owed` and `unpaid` go up and down. `meal` is a price, `free_meal` a count.
 * `credit_given` is for money paid, `granted` beyond it, both less what was taken back. `credit_paid_out` left as money, `given_up` was
 * waived by the family, `written_off` accepted as missing.
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

/** A booking without a method counts under that of its order. */
export type Method = 'card' | 'airtel' | 'mtn' | 'bank' | 'other'

/** One movement of one event. `amount` in ngwee (a count for free meals), negative for decreases. */
export type Booking = {
  id: string
  event_id: string
  at: string
  booked: SchoolDate
  meal: SchoolDate
  kind: BookingKind
  method: Method | null
  amount: number
  /** Number of this part of one payment, from 0; null for a move to another day. */
  part: number | null
  user_id: number
  attempt_id: string | null
  order_id: string | null
}

export type Movement = {
  kind: BookingKind
  amount: number
  userId: number
  mealDate?: SchoolDate | null
  method?: Method | null
  part?: number | null
  attemptId?: string | null
  orderId?: string | null
}

export type BookedEvent = { id: string; data: { at: string } }

/** Bookings of one event in `zone`. */
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

export const mealDateOf = (orderId: string): SchoolDate => parseOrderId(orderId)!.lunch.date

/** By meal date; `''` for no meal. */
export type Shares = ReadonlyMap<SchoolDate | '', Ngwee>

export const sharesOf = (parts: readonly { mealDate: SchoolDate | null; amount: number }[]): Shares => {
  const shares = new Map<SchoolDate | '', number>()
  for (const { mealDate, amount } of parts)
    if (amount !== 0) shares.set(mealDate ?? '', (shares.get(mealDate ?? '') ?? 0) + amount)
  return shares
}

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
