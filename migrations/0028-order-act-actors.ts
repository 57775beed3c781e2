import type { Knex } from 'knex'

/** Who wants an act, so that what a crash cut off is carried on in that person's name. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').alterTable('order_acts', (table) => {
    table.text('actor').notNullable().defaultTo('system')
  })
}
