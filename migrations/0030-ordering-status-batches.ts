import type { Knex } from 'knex'

/** What an administrator's change of many orders did to those that were pending, so that it can be undone for a while. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').createTable('status_batches', (table) => {
    table.uuid('id').primary()
    table.text('actor').notNullable()
    table.text('status').notNullable()
    table.jsonb('order_ids').notNullable()
    table.timestamp('at').notNullable().index()
  })
}
