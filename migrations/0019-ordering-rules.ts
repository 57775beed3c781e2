import type { Knex } from 'knex'

/**
 * What families may do with their orders (days-and-changes.md section 6); `absent` marks the lunch of a child who is ill
 * today, `absence_credit` what it then gives back as credit, in ngwee.
 */
export const up = async (knex: Knex): Promise<void> => {
  const ordering = () => knex.schema.withSchema('ordering')
  /** One row. */
  await ordering().createTable('rules', (table) => {
    table.boolean('only_row').primary().defaultTo(true)
    table.text('cancel_until').notNullable().checkIn(['hour', 'cutoff'])
    table.text('late_remedy').notNullable().checkIn(['credit', 'refund'])
    table.text('absence').notNullable().checkIn(['none', 'credit'])
    table.smallint('absence_percent').notNullable().checkBetween([0, 100])
    table.smallint('low_portions').notNullable().checkBetween([0, 1000])
    table.check('only_row')
  })
  await knex('ordering.rules').insert({
    cancel_until: 'hour',
    late_remedy: 'credit',
    absence: 'none',
    absence_percent: 100,
    low_portions: 10,
  })
  await ordering().alterTable('orders', (table) => {
    table.boolean('absent').notNullable().defaultTo(false)
    table.integer('absence_credit').notNullable().defaultTo(0)
  })
}
