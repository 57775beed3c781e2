import type { Knex } from 'knex'

/**
 * What is being done to the school as a whole; whoever does it has the lock of that name as well. A row without the lock
 * was left by a process that was killed: `leftover` is the file that it was writing. One row, `half restored`, is no work
 * but a mark: it stays from before a restore's first row until all of it is there.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('platform').createTable('maintenance', (table) => {
    table.text('what').primary()
    table.timestamp('began_at').notNullable().defaultTo(knex.fn.now())
    table.text('leftover')
  })
}
