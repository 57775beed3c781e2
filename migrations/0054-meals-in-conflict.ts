import type { Knex } from 'knex'

/**
 * Meals that a child is allergic to: what was accepted of them, and what families were told of. Which allergens is a matter
 * of health and stands here alone; an order says that something was accepted, not what.
 */
export const up = async (knex: Knex): Promise<void> => {
  const identity = () => knex.schema.withSchema('identity')

  await identity().createTable('acknowledged_meals', (table) => {
    table.integer('studentId').notNullable().references('id').inTable('identity.students').onDelete('cascade')
    table.date('date').notNullable().index('acknowledged_meals_by_date')
    table.integer('itemId').notNullable()
    table.specificType('allergens', 'text[]').notNullable()
    table.text('by').notNullable().checkIn(['family', 'office'])
    table.primary(['studentId', 'date', 'itemId'])
  })

  await identity().createTable('conflicts_told', (table) => {
    table.text('orderId').notNullable()
    table.integer('itemId').notNullable()
    // As allergens are told apart: without regard to case.
    table.text('allergen').notNullable()
    table
      .integer('studentId')
      .notNullable()
      .references('id')
      .inTable('identity.students')
      .onDelete('cascade')
      .index('conflicts_told_of_student')
    table.date('date').notNullable().index('conflicts_told_by_date')
    table.primary(['orderId', 'itemId', 'allergen'])
  })

  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    table.boolean('acknowledged').notNullable().defaultTo(false)
  })
}
