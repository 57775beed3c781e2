import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import { type Retention, dayMs, deleteUntil } from '#platform/retention'

/** A push that nobody can read says nothing; a few months are enough to see who sends such things. */
const unreadablePushesKeptDays = 90

/**
 * A push about a payment that is not ours may tell of money that was received for an attempt which was lost with a
 * disk: it stays until the books of its year are closed. Pushes of our own attempts stay for ever.
 */
const unknownPushesKeptDays = 400

type Needs = { database: { pool: Pool }; now: Now }

/** What payments forget: never anything that belongs to an attempt. */
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
