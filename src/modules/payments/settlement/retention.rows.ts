import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import { type Retention, dayMs, deleteUntil } from '#platform/retention'

const unreadablePushesKeptDays = 90

/** May concern money for an attempt lost with a disk: kept until its year is closed. Own pushes stay. */
const unknownPushesKeptDays = 400

type Needs = { database: { pool: Pool }; now: Now }

export const paymentRetentions = ({ database: { pool }, now }: Needs): Retention[] => {
  const pushes = (state: 'unreadable' | 'unknown', days: number): Retention => ({
    name: `payments.push_inbox.${state}`,
    kept: `${days} days`,
    remove: deleteUntil(
      pool,
      'payments.push_inbox',
      `state = '${state}' and received_at < $1`,
      () => new Date(now().getTime() - days * dayMs),
    ),
  })
  return [pushes('unreadable', unreadablePushesKeptDays), pushes('unknown', unknownPushesKeptDays)]
}
