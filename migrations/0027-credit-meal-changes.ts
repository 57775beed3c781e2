import type { Knex } from 'knex'

/** Of each change of a meal that gave or took credit, whether that stands and whether the order was changed. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('credit').createTable('meal_changes', (table) => {
    table.text('id').primary()
    table.text('order_id').notNullable()
    table.boolean('settled').notNullable()
    table.boolean('changed').notNullable()
    table.timestamp('at').notNullable()
  })
}
