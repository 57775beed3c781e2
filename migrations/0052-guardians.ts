import type { Knex } from 'knex'

/** Second guardians: who besides a child's own account orders for it and sees its lunches. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('identity').createTable('guardians', (table) => {
    table.integer('studentId').notNullable().references('id').inTable('identity.students').onDelete('CASCADE')
    table
      .integer('userId')
      .notNullable()
      .references('id')
      .inTable('identity.users')
      .index('guardians_of_user')
    table.timestamp('since').notNullable()
    table.primary(['studentId', 'userId'])
  })
}
