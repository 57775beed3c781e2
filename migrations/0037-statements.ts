import type { Knex } from 'knex'

/** Statements of mobile money and banks: the files that were uploaded, and the incoming payments found in them. */
export const up = async (knex: Knex): Promise<void> => {
  const payments = () => knex.schema.withSchema('payments')

  await payments().createTable('statements', (table) => {
    table.specificType('id', 'integer generated always as identity').primary()
    table.text('source').notNullable()
    table.text('file_name').notNullable()
    table.integer('uploaded_by').notNullable()
    table.timestamp('uploaded_at').notNullable()
    table.index(['uploaded_at'])
  })

  await payments().createTable('statement_rows', (table) => {
    // Made of what makes the payment known again, so that no payment stands here twice.
    table.uuid('id').primary()
    table
      .integer('statement_id')
      .notNullable()
      .references('id')
      .inTable('payments.statements')
      .onDelete('CASCADE')
    table.text('method').notNullable().checkIn(['airtel', 'mtn', 'bank', 'other'])
    table.timestamp('at').notNullable()
    table.integer('amount').notNullable().checkPositive()
    table.text('payer')
    table.text('phone')
    table.text('text')
    table.text('transaction_id')
    // The transaction's id as it is compared: without regard to case and spaces.
    table.text('transaction_key')
    table.boolean('ignored').notNullable().defaultTo(false)
    table.index(['statement_id', 'at', 'id'])
    table.index(['transaction_key'])
  })

  // How files with these heads are read, as somebody said on screen.
  await payments().createTable('statement_mappings', (table) => {
    table.text('layout').primary()
    table.jsonb('heads').notNullable()
    table.jsonb('mapping').notNullable()
    table.text('method').notNullable().checkIn(['airtel', 'mtn', 'bank', 'other'])
  })
}
