import type { Knex } from 'knex'

/** Refunds and payouts of credit that wait for the approval of another administrator. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('refunds').createTable('approvals', (table) => {
    table.text('refund_id').primary()
    table.integer('amount').notNullable().checkPositive()
    table.text('method').notNullable()
    table.text('reference')
    table.text('note')
    table.boolean('to_card').notNullable()
    table.integer('asked_by').notNullable()
    table.timestamp('asked_at').notNullable()
  })

  await knex.schema.withSchema('credit').createTable('payout_approvals', (table) => {
    table.uuid('payout_id').primary()
    table.integer('user_id').notNullable()
    table.text('state').notNullable()
    table.integer('amount').notNullable().checkPositive()
    table.text('method').notNullable()
    table.text('reference')
    table.integer('asked_by').notNullable()
    table.timestamp('asked_at').notNullable()
    table.index(['asked_at', 'payout_id'], 'payouts_waiting', {
      predicate: knex.whereRaw(`state = 'waiting'`),
    })
  })
}
