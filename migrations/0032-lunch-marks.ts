import type { Knex } from 'knex'

/** What the hatch told of lunches (kitchen-and-hatch.md section 3). */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').createTable('lunch_marks', (table) => {
    table.text('order_id').primary()
    table.date('date').notNullable()
    table.jsonb('given')
    table.jsonb('noticed')
    table.timestamp('changed_at').notNullable()
    table.index(['date', 'changed_at'], 'lunch_marks_by_date')
  })
}
