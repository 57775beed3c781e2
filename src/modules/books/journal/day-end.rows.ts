import type { DayKind } from '#contracts/books'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { type DayEnd, dayEndOf, type BookedSum, type OpenSums } from './day-end.decide'

const columns = { payment: 'booked', meal: 'meal' } as const satisfies Record<DayKind, string>

const partsThatCount = {
  payment: `part = 0`,
  meal: 'part >= 0 and amount > 0',
} as const satisfies Record<DayKind, string>

const ofAccount = `(kind = 'granted' and order_id is null) or (kind = 'given_up' and attempt_id is null)`

/** In ngwee by day, kind and way; meals are left out. */
export const bookedSums = async (
  at: Reader,
  { from, to, by }: { from: SchoolDate; to: SchoolDate; by: DayKind },
): Promise<BookedSum[]> => {
  const day = columns[by]
  const { rows } = await at.query<BookedSum>({
    name: `books-day-end-${by}`,
    // A refund counts under its payment's method.
    text: `select ${day}::text as date, kind, method, sent_by as "sentBy", ${ofAccount} as "ofAccount", sum(amount)::float8 as amount,
        (count(*) filter (where ${partsThatCount[by]}))::float8 as payments,
        coalesce(sum(amount) filter (where kind = 'paid_back'), 0)::float8 as undone
      from books.bookings
      where ${day} between $1 and $2 and kind <> 'meal' and not (kind = 'paid_back' and method is null)
      group by 1, 2, 3, 4, 5
      union all
      select b.${day}::text, b.kind, coalesce(t.method, o.method, a.method, 'other'), b.sent_by, false, sum(b.amount)::float8, 0, 0
      from books.bookings b
      left join books.orders o on o.id = b.order_id
      left join books.transfers t on t.id = o.transfer_id
      left join books.attempts a on a.id = b.attempt_id
      where b.${day} between $1 and $2 and b.kind = 'paid_back' and b.method is null
      group by 1, 2, 3, 4`,
    values: [from, to],
  })
  return rows
}

const openBefore = async (at: Reader, date: SchoolDate, by: DayKind): Promise<OpenSums> => {
  const { rows } = await at.query<OpenSums>({
    name: `books-open-${by}`,
    text: `select coalesce(sum(amount) filter (where kind = 'owed'), 0)::float8 as owed,
        coalesce(sum(amount) filter (where kind = 'unpaid'), 0)::float8 as unpaid
      from books.bookings where ${columns[by]} < $1 and kind in ('owed', 'unpaid')`,
    values: [date],
  })
  return rows[0]!
}

export const dayEndBetween = async (
  at: Reader,
  asked: { from: SchoolDate; to: SchoolDate; by: DayKind },
): Promise<DayEnd> => {
  const [sums, before] = await Promise.all([bookedSums(at, asked), openBefore(at, asked.from, asked.by)])
  return dayEndOf(asked, sums, before)
}

/** What a day's meals still cost at the end of that day, in ngwee. */
export const unpaidForMeals = async (at: Reader, day: SchoolDate): Promise<Ngwee> => {
  const { rows } = await at.query<{ unpaid: Ngwee }>(
    `select coalesce(sum(amount), 0)::float8 as unpaid from books.bookings
     where kind = 'unpaid' and meal = $1 and booked <= $1`,
    [day],
  )
  return rows[0]!.unpaid
}

/** All bookings by `kind method`, in ngwee. */
export const bookedInAll = async (at: Reader): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await at.query<{ name: string; amount: number }>(
    `select concat_ws(' ', kind, method) as name, sum(amount)::float8 as amount from books.bookings group by 1`,
  )
  return new Map(rows.map(({ name, amount }) => [name, amount]))
}
