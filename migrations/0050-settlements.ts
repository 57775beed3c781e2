import type { Knex } from 'knex'

/** What the card provider says that it has settled, compared with the books; and how its files are read. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('books').createTable('settlements', (table) => {
    table.increments('id')
    table.text('file_name').notNullable()
    table.integer('uploaded_by').notNullable()
    table.timestamp('uploaded_at').notNullable()
    table.jsonb('counts').notNullable()
    table.jsonb('totals').notNullable()
    table.jsonb('rows').notNullable()
    table.jsonb('errors').notNullable()
  })
  await knex.schema.withSchema('books').createTable('settlement_mappings', (table) => {
    table.text('heads').primary()
    table.jsonb('mapping').notNullable()
  })
}
