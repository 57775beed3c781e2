import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'

/** How many SMS were handed to the gateway on a day of the school. */
export const smsDayRows = (knex: Knex) => {
  const days = () => knex<{ day: SchoolDate; sent: number }>('identity.sms_days')
  return {
    isFull: async (day: SchoolDate, ceiling: number | null): Promise<boolean> => {
      if (ceiling === null) return false
      const row = await days().where({ day }).first('sent')
      return (row?.sent ?? 0) >= ceiling
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

    /** One that was counted certainly was not taken by the gateway. */
    giveBack: async (day: SchoolDate): Promise<void> => {
      await days().where({ day }).decrement('sent', 1)
    },
  }
}
