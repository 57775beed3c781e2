import type { Knex } from 'knex'

/**
 * What the search of the console looks for by index in statements and transfers: the number of a transaction, as somebody
 * may have written it down, and the amount; and payments in the history by our reference.
 */
export const up = async (knex: Knex): Promise<void> => {
  const written = (column: string) =>
    knex.raw(`upper(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops`)

  await knex.schema.withSchema('payments').alterTable('statement_rows', (table) => {
    table.index([written('transaction_id')], 'statement_rows_by_written_transaction', {
      predicate: knex.whereNotNull('transaction_id'),
    })
    table.index(['amount', knex.raw('at desc')], 'statement_rows_by_amount')
  })
  await knex.schema.withSchema('payments').alterTable('transfers', (table) => {
    table.index([written('transaction_id')], 'transfers_by_written_transaction', {
      predicate: knex.whereNotNull('transaction_id'),
    })
  })
  await knex.schema.withSchema('audit').alterTable('ledger_attempts', (table) => {
    table.index([written('reference')], 'ledger_attempts_by_written_reference', {
      predicate: knex.whereNotNull('reference'),
    })
  })
}
