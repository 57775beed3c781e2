import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

/**
 * A sent mail's row says that it went out, to whom and when. It outlives every job that could post the mail again
 * (failed ones stay 60 days): while it is there, the same mail is not sent twice.
 */
const mailsKeptDays = 90

/** What messaging deletes, and when. */
export const messagingRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const before = () => new Date(now().getTime() - mailsKeptDays * dayMs)
  return [
    {
      name: 'identity.mail_outbox',
      kept: `${mailsKeptDays} days after it was sent or given up; unsent ones stay`,
      remove: deleteUntil(pool, 'identity.mail_outbox', 'coalesce("sentAt", "givenUpAt") < $1', before),
    },
    {
      name: 'identity.sms_days',
      kept: `${mailsKeptDays} days`,
      remove: deleteUntil(pool, 'identity.sms_days', 'day < $1', before),
    },
  ]
}
