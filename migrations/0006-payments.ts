import type { Knex } from 'knex'

/** The checkouts, a read model, with what belongs to paying for them: references, checks, pushes, the sandbox's own. */
export const up = async (knex: Knex): Promise<void> => {
  const payments = () => knex.schema.withSchema('payments')
  await knex.schema.createSchema('payments')

  await payments().createTable('attempts', (table) => {
    table.uuid('id').primary()
    table.text('kind').notNullable()
    table.integer('user_id').notNullable()
    table.text('status').notNullable()
    table.text('live_status').notNullable()
    table.text('recovery_status')
    table.integer('total').notNullable()
    table.text('reference')
    table.text('token')
    table.text('body_hash').notNullable()
    table.text('students').notNullable()
    table.text('items').notNullable()
    table.specificType('weeks', 'integer[]').notNullable()
    table.specificType('days', 'integer[]').notNullable()
    table.timestamp('started_at').notNullable()
    table.timestamp('since_at').notNullable()
    table.timestamp('issued_at')
    table.timestamp('limit_at')
    table.timestamp('lease_until')
    table.boolean('acknowledged').notNullable()
    table.jsonb('attempt').notNullable()

    table.index([knex.raw('started_at desc'), knex.raw('id desc')], 'attempts_newest')
    table.index(['user_id', knex.raw('started_at desc')], 'attempts_by_user')
    table.index(['reference'], 'attempts_by_reference', {
      predicate: knex.whereRaw(`kind = 'alternative'`),
    })
    table.index(['token'], 'attempts_by_token', { predicate: knex.whereNotNull('token') })
    // The sweeps and whoever waits look for a few in a table that only grows.
    table.index(['started_at'], 'attempts_unfinished', {
      predicate: knex.whereRaw(`status in ('draft', 'releasing', 'paid', 'recovering')`),
    })
    table.index(['limit_at'], 'attempts_unsettled', {
      predicate: knex.whereRaw(
        `status in ('initiated', 'processing', 'declined', 'cancelled', 'expired', 'abandoned', 'review')`,
      ),
    })
    table.index(['status'], 'attempts_waiting', {
      predicate: knex.whereRaw(
        `status in ('draft', 'initiated', 'processing', 'paid', 'recovering', 'blocked', 'review', 'refund_due')`,
      ),
    })
    table.index(['since_at'], 'attempts_unacknowledged', { predicate: knex.whereRaw('not acknowledged') })
    table.index([knex.raw('started_at desc')], 'attempts_to_recover', {
      predicate: knex.whereRaw(`kind = 'card' and recovery_status is not null`),
    })
  })

  /** A reference is claimed here before the checkout is written: a read model must not be refused a row. */
  await payments().createTable('alternative_references', (table) => {
    table.text('reference').primary()
    table.uuid('attempt_id').notNullable().unique()
  })

  await payments().createTable('settings', (table) => {
    table.text('name').primary()
    table.jsonb('value').notNullable()
  })

  /** When the sweep is to ask the provider about an attempt again: an answer that says nothing new is no event. */
  await payments().createTable('checks', (table) => {
    table.uuid('attempt_id').primary()
    table.timestamp('next_check_at')
  })

  /** What the provider has pushed, as it came. */
  await payments().createTable('push_inbox', (table) => {
    table.uuid('id').primary()
    table.timestamp('received_at').notNullable()
    table.text('raw').notNullable()
    table.text('token')
    table.text('state').notNullable().defaultTo('waiting')
    table.index(['received_at'], 'push_inbox_waiting', { predicate: knex.whereRaw(`state = 'waiting'`) })
    table.index(['state', 'received_at'], 'push_inbox_foreign', {
      predicate: knex.whereRaw(`state in ('unreadable', 'unknown')`),
    })
  })

  await payments().createTable('sandbox_transactions', (table) => {
    table.text('token').primary()
    table.text('ref').notNullable().index('sandbox_transactions_ref')
    table.text('company_ref').notNullable().index('sandbox_transactions_company_ref')
    table.timestamp('push_at')
    table.jsonb('state').notNullable()
    table.index(['push_at'], 'sandbox_transactions_push', { predicate: knex.whereNotNull('push_at') })
  })
}
