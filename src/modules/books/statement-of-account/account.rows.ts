import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import type { BookingKind, Method } from '../bookings/booking'
import type { CountedRow } from '../receipts/receipt'

/** What bookings are to a family's account, in ngwee: what is in its favour, and credit that it has. */
const inFavour = `case when kind in ('received', 'granted', 'written_off') then amount
  when kind in ('paid_back', 'meal', 'credit_paid_out', 'given_up') then -amount end`
const credit = `case when kind in ('credit_given', 'granted') then amount
  when kind in ('credit_spent', 'credit_paid_out') or (kind = 'given_up' and attempt_id is null) then -amount end`

export type AccountStanding = { balance: number; credit: number }

/** How a family's account stands before that day. */
export const standingBefore = async (
  at: Reader,
  userId: number,
  date: SchoolDate,
): Promise<AccountStanding> => {
  const { rows } = await at.query<AccountStanding>({
    name: 'books-account-standing',
    text: `select coalesce(sum(${inFavour}), 0)::float8 as balance, coalesce(sum(${credit}), 0)::float8 as credit
      from books.bookings where user_id = $1 and booked < $2`,
    values: [userId, date],
  })
  return rows[0]!
}

/** What one event did to a family's account; `amount` in its favour. */
export type AccountStep = {
  at: Date
  date: SchoolDate
  kind: BookingKind
  method: Method | null
  amount: number
  orderId: string | null
}

/** What was booked for a family on these days, in order, an event's parts of one kind together. */
export const accountSteps = async (
  at: Reader,
  userId: number,
  { from, to }: { from: SchoolDate; to: SchoolDate },
): Promise<AccountStep[]> => {
  const { rows } = await at.query<AccountStep>({
    name: 'books-account-steps',
    text: `select max(at) as at, max(booked)::text as date, kind, max(method) as method,
        sum(${inFavour})::float8 as amount,
        case when count(distinct order_id) = 1 then max(order_id) end as "orderId"
      from books.bookings
      where user_id = $1 and booked between $2 and $3
        and kind not in ('owed', 'unpaid', 'free_meal', 'credit_given', 'credit_spent')
      group by event_id, kind
      order by max(at), min(meal), event_id, kind`,
    values: [userId, from, to],
  })
  return rows
}

/** The receipts and credit notes of a family in this time. */
export const numberedBetween = (
  knex: Knex,
  userId: number,
  [from, until]: readonly [Date, Date],
): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ user_id: userId })
    .whereIn('kind', ['receipt', 'credit_note'])
    .where('at', '>=', from)
    .where('at', '<', until)
    .orderBy(['year', 'number'])
