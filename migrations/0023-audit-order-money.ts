import type { Knex } from 'knex'

/** The books keep what an order cost when it was placed and what money came in for it, also when it becomes another meal. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('audit').alterTable('ledger_orders', (table) => {
    table.bigInteger('placed_price').notNullable().defaultTo(0)
    table.bigInteger('money').notNullable().defaultTo(0)
  })
}
