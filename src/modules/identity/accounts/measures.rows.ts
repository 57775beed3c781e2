import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import type { Measure } from '#platform/module'
import { dayMs } from '#platform/retention'

const numberOf = async (pool: Pool, text: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await pool.query<{ number: number }>(text, values)
  return rows[0]?.number ?? 0
}

/** How the mail goes: what waits, for how long, and what was never delivered. */
export const mailMeasures = ({
  database: { pool },
  now,
}: {
  database: { pool: Pool }
  now: Now
}): Measure[] => [
  {
    name: 'tuckshop_mails_waiting',
    help: 'Mails that are written and not sent yet',
    value: () =>
      numberOf(
        pool,
        `select count(*)::int as number from identity.mail_outbox
         where "sentAt" is null and "givenUpAt" is null`,
      ),
  },
  {
    name: 'tuckshop_mails_oldest_waiting_seconds',
    help: 'Age of the oldest mail that is not sent yet, 0 without one',
    value: () =>
      numberOf(
        pool,
        `select coalesce(greatest(0, extract(epoch from $1 - min("createdAt"))), 0)::float8 as number
         from identity.mail_outbox where "sentAt" is null and "givenUpAt" is null`,
        [now()],
      ),
  },
  {
    name: 'tuckshop_mails_given_up',
    help: 'Mails that were given up within the last 24 hours',
    value: () =>
      numberOf(pool, `select count(*)::int as number from identity.mail_outbox where "givenUpAt" > $1`, [
        new Date(now().getTime() - dayMs),
      ]),
  },
]
