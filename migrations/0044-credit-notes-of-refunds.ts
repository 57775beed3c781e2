import type { Knex } from 'knex'

/** The list of refunds names the credit note of each. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('books').alterTable('receipts', (table) => {
    table.index(['refund_id'], 'receipts_of_refunds', { predicate: knex.whereRaw(`kind = 'credit_note'`) })
  })
}
