import type { Knex } from 'knex'

/**
 * Families' credit: balances, their changes, what was given and what checkouts hold; of orders, what credit paid, and
 * the closure that cancelled one.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    table.integer('credit').notNullable().defaultTo(0)
    table.uuid('closure_id')
  })

  await knex.schema.createSchema('credit')

  await knex.schema.withSchema('credit').createTable('accounts', (table) => {
    table.integer('user_id').primary()
    table.integer('balance').notNullable()
    table.integer('held').notNullable()
    table.check('balance >= 0 and held >= 0')
  })

  await knex.schema.withSchema('credit').createTable('entries', (table) => {
    table.uuid('id').primary()
    table.integer('user_id').notNullable()
    table.specificType('position', 'text collate "C"').notNullable()
    table.timestamp('at').notNullable()
    table.text('kind').notNullable()
    table.integer('amount').notNullable()
    table.integer('balance_after').notNullable()
    table.text('order_id')
    table.text('reference')
    table.text('text').notNullable()
    table.index(['user_id', 'position'], 'entries_of_user')
  })

  await knex.schema.withSchema('credit').createTable('given', (table) => {
    table.text('id').primary()
    table.integer('user_id').notNullable()
    table.text('order_id')
    table.text('kind').notNullable()
    table.integer('amount').notNullable()
    table.boolean('stands').notNullable()
    table.index(['order_id'], 'given_for_orders', { predicate: knex.whereRaw('stands') })
  })

  await knex.schema.withSchema('credit').createTable('refunds_as_credit', (table) => {
    table.uuid('payout_id').primary()
    table.text('refund_id').notNullable()
  })

  await knex.schema.withSchema('credit').createTable('checkouts', (table) => {
    table.uuid('attempt_id').primary()
    table.integer('user_id').notNullable()
    table.integer('held').notNullable()
    table.integer('spent').notNullable()
    table.index(['attempt_id'], 'checkouts_that_hold', { predicate: knex.whereRaw('held > 0') })
  })
}
