import type { Knex } from 'knex'

/** Closed days: since when and why, what became of the orders on them, and who was told. */
export const up = async (knex: Knex): Promise<void> => {
  const closures = () => knex.schema.withSchema('closures')
  await knex.schema.createSchema('closures')

  await closures().createTable('closures', (table) => {
    table.uuid('id').primary()
    table.integer('cycle_id').notNullable()
    table.text('reason').notNullable()
    table.text('remedy').notNullable().checkIn(['refund', 'credit'])
    // Blocked when its cycle was made: it cancels nothing, and ends with its cycle.
    table.boolean('planned').notNullable()
    table.timestamp('closed_at').notNullable()
    table.text('closed_by').notNullable()
    table.timestamp('undone_at')
    table.text('undone_by')
    // Of the request that made it: the same key of the same person is one closure.
    table.text('request_key').unique()
    table.text('request')
    table.index(['closed_at', 'id'], 'closures_newest')
  })

  await closures().createTable('dates', (table) => {
    table.uuid('closure_id').notNullable().references('id').inTable('closures.closures').onDelete('cascade')
    table.date('date').notNullable()
    table.boolean('is_closed').notNullable()
    table.primary(['closure_id', 'date'])
    // A date is closed once, whoever asks and however many ask at once.
    table.unique(['date'], { indexName: 'dates_closed_once', predicate: knex.whereRaw('is_closed') })
  })

  await closures().createTable('orders', (table) => {
    table.uuid('closure_id').notNullable().references('id').inTable('closures.closures').onDelete('cascade')
    table.specificType('order_id', 'text collate "C"').notNullable()
    table.integer('user_id').notNullable()
    table.integer('price').notNullable()
    table.boolean('is_paid').notNullable()
    // Null: yet to be looked at.
    table.text('closing').checkIn(['cancelled', 'skipped', 'gone'])
    table.text('undoing').checkIn(['restored', 'skipped', 'gone'])
    // Why it was skipped the last time.
    table.text('code')
    table.text('message')
    table.primary(['closure_id', 'order_id'])
    table.index(['closure_id'], 'orders_to_cancel', { predicate: knex.whereRaw('closing is null') })
  })

  await closures().createTable('told', (table) => {
    table.uuid('closure_id').notNullable().references('id').inTable('closures.closures').onDelete('cascade')
    table.integer('user_id').notNullable()
    table.text('about').notNullable().checkIn(['closing', 'undoing'])
    // False: there is no address to write to.
    table.boolean('has_address').notNullable()
    table.primary(['closure_id', 'about', 'user_id'])
  })

  await knex.raw(`
    with blocked as (
      select gen_random_uuid() as id, c.id as cycle_id, c.created_at, c.start_date + 7 * (b.week - 1) + b.day - 1 as date
      from cycles.order_cycles c join cycles.blocked_days b on b.cycle_id = c.id where c.is_active
    ), made as (
      insert into closures.closures (id, cycle_id, reason, remedy, planned, closed_at, closed_by)
      select id, cycle_id, 'Blocked when the cycle was made', 'refund', true, created_at, 'system' from blocked
      returning id
    )
    insert into closures.dates (closure_id, date, is_closed)
    select blocked.id, blocked.date, true from blocked join made on made.id = blocked.id`)
}
