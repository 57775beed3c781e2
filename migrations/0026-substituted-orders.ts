import type { Knex } from 'knex'

/** Whether the office gave an order another meal, so that its family may cancel it until the cutoff of its day. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    table.boolean('substituted').notNullable().defaultTo(false)
  })
}
