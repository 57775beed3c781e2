import type { Knex } from 'knex'

/** Weeks for which families were reminded that nothing is ordered. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').createTable('reminder_weeks', (table) => {
    // Its Monday.
    table.date('week').primary()
    // Everybody up to this account has been looked at.
    table.integer('last_user_id').notNullable()
    // Null: not everybody has been looked at.
    table.timestamp('done_at')
  })
}
