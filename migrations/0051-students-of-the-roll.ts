import type { Knex } from 'knex'

/**
 * The school's roll: children with their class and number, also those whom no account has claimed yet. `userId` is the first
 * guardian. The guardian's name, address and phone are those of the roll and stand only until an account has the child;
 * `onRollSince` is null for a child that only its parents entered, `leftAt` says since when it is no longer at the school.
 * A child that was entered twice stays as `mergedInto` the other: its orders carry its number for ever.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('identity').alterTable('students', (table) => {
    table.setNullable('userId')
    table.text('class')
    table.text('admissionNumber').unique({ indexName: 'students_admission_number' })
    table.text('guardianName')
    table.text('guardianEmail')
    table.text('guardianPhone')
    table.timestamp('onRollSince')
    table.timestamp('leftAt')
    table
      .integer('mergedInto')
      .references('id')
      .inTable('identity.students')
      .onDelete('CASCADE')
      .index('students_merged_into')
    table.check('char_length(class) <= 20', {}, 'students_class_length')
    table.check('"mergedInto" <> id', {}, 'students_merged_into_another')
    table.check('"userId" is not null or "onRollSince" is not null', {}, 'students_claimed_or_on_roll')
    table.check(
      '"userId" is null or coalesce("guardianName", "guardianEmail", "guardianPhone") is null',
      {},
      'students_guardian_of_unclaimed',
    )
  })
}
