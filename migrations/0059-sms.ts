import type { Knex } from 'knex'

/** The outbox's second channel, who wants to be written to how, and the codes that prove a phone. */
export const up = async (knex: Knex): Promise<void> => {
  const identity = () => knex.schema.withSchema('identity')

  await identity().alterTable('mail_outbox', (table) => {
    table.text('channel').notNullable().defaultTo('mail').checkIn(['mail', 'sms'])
    // Since when the gateway is being asked; still there when nobody knows what came of it.
    table.timestamp('calledAt')
    // Of no use to anybody from then on.
    table.timestamp('expiresAt')
    // Given up because the gateway may have sent it.
    table.boolean('unclear').notNullable().defaultTo(false)
    // Why the last try came to nothing.
    table.text('failure')
  })

  await identity().alterTable('users', (table) => {
    table.timestamp('phoneVerifiedAt')
    table.text('messageChannel').notNullable().defaultTo('mail').checkIn(['mail', 'sms', 'both'])
    table.boolean('reminders').notNullable().defaultTo(true)
  })

  /** One row. */
  await identity().createTable('message_settings', (table) => {
    table.boolean('onlyRow').primary().defaultTo(true)
    table.boolean('sms').notNullable()
    // Null: without end.
    table.integer('dailyCeiling')
    table.boolean('orderWithPhone').notNullable()
    table.boolean('reminders').notNullable()
    table.check('"onlyRow"')
  })
  await knex('identity.message_settings').insert({
    sms: false,
    dailyCeiling: null,
    orderWithPhone: false,
    reminders: false,
  })

  // How many messages the gateway was handed on a day of the school.
  await identity().createTable('sms_days', (table) => {
    table.date('day').primary()
    table.integer('sent').notNullable()
  })

  await identity().createTable('phone_codes', (table) => {
    table.integer('userId').primary().references('id').inTable('identity.users').onDelete('cascade')
    // The code is for this phone and no other.
    table.text('phone').notNullable()
    table.text('codeHash').notNullable()
    table.integer('triesLeft').notNullable()
    table.timestamp('expiresAt').notNullable().index('phone_codes_expired')
  })
}
