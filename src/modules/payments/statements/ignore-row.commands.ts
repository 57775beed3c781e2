import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { decimalFromNgwee } from '#kernel/money'
import type { PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'
import { rowsByIds, setIgnored } from './statement-rows.rows'

/** Sets a payment aside that pays nothing here, or opens it again; one that has paid something is refused. */
export const ignoreRow = async (
  { database: { knex }, now }: Pick<PaymentsNeeds, 'database' | 'now'>,
  { id, ignored }: { id: string; ignored: boolean },
  by: By,
): Promise<void> => {
  const [row] = await rowsByIds(knex, [id])
  if (!row) throw refusal('row_not_found')
  await knex.transaction(async (transaction) => {
    if (!(await setIgnored(transaction, id, ignored))) throw refusal('row_confirmed')
    if (row.ignored === ignored) return
    const what = `Payment ${id} of K${decimalFromNgwee(row.amount)} ${ignored ? 'ignored' : 'open again'}`
    await recordChanges(transaction, { ...by, at: now() }, [{ kind: 'settings', what, old: null, new: null }])
  })
}
