import type { Knex } from 'knex'

/**
 * A lunch is one child's on one date, whichever cycle it was ordered in (days-and-changes.md section 1); `remedy` is how
 * the money of a cancelled order goes back. Orders of the time before that, named by cycle, week and day, cannot be read.
 */
export const up = async (knex: Knex): Promise<void> => {
  const earlier = await knex('platform.events').whereRaw(`stream ~ '^mealSlot-(\\d+[.]){3}\\d+$'`).first()
  if (earlier)
    throw Object.assign(
      new Error(
        'The orders in this database were made by a version before the first release, which this one cannot read: use that version, or an empty database.',
      ),
      { name: 'MigrationRefused' },
    )
  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    table.text('remedy')
  })
  await knex.raw(`
    alter table ordering.orders drop constraint orders_one_active_per_child_and_day,
      add constraint orders_one_active_per_child_and_date
      exclude using btree (student_id with =, meal_date with =)
      where (status in ('pending', 'completed')) deferrable initially deferred`)
}
