import type { Knex } from 'knex'

/** Payments that the provider took no acknowledgement of: how often that was tried, and when it is tried again. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('payments').createTable('acknowledgements', (table) => {
    table.uuid('attempt_id').primary()
    table.integer('failed').notNullable()
    table.timestamp('again_at').notNullable()
  })
}
