import type { Knex } from 'knex'

const standard = ['Milk', 'Eggs', 'Fish', 'Shellfish', 'Tree Nuts', 'Peanuts', 'Wheat', 'Soybeans', 'Sesame']

/** What children must not eat, the school's list of allergens, and whether such a meal is refused. */
export const up = async (knex: Knex): Promise<void> => {
  const identity = () => knex.schema.withSchema('identity')

  await identity().createTable('student_health', (table) => {
    table
      .integer('studentId')
      .primary()
      .references('id')
      .inTable('identity.students')
      // Whatever deletes a child or its family.
      .onDelete('cascade')
    // Null: not declared.
    table.specificType('allergies', 'text[]')
    table.text('diet').notNullable().checkIn(['none', 'vegetarian', 'no_pork', 'no_beef', 'halal'])
    table.text('medicalNote').notNullable()
    // Whether the kitchen may read the note.
    table.boolean('noteConsent').notNullable()
    table.timestamp('updatedAt').notNullable()
  })

  await identity().createTable('allergens', (table) => {
    table.specificType('id', 'integer generated always as identity primary key')
    table.text('name').notNullable()
    // The name as allergens are told apart by it: without regard to case.
    table.text('key').notNullable().unique()
    // The others are the school's own.
    table.boolean('standard').notNullable()
    // Came from a menu item, and the office has not seen that yet.
    table.boolean('unseen').notNullable().defaultTo(false)
  })
  await knex('identity.allergens').insert(
    standard.map((name) => ({ name, key: name.toLowerCase(), standard: true })),
  )

  /** One row. */
  await identity().createTable('allergy_rule', (table) => {
    table.boolean('onlyRow').primary().defaultTo(true)
    table.text('rule').notNullable().checkIn(['block', 'warn'])
    table.check('"onlyRow"')
  })
  await knex('identity.allergy_rule').insert({ rule: 'block' })
}
