import type { Knex } from 'knex'

/**
 * How many portions of a menu item can be ordered for one date, and the dates on which it is sold out by hand
 * (days-and-changes.md section 3). Reservations by checkouts have no order yet, so they have a list of their own.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('catalogue').alterTable('menu_items', (table) => {
    table.integer('portion_limit').checkPositive()
    table.specificType('sold_out_dates', 'text[]').notNullable().defaultTo('{}')
  })
  await knex.schema.withSchema('ordering').createTable('portion_reservations', (table) => {
    table.text('id').primary()
    table.integer('item_id').notNullable()
    table.date('date').notNullable()
    table.integer('student_id').notNullable()
    table.timestamp('until').notNullable()
    table.index(['date', 'item_id'], 'portion_reservations_by_date')
  })
}
