import type { Knex } from 'knex'

/**
 * Changes of settings, accounts, menu and cycles, written in the transaction of the change itself. Each row becomes an
 * event and is then deleted.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('platform').createTable('changes', (table) => {
    table.specificType('seq', 'bigint generated always as identity primary key')
    // The id of the event that it becomes.
    table.uuid('id').notNullable().unique()
    table.timestamp('at').notNullable()
    table.text('actor').notNullable()
    table.text('correlation_id').notNullable()
    table.jsonb('change').notNullable()
  })
}
