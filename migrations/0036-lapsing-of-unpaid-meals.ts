import type { Knex } from 'knex'

/** Meals that nobody has paid for at the cutoff of their day may lapse, and their families are told. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    // Null: it stays, whether it is paid for or not.
    table.timestamp('lapses_at')
    table.boolean('lapsed').notNullable().defaultTo(false)
    table.index(['lapses_at'], 'orders_lapsed', { predicate: knex.whereRaw('lapsed') })
    table.index(['lapses_at'], 'orders_to_lapse', {
      predicate: knex.whereRaw(`payment_status = 'pending' and status = 'pending'`),
    })
  })

  await knex.schema.withSchema('payments').alterTable('settings', (table) => {
    // Null: they do not lapse.
    table.timestamp('lapsing_since')
  })

  await knex.schema.withSchema('payments').createTable('lapse_mails', (table) => {
    table.text('order_id').notNullable()
    table.text('about').notNullable().checkIn(['warning', 'lapsed'])
    table.integer('user_id').notNullable()
    table.uuid('mail_id').notNullable()
    // Null: the mail has yet to be written.
    table.timestamp('told_at')
    table.primary(['order_id', 'about'])
    table.index(['mail_id'], 'lapse_mails_to_write', { predicate: knex.whereRaw('told_at is null') })
  })
}
