import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

/** Outlives every job that could resend it (failed ones stay 60 days). */
const mailsKeptDays = 90

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
