import type { Knex } from 'knex'

/** The books: receipts and credit notes, numbered by year, and what stands on them. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createSchema('books')

  const isNumbered = knex.whereRaw(`kind in ('receipt', 'credit_note')`)
  await knex.schema.withSchema('books').createTable('receipts', (table) => {
    table.text('id').primary()
    table.text('kind').notNullable()
    table.integer('year')
    table.integer('number')
    table.integer('user_id')
    table.uuid('attempt_id')
    table.text('order_id')
    table.text('receipt_id')
    table.text('refund_id')
    table.uuid('transfer_id')
    table.text('transaction_id')
    table.jsonb('orders')
    table.text('method')
    table.integer('amount').notNullable()
    table.integer('credit').notNullable()
    table.timestamp('at')
    table.check(`kind not in ('receipt', 'credit_note')
      or (amount > 0 and number > 0 and year is not null and method is not null and at is not null)`)
    table.index(['user_id', 'at'], 'receipts_of_user', { predicate: isNumbered })
    table.index(['at'], 'receipts_by_time', { predicate: isNumbered })
    table.index(['receipt_id'], 'receipts_corrected', { predicate: knex.whereRaw(`kind = 'credit_note'`) })
  })
  await knex.raw(`create unique index receipts_numbers on books.receipts (kind, year, number)
    where kind in ('receipt', 'credit_note')`)

  /** One row. */
  await knex.schema.withSchema('books').createTable('settings', (table) => {
    table.boolean('only_row').primary().defaultTo(true)
    table.text('tpin').notNullable().defaultTo('')
    table.text('address').notNullable().defaultTo('')
    table.decimal('vat_percent', 5, 2).checkBetween([0.01, 100])
    table.integer('refund_approval_above')
    table.boolean('card_refunds').notNullable().defaultTo(false)
    table.check('only_row and refund_approval_above >= 0')
  })
  await knex('books.settings').insert({ only_row: true })
  await knex.schema.withSchema('books').createTable('vat_rates', (table) => {
    table.timestamp('since').primary()
    // Null: from then on prices include none.
    table.decimal('percent', 5, 2)
  })
}
