import type { Knex } from 'knex'

/** The books: receipts and credit notes, numbered by year. */
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
    table.jsonb('orders')
    table.text('method')
    table.bigInteger('amount').notNullable()
    table.bigInteger('credit').notNullable()
    table.timestamp('at')
    table.check(`kind not in ('receipt', 'credit_note')
      or (amount > 0 and number > 0 and year is not null and method is not null and at is not null)`)
    table.index(['user_id', 'at'], 'receipts_of_user', { predicate: isNumbered })
    table.index(['at'], 'receipts_by_time', { predicate: isNumbered })
  })
  await knex.raw(`create unique index receipts_numbers on books.receipts (kind, year, number)
    where kind in ('receipt', 'credit_note')`)
}
