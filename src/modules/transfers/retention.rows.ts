import type { Ports } from '#platform/ports'
import { type Retention, dayMs, deleteUntil } from '#platform/retention'

/** A family asks within a week; until then it shows who was told. */
const lapseMailsKeptDays = 90

/** Kept until their year is closed, for late payments. */
const statementsKeptDays = 400

export const transferRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
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
  return [lapseMails, statementRows, statements]
}
