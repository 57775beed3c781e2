import type { Knex } from 'knex'
import { addDays, type SchoolDate } from '#kernel/school-time'

/**
 * Of a day's SMS a tenth is kept for temporary passwords, so that whoever burns the others locks nobody out; null:
 * without end.
 */
export const ceilingOf = (
  { dailyCeiling }: { dailyCeiling: number | null },
  purpose: 'message' | 'code' | 'password',
): number | null => {
  if (dailyCeiling === null || purpose === 'password') return dailyCeiling
  const forAll = dailyCeiling - Math.ceil(dailyCeiling / 10)
  return purpose === 'code' ? Math.ceil(forAll / 2) : forAll
}

/** How many SMS were handed to the gateway on a day of the school. */
export const smsDayRows = (knex: Knex) => {
  const days = () => knex<{ day: SchoolDate; sent: number }>('identity.sms_days')
  return {
    isFull: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      if (ceiling === null) return false
      const row = await days().where({ day }).first('sent')
      return (row?.sent ?? 0) >= ceiling
    },

    /** How many there were on this day and on the 30 that end with it. */
    counted: async (day: SchoolDate): Promise<{ sentToday: number; sentIn30Days: number }> => {
      const { rows } = await knex.raw<{ rows: { sentToday: number; sentIn30Days: number }[] }>(
        `select coalesce(sum(sent), 0)::int as "sentIn30Days",
           coalesce(sum(sent) filter (where day = ?), 0)::int as "sentToday"
         from identity.sms_days where day between ? and ?`,
        [day, addDays(day, -29), day],
      )
      return rows[0]!
    },

    /** Counts one more; false, and nothing is counted, when the day has its fill. */
    take: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `insert into identity.sms_days as known (day, sent) values (?, 1)
         on conflict (day) do update set sent = known.sent + 1 where ?::int is null or known.sent < ?::int
         returning sent`,
        [day, ceiling, ceiling],
      )
      return rows.length > 0
    },

    /** Counts one more code that is asked for; false, and nothing is counted, when the codes of the day are spent. */
    takeCode: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `insert into identity.sms_days as known (day, sent, codes) values (?, 0, 1)
         on conflict (day) do update set codes = known.codes + 1 where ?::int is null or known.codes < ?::int
         returning codes`,
        [day, ceiling, ceiling],
      )
      return rows.length > 0
    },

    /** One that was counted certainly was not taken by the gateway. */
    giveBack: async (day: SchoolDate): Promise<void> => {
      await days().where({ day }).decrement('sent', 1)
    },
  }
}
