import type { Knex } from 'knex'

/** The second factor of administrators, and what the school demands of accounts. */
export const up = async (knex: Knex): Promise<void> => {
  const identity = () => knex.schema.withSchema('identity')
  await identity().alterTable('users', (table) => {
    table.text('totpSecret')
    table.timestamp('totpConfirmedAt')
    // The 30 seconds of the last code that was taken, counted since 1970: no code opens twice.
    table.integer('totpStep').notNullable().defaultTo(0)
  })
  await identity().createTable('recovery_codes', (table) => {
    table.integer('userId').notNullable().references('id').inTable('identity.users')
    table.text('hash').notNullable()
    table.primary(['userId', 'hash'])
  })
  /** One row. */
  await identity().createTable('security', (table) => {
    table.boolean('id').primary().defaultTo(true)
    table.boolean('requireSecondFactor').notNullable().defaultTo(false)
    table.integer('maxChildren').notNullable().defaultTo(12)
    table.integer('maxUnpaidMeals').notNullable().defaultTo(40)
    table.check('id')
  })
  await knex('identity.security').insert({ id: true })
}
