import type { Knex } from 'knex'

/**
 * The school whose database this is, by an id that it keeps for ever. An event store elsewhere carries the same id, so
 * that nobody sees the orders of another school (src/app/service/school-id.ts). One row at most.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('platform').createTable('school', (table) => {
    table.boolean('only').primary().defaultTo(true).checkIn(['true'])
    table.uuid('id').notNullable()
  })
}
