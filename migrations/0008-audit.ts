import type { Knex } from 'knex'

/**
 * The chain over all events and the results of audits; what happened, one row per event; and the money of attempts,
 * orders and refunds as their events tell it. Amounts are bigint: what a provider claims to have received may be
 * anything. Positions are collated as bytes, which is how they compare.
 */
export const up = async (knex: Knex): Promise<void> => {
  const audit = () => knex.schema.withSchema('audit')
  await knex.schema.createSchema('audit')

  await audit().createTable('chain', (table) => {
    table.bigInteger('number').primary()
    table.specificType('position', 'text collate "C"').notNullable().unique()
    table.uuid('event_id').notNullable().unique()
    table.text('hash').notNullable()
  })

  await audit().createTable('runs', (table) => {
    table.specificType('id', 'bigint generated always as identity primary key')
    table.date('day').notNullable()
    table.timestamp('ended_at').notNullable()
    table.integer('findings').notNullable()
    table.bigInteger('unbalanced').notNullable()
    table.bigInteger('head_number').notNullable()
    table.text('head_hash').notNullable()
  })

  // Both are only ever added to. Triggers, which stop mistakes, are nothing that knex knows.
  await knex.raw(`
    create function audit.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is only ever added to', tg_table_name;
    end $$;
    create trigger chain_only_grows before update or delete or truncate on audit.chain
      for each statement execute function audit.refuse_change();
    create trigger runs_only_grow before update or delete or truncate on audit.runs
      for each statement execute function audit.refuse_change()`)

  await audit().createTable('entries', (table) => {
    table.uuid('event_id').primary()
    table.specificType('position', 'text collate "C"').notNullable()
    table.timestamp('at').notNullable().index('entries_by_time')
    table.text('actor').notNullable()
    table.text('who')
    table.text('kind').notNullable()
    table.text('what').notNullable()
    table.bigInteger('amount')
    table.boolean('takes_order_price').notNullable()
    table.jsonb('details').notNullable()
    table.uuid('attempt_id')
    table.text('order_id')
    table.text('slot')
    table.index([knex.raw('position desc')], 'entries_in_order')
    table.index(['attempt_id', 'position'], 'entries_by_attempt')
    table.index(['order_id', 'position'], 'entries_by_order')
    table.index(['actor', 'position'], 'entries_by_actor')
    table.index(['kind', 'position'], 'entries_by_kind')
  })

  await audit().createTable('ledger_attempts', (table) => {
    table.uuid('id').primary()
    table.text('kind').notNullable()
    table.text('reference')
    table.bigInteger('total').notNullable()
    table.text('money').notNullable()
    table.bigInteger('received')
    table.bigInteger('fee').notNullable()
    table.bigInteger('shortfall').notNullable()
    table.bigInteger('surplus').notNullable()
    table.jsonb('lines').notNullable()
    table.timestamp('changed_at').notNullable()
  })

  await audit().createTable('ledger_orders', (table) => {
    table.text('id').primary()
    table.uuid('attempt_id').notNullable().index('ledger_orders_by_attempt')
    table.integer('line').notNullable()
    table.integer('cycle_id').notNullable()
    table.text('slot').notNullable()
    table.bigInteger('price').notNullable()
    table.text('paid').notNullable()
    table.text('status').notNullable()
    table.timestamp('changed_at').notNullable()
  })

  await audit().createTable('ledger_refunds', (table) => {
    table.text('id').primary()
    table.uuid('attempt_id').notNullable()
    table.text('order_id')
    table.text('part').notNullable()
    table.bigInteger('amount').notNullable()
    table.bigInteger('owed').notNullable()
    table.bigInteger('paid_back').notNullable()
    table.text('status').notNullable()
  })
}
