import type { RefundMethod } from '#contracts/refunds'
import { column, type RowOf } from '#kernel/column'
import { parseOrderId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'

// How an account counts in the sum of an event, which is zero: value comes from it (-1), is there (1), or it only tells of both (0).

/**
 * `received` has a receipt, `paid_back` a credit note; `cash_refund` tells which of it left the till. `owed` and `unpaid` go up and down. `meal` is a price less its `discount`, `free_meal` (a meal without a price) and `late_meal` are counts.
 * `credit_given` is for money paid, `granted` beyond it, both less what was taken back. `credit_paid_out` left as money, `given_up` was
 * waived by the family, `written_off` accepted as missing.
 */
const stored = {
  received: -1,
  paid_back: 1,
  cash_refund: 0,
  owed: 1,
  unpaid: -1,
  meal: 1,
  discount: 0,
  free_meal: 0,
  late_meal: 0,
  credit_given: 1,
  granted: -1,
  credit_spent: 0,
  credit_paid_out: 1,
  given_up: 1,
  written_off: -1,
} as const
export type BookingKind = keyof typeof stored

/**
 * Accounts that are empty once a story is over; only the audit looks at them. `held` is paid for a line that is no order yet; `to_pay_back`
 * waits for its refund, `to_credit` for its credit, `transferred` for its order, `charged` and `change` for the meal that becomes dearer or
 * cheaper.
 */
const clearing = {
  held: 1,
  to_pay_back: 1,
  to_credit: 1,
  transferred: 1,
  charged: 1,
  change: 1,
  credit_held: 1,
} as const

/** For the audit too. `credit`: what a family has. `fee` came on top of a payment, `undecided` does not fit it. */
const others = { credit: 1, fee: 0, undecided: 0 } as const
export type Account = BookingKind | keyof typeof clearing | keyof typeof others

export const sides: Record<Account, -1 | 0 | 1> = { ...stored, ...clearing, ...others }

export const isStored = (kind: Account): kind is BookingKind => kind in stored
export const isClearing = (kind: Account): boolean => kind in clearing

/** A booking without a method counts under that of its order. */
export type Method = 'card' | 'airtel' | 'mtn' | 'bank' | 'cash' | 'other'

/** One movement of one event. `amount` in ngwee (a count for free meals), negative for decreases. */
export const bookingColumns = {
  id: column<string>('text'),
  event_id: column<string>('uuid'),
  at: column<string>('timestamptz'),
  booked: column<SchoolDate>('date'),
  meal: column<SchoolDate>('date'),
  kind: column<BookingKind>('text'),
  method: column<Method | null>('text'),
  /** How money of a refund or payout left. */
  sent_by: column<RefundMethod | null>('text'),
  amount: column<number>('bigint'),
  /** Number of this part of one payment, from 0; null for a move to another day. */
  part: column<number | null>('integer'),
  user_id: column<number>('integer'),
  attempt_id: column<string | null>('uuid'),
  order_id: column<string | null>('text'),
}
export type Booking = RowOf<typeof bookingColumns>

/** `what` clears the account: a line, an order, a refund or an entry of credit. */
export type Movement = {
  kind: Account
  amount: number
  userId: number
  mealDate?: SchoolDate | null
  method?: Method | null
  sentBy?: RefundMethod
  part?: number | null
  attemptId?: string | null
  orderId?: string | null
  what?: string
}

export type BookedEvent = { id: string; data: { at: string } }

/** Bookings of one event in `zone`, numbered from `first`: two views that book one event use different numbers. */
export const bookingsOf = (
  zone: string,
  { id, data }: BookedEvent,
  movements: readonly Movement[],
  first = 0,
): Booking[] => {
  const booked = schoolMoment(new Date(data.at), zone).date
  return movements
    .flatMap(({ kind, ...movement }) => (isStored(kind) ? [{ kind, ...movement }] : []))
    .map((movement, index) => ({
      id: `${id}.${first + index}`,
      event_id: id,
      at: data.at,
      booked,
      meal: movement.mealDate ?? booked,
      kind: movement.kind,
      method: movement.method ?? null,
      sent_by: movement.sentBy ?? null,
      amount: movement.amount,
      part: movement.part ?? null,
      user_id: movement.userId,
      attempt_id: movement.attemptId ?? null,
      order_id: movement.orderId ?? null,
    }))
}

/** What leads from one standing of the accounts to the other. */
export const changeOf = (before: readonly Movement[], after: readonly Movement[]): Movement[] => {
  if (before.length === 0) return after.filter(isSomething)
  const net = new Map<string, Movement>()
  const add = (sign: 1 | -1) => (movement: Movement) => {
    const key = `${movement.kind} ${movement.what ?? ''} ${movement.mealDate ?? ''}`
    const { amount = 0 } = net.get(key) ?? {}
    net.set(key, { ...movement, amount: amount + sign * movement.amount })
  }
  before.filter(isSomething).forEach(add(-1))
  after.filter(isSomething).forEach(add(1))
  return [...net.values()].filter(isSomething)
}

const isSomething = ({ amount }: Movement): boolean => amount !== 0

export const mealDateOf = (orderId: string): SchoolDate => parseOrderId(orderId)!.lunch.date

export const lineName = (attemptId: string, index: number): string => `${attemptId}.${index}`

/** By meal date; `''` for no meal. */
export type Shares = ReadonlyMap<SchoolDate | '', Ngwee>

export const sharesOf = (parts: readonly { mealDate: SchoolDate | null; amount: number }[]): Shares => {
  const shares = new Map<SchoolDate | '', number>()
  for (const { mealDate, amount } of parts)
    if (amount !== 0) shares.set(mealDate ?? '', (shares.get(mealDate ?? '') ?? 0) + amount)
  return shares
}
