import type { Knex } from 'knex'

/** The books of families' credit: what was given, what checkouts hold and have spent, and each family's account. */
export const up = async (knex: Knex): Promise<void> => {
  const audit = () => knex.schema.withSchema('audit')
  await audit().alterTable('ledger_orders', (table) => {
    table.bigInteger('credit').notNullable().defaultTo(0)
    table.text('remedy')
  })
  await audit().alterTable('ledger_refunds', (table) => {
    table.bigInteger('as_credit').notNullable().defaultTo(0)
  })
  await audit().createTable('ledger_credit_accounts', (table) => {
    table.integer('user_id').primary()
    for (const sum of ['given', 'taken_back', 'spent', 'paid_out', 'held', 'balance'])
      table.bigInteger(sum).notNullable()
  })
  await audit().createTable('ledger_credit_given', (table) => {
    table.text('id').primary()
    table.uuid('attempt_id')
    table.text('order_id')
    table.text('kind').notNullable()
    table.bigInteger('amount').notNullable()
    table.boolean('stands').notNullable()
  })
  await audit().createTable('ledger_credit_spent', (table) => {
    table.text('id').primary()
    table.uuid('attempt_id').notNullable()
    table.text('order_id')
    table.jsonb('lines').notNullable()
  })
}
