import type { Reader } from '#platform/database'

/** In ngwee. `money`: received less paid back or given up. */
type BookedInAll = {
  money: number
  owed: number
  unpaid: number
  creditGiven: number
  creditSpent: number
  creditPaidOut: number
}

// A waiver is of a refund where it names an attempt, else of credit.
const sums = {
  money: `case when kind = 'received' then amount
            when kind = 'paid_back' or (kind = 'given_up' and attempt_id is not null) then -amount end`,
  owed: `case when kind = 'owed' then amount end`,
  unpaid: `case when kind = 'unpaid' then amount end`,
  creditGiven: `case when kind in ('credit_given', 'granted') then amount end`,
  creditSpent: `case when kind = 'credit_spent' then amount end`,
  creditPaidOut: `case when kind = 'credit_paid_out' or (kind = 'given_up' and attempt_id is null) then amount end`,
} as const satisfies Record<keyof BookedInAll, string>

/** All that was ever booked. */
export const bookedInAll = async (at: Reader): Promise<BookedInAll> => {
  const columns = Object.entries(sums).map(
    ([name, amount]) => `coalesce(sum(${amount}), 0)::float8 as "${name}"`,
  )
  const { rows } = await at.query<BookedInAll>(`select ${columns.join(', ')} from books.bookings`)
  return rows[0]!
}
