import type { Knex } from 'knex'

/** How each order is paid for. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    table.text('pay_by')
  })
}
