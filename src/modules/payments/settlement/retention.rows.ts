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

/** Which mail told of a meal that lapses is asked for a week; for the rest of its time it answers who was told. */
const lapseMailsKeptDays = 90

/** Statements stay until the books of their year are closed: a payment that is found late is still looked up in them. */
const statementsKeptDays = 400

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
  const lapseMails: Retention = {
    name: 'payments.lapse_mails',
    kept: `${lapseMailsKeptDays} days`,
    remove: deleteUntil(
      pool,
      'payments.lapse_mails',
      'told_at < $1',
      () => new Date(now().getTime() - lapseMailsKeptDays * dayMs),
    ),
  }
  const statementsUntil = () => new Date(now().getTime() - statementsKeptDays * dayMs)
  const ofOldStatement = 'statement_id in (select id from payments.statements where uploaded_at < $1)'
  const statementRows: Retention = {
    name: 'payments.statement_rows',
    kept: `${statementsKeptDays} days`,
    remove: deleteUntil(pool, 'payments.statement_rows', ofOldStatement, statementsUntil),
  }
  const withoutRows = `uploaded_at < $1
    and not exists (select from payments.statement_rows row where row.statement_id = statements.id)`
  const statements: Retention = {
    name: 'payments.statements',
    kept: `${statementsKeptDays} days`,
    remove: deleteUntil(pool, 'payments.statements', withoutRows, statementsUntil),
  }
  return [
    lapseMails,
    statementRows,
    statements,
    pushes('unreadable', unreadablePushesKeptDays),
    pushes('unknown', unknownPushesKeptDays),
  ]
}
