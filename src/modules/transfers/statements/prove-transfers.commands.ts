import { z } from 'zod'
import { handleCommand, type By } from '#platform/event-store/command-handler'
import { job, leaveToSweep, type JobWork } from '#platform/jobs/job'
import { sweepOf, workBy } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import type { Ports } from '#platform/ports'
import type { TransfersNeeds } from '../ports'

const name = 'prove-transfers'
const proveTransfersJob = job({
  name,
  payload: z.object({ statementId: z.int() }),
  attempts: 3,
  backoffMs: 1000,
})

/** After a statement, which proves up to 500 transfers at a time. */
export const proveSoon = ({ queue, log }: Ports, statementId: number): Promise<void> =>
  leaveToSweep(
    queue.enqueue(proveTransfersJob, { statementId }, { id: `statement-${statementId}` }),
    'proving transfers',
    log,
  )

type Provable = { id: string; confirmationId: string; orderIds: string[] }

/** Typed ids that stand on a row of a statement with at least as much money. A row that was counted in by hand proves nothing. */
const provable = async ({ database: { pool } }: Ports): Promise<Provable[]> => {
  const { rows } = await pool.query<Provable>(
    `select id, confirmation_id as "confirmationId", order_ids as "orderIds"
     from transfers.transfers transfer
     where confirmed and row_id is null and method <> 'cash' and transaction_key is not null
       and exists (select from transfers.statement_rows row where row.transaction_key = transfer.transaction_key
         and row.amount >= transfer.amount and not row.counted_in)
       and not exists (select from transfers.proven where proven.confirmation_id = transfer.confirmation_id)
     order by changed_at, id limit 500`,
  )
  return rows
}

/** Which of these transfers with a typed id stand on a statement since. */
export const provenAmong = async (
  { database: { pool } }: Ports,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ id: string }>(
    'select id from transfers.transfers join transfers.proven using (confirmation_id) where id = any($1)',
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Repeatable: a crash leaves it to the next look. */
const prove =
  (needs: TransfersNeeds) =>
  async ({ id, confirmationId, orderIds }: Provable, by: By): Promise<void> => {
    const { ordering, credit, database } = needs
    const change = { kind: 'prove', transferIds: [id] } as const
    await handleCommand(needs, by, (at) =>
      ordering.changePayments(orderIds, change, at, credit.accounts().reclaim),
    )
    await database
      .knex('transfers.proven')
      .insert({ confirmation_id: confirmationId })
      .onConflict('confirmation_id')
      .ignore()
  }

export const provingTransfers = (needs: TransfersNeeds): { sweep: Sweep; work: JobWork } => {
  const sweep = sweepOf({ name, due: () => provable(needs), id: ({ id }) => id, act: prove(needs) })
  return { sweep, work: workBy(proveTransfersJob, sweep.run) }
}
