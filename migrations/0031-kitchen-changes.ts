import type { Knex } from 'knex'

/** What changed for the kitchen on each day, and when its list was printed (kitchen-and-hatch.md section 1). */
export const up = async (knex: Knex): Promise<void> => {
  const ordering = () => knex.schema.withSchema('ordering')
  await ordering().createTable('kitchen_changes', (table) => {
    table.text('order_id').primary()
    table.date('date').notNullable()
    table.boolean('to_cook').notNullable()
    table.jsonb('meal').notNullable()
    table.jsonb('changes').notNullable()
    table.timestamp('changed_at').notNullable()
    table.index(['date', 'changed_at'], 'kitchen_changes_by_date')
  })
  await ordering().createTable('kitchen_prints', (table) => {
    table.increments('id')
    table.date('date').notNullable()
    table.timestamp('at').notNullable()
    table.integer('by').notNullable()
    table.index(['date', 'at'], 'kitchen_prints_by_date')
  })
}
