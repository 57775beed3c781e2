import type { Knex } from 'knex'

/** The latest request to pay each refund back to the card. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('refunds').createTable('card_refunds', (table) => {
    table.text('refund_id').primary()
    table.text('state').notNullable()
    table.jsonb('card').notNullable()
    table.index(['state'])
  })
}
