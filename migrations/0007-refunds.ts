import type { Knex } from 'knex'

/** What is owed back and what went back: a read model. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createSchema('refunds')

  await knex.schema.withSchema('refunds').createTable('refunds', (table) => {
    table.text('id').primary()
    table.text('order_id')
    table.uuid('attempt_id').notNullable()
    table.text('student_name').notNullable()
    table.text('student_grade').notNullable()
    table.text('item_name').notNullable()
    table.integer('amount').notNullable().checkPositive()
    table.integer('owed').notNullable()
    table.text('status').notNullable()
    table.text('reason').notNullable()
    table.timestamp('ordered_at').notNullable()
    table.timestamp('due_since').notNullable()
    table.check('owed between 0 and amount')
    table.index(['due_since', 'id'], 'refunds_due', { predicate: knex.whereRaw(`status = 'due'`) })
  })
}
