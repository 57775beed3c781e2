import type { Knex } from 'knex'

/** Payments outside of the card provider: what each pays, and what the history and the ledger know of them. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('payments').createTable('transfers', (table) => {
    table.uuid('id').primary()
    table.boolean('confirmed').notNullable()
    table.uuid('confirmation_id').notNullable()
    table.uuid('row_id')
    table.text('method').notNullable()
    table.text('transaction_id')
    table.text('transaction_key')
    table.timestamp('paid_at')
    table.integer('amount').notNullable()
    table.text('payer')
    table.text('note')
    table.jsonb('families').notNullable()
    table.specificType('user_ids', 'integer[]').notNullable()
    table.specificType('order_ids', 'text[]').notNullable()
    table.integer('by_user').notNullable()
    table.timestamp('confirmed_at').notNullable()
    table.timestamp('changed_at').notNullable()
    table.index(['transaction_key'])
    table.index(['changed_at'])
    table.index(['user_ids'], 'transfers_of_user', { indexType: 'gin' })
    table.index(['order_ids'], 'transfers_of_order', { indexType: 'gin' })
  })

  await knex.schema.withSchema('audit').alterTable('entries', (table) => {
    table.uuid('transfer_id')
    table.index(['transfer_id'], 'entries_of_transfer', {
      predicate: knex.whereRaw('transfer_id is not null'),
    })
  })

  await knex.schema.withSchema('audit').alterTable('ledger_orders', (table) => {
    // The transfer that paid for it; null: none, or one that was confirmed before transfers had events.
    table.uuid('transfer_id')
  })

  await knex.schema.withSchema('audit').createTable('ledger_transfers', (table) => {
    table.uuid('id').primary()
    table.uuid('confirmation_id').notNullable()
    table.boolean('stands').notNullable()
    table.bigInteger('amount').notNullable()
    table.jsonb('families').notNullable()
    table.timestamp('changed_at').notNullable()
  })
}
