import type { Knex } from 'knex'

/** The order cycles with their blocked days, and when a day's orders close. */
export const up = async (knex: Knex): Promise<void> => {
  const cycles = () => knex.schema.withSchema('cycles')
  await knex.schema.createSchema('cycles')

  await cycles().createTable('order_cycles', (table) => {
    table.specificType('id', 'integer generated always as identity primary key')
    table.date('start_date').notNullable()
    table.smallint('cycle_length').notNullable()
    table.boolean('is_active').notNullable()
    table.timestamp('created_at').notNullable()
    table.check('extract(isodow from start_date) = 1')
    table.check('cycle_length in (4, 6)')
    // At most one cycle is active, whoever asks and however many ask at once.
    table.unique(['is_active'], {
      indexName: 'order_cycles_one_active',
      predicate: knex.whereRaw('is_active'),
    })
  })

  await cycles().createTable('blocked_days', (table) => {
    table
      .integer('cycle_id')
      .notNullable()
      .references('id')
      .inTable('cycles.order_cycles')
      .onDelete('cascade')
    table.smallint('week').notNullable().checkBetween([1, 6])
    table.smallint('day').notNullable().checkBetween([1, 5])
    table.primary(['cycle_id', 'week', 'day'])
  })

  /** One row. */
  await cycles().createTable('settings', (table) => {
    table.boolean('only_row').primary().defaultTo(true)
    table.smallint('cutoff_hour').notNullable().checkBetween([0, 23])
    table.smallint('cutoff_minute').notNullable().checkBetween([0, 59])
    table.check('only_row')
  })
  await knex('cycles.settings').insert({ cutoff_hour: 8, cutoff_minute: 0 })
}
