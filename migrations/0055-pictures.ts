import type { Knex } from 'knex'

/** Pictures of dishes, each in two sizes as WebP. `needed_at`: when it was uploaded, or last named or left by an item. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('catalogue').createTable('pictures', (table) => {
    table.text('hash').notNullable()
    table.integer('width').notNullable()
    table.integer('height').notNullable()
    table.binary('bytes').notNullable()
    table.timestamp('needed_at').notNullable()
    table.primary(['hash', 'width'])
  })
  // WebP does not become smaller; looking for what could only costs time.
  await knex.raw('alter table catalogue.pictures alter column bytes set storage external')
}
