import type { Knex } from 'knex'

/** The menu items. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.createSchema('catalogue')

  await knex.schema.withSchema('catalogue').createTable('menu_items', (table) => {
    table.specificType('id', 'integer generated always as identity primary key')
    table.text('name').notNullable()
    table.text('description')
    table.integer('price_ngwee').notNullable()
    table.text('image_url')
    table.text('type').notNullable().checkIn(['primary', 'secondary'])
    table.specificType('categories', 'text[]').notNullable()
    table.jsonb('protein_descriptions').notNullable()
    table.specificType('week_numbers', 'integer[]').notNullable()
    table.specificType('days_of_week', 'integer[]').notNullable()
    table.specificType('allergens', 'text[]').notNullable()
    table.specificType('side_dishes', 'text[]').notNullable()
    table.boolean('is_available').notNullable()
    table.boolean('is_archived').notNullable()
    table.check(`name <> ''`)
    table.check('price_ngwee >= 0')
  })
}
