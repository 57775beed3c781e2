import type { Knex } from 'knex'

/** What the office does to many orders in one act: what was planned, and what was answered when it was done. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').createTable('order_acts', (table) => {
    table.uuid('id').primary()
    // Of the request: the same key of the same person is one act.
    table.text('request_key').unique()
    table.text('request').notNullable()
    table.jsonb('plan').notNullable()
    table.jsonb('reply')
    table.timestamp('at').notNullable()
  })
}
