import type { Knex } from 'knex'

/** The books' movements of money, what they are made from, and the days that were closed. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('books').createTable('bookings', (table) => {
    table.text('id').primary()
    table.uuid('event_id').notNullable()
    table.timestamp('at').notNullable()
    table.date('booked').notNullable()
    table.date('meal').notNullable()
    table.text('kind').notNullable()
    table.text('method')
    // Negative where it went down.
    table.bigInteger('amount').notNullable()
    table.integer('part')
    table.integer('user_id').notNullable()
    table.uuid('attempt_id')
    table.text('order_id')
    table.index(['user_id', 'at'], 'bookings_of_family')
  })
  // By hand: knex writes no `include`. The days' figures are read from these indexes alone, without what meals cost.
  for (const day of ['booked', 'meal'])
    await knex.raw(
      `create index bookings_by_${day} on books.bookings (${day}, kind)
         include (method, amount, part, order_id, attempt_id) where kind <> 'meal'`,
    )
  for (const day of ['booked', 'meal'])
    await knex.raw(
      `create index balances_by_${day} on books.bookings (${day}) include (kind, amount)
         where kind in ('owed', 'unpaid')`,
    )

  await knex.schema.withSchema('books').createTable('attempts', (table) => {
    table.uuid('id').primary()
    table.integer('user_id').notNullable()
    table.text('method').notNullable()
    table.bigInteger('received')
    table.bigInteger('reported')
    table.bigInteger('shortfall').notNullable()
    table.jsonb('lines').notNullable()
  })

  await knex.schema.withSchema('books').createTable('orders', (table) => {
    table.text('id').primary()
    table.integer('user_id').notNullable()
    table.uuid('attempt_id').notNullable()
    table.text('method').notNullable()
    table.bigInteger('price').notNullable()
    table.bigInteger('credit').notNullable()
    table.boolean('stands').notNullable()
    table.boolean('paid').notNullable()
    table.bigInteger('received').notNullable()
    table.uuid('transfer_id')
  })

  await knex.schema.withSchema('books').createTable('refunds', (table) => {
    table.text('id').primary()
    table.integer('user_id').notNullable()
    table.uuid('attempt_id').notNullable()
    table.text('order_id')
    table.bigInteger('owed').notNullable()
  })

  await knex.schema.withSchema('books').createTable('transfers', (table) => {
    table.uuid('id').primary()
    table.text('method').notNullable()
  })

  await knex.schema.withSchema('books').createTable('closings', (table) => {
    table.date('date').primary()
    table.timestamp('closed_at').notNullable()
    table.integer('closed_by').notNullable()
    table.jsonb('figures').notNullable()
    table.text('hash').notNullable()
  })
}
