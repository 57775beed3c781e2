import type { Knex } from 'knex'

/** Year moves of the whole school: what was previewed, child by child, so that exactly that is done and can be taken back. */
export const up = async (knex: Knex): Promise<void> => {
  const identity = () => knex.schema.withSchema('identity')

  await identity().createTable('promotions', (table) => {
    table.uuid('id').primary()
    // Whether classes are renamed too.
    table.boolean('rename').notNullable()
    table.timestamp('previewedAt').notNullable()
    table.timestamp('appliedAt')
    table.timestamp('undoneAt')
    table.check('"undoneAt" is null or "appliedAt" is not null', {}, 'promotions_undone_once_applied')
  })

  await identity().createTable('promoted_students', (table) => {
    table
      .uuid('promotionId')
      .notNullable()
      .references('id')
      .inTable('identity.promotions')
      .onDelete('cascade')
    table
      .integer('studentId')
      .notNullable()
      .references('id')
      .inTable('identity.students')
      .onDelete('cascade')
      .index('promoted_students_of_student')
    table.text('gradeBefore').notNullable()
    table.text('gradeAfter').notNullable()
    table.text('classBefore')
    table.text('classAfter')
    // Leaves the school after the last grade.
    table.boolean('leaves').notNullable()
    // Whether an undone year move gave the child back its grade; null before.
    table.boolean('restored')
    table.primary(['promotionId', 'studentId'])
  })
}
