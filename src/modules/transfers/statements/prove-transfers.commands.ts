import { handleCommand, type By } from '#platform/event-store/command-handler'
import { sweepOf } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import { each } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import type { TransfersNeeds } from '../ports'

type Provable = { id: string; confirmationId: string; userIds: number[]; orderIds: string[] }

/** Typed ids that stand on a row of a statement with at least as much money. A row that was counted in by hand proves nothing. */
const provable = async ({ database: { pool } }: Ports): Promise<Provable[]> => {
  const { rows } = await pool.query<Provable>(
    `select id, confirmation_id as "confirmationId", user_ids as "userIds", order_ids as "orderIds"
     from transfers.transfers transfer
     where confirmed and row_id is null and method <> 'cash' and transaction_key is not null
       and exists (select from transfers.statement_rows row where row.transaction_key = transfer.transaction_key
         and row.amount >= transfer.amount and not row.counted_in)
       and not exists (select from transfers.proven where proven.confirmation_id = transfer.confirmation_id)
     order by changed_at, id limit 500`,
  )
  return rows
}

/** Repeatable: a crash leaves it to the next look. */
const prove =
  (needs: TransfersNeeds) =>
  async ({ id, confirmationId, userIds, orderIds }: Provable, by: By): Promise<void> => {
    const { ordering, credit, database } = needs
    const change = { kind: 'prove', transferIds: [id] } as const
    await handleCommand(needs, by, (at) =>
      ordering.changePayments(orderIds, change, at, credit.accounts().reclaim),
    )
    for (const userId of userIds) await credit.proveTransfer(userId, id, by)
    await database
      .knex('transfers.proven')
      .insert({ confirmation_id: confirmationId })
      .onConflict('confirmation_id')
      .ignore()
  }

export const proveTransfers = async (needs: TransfersNeeds, by: By): Promise<void> =>
  each(await provable(needs), (transfer) => prove(needs)(transfer, by))

export const proveTransfersSweep = (needs: TransfersNeeds): Sweep =>
  sweepOf({
    name: 'prove-transfers',
    due: () => provable(needs),
    id: ({ id }) => id,
    act: prove(needs),
  })
