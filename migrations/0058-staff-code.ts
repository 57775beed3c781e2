import type { Knex } from 'knex'

/** What parents who work at the school show to order for themselves too; '' takes none. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('identity').alterTable('security', (table) => {
    table.text('staffCode').notNullable().defaultTo('')
  })
}
