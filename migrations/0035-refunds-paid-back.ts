import type { Knex } from 'knex'

/** When and how the last of each refund went back. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('refunds').alterTable('refunds', (table) => {
    table.timestamp('paid_back_at')
    table.text('paid_back_as')
  })
}
