import type { Knex } from 'knex'

/**
 * What the search of the console looks for by index: payments by every name that somebody may have written down, without
 * spaces, dashes and case, and by their amount; orders by their payment and their price. People are few enough to be read.
 */
export const up = async (knex: Knex): Promise<void> => {
  const written = (value: string) =>
    knex.raw(`upper(regexp_replace(${value}, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops`)

  await knex.schema.withSchema('payments').alterTable('attempts', (table) => {
    table.index([written('reference')], 'attempts_by_written_reference', {
      predicate: knex.whereNotNull('reference'),
    })
    table.index([written('token')], 'attempts_by_written_token', { predicate: knex.whereNotNull('token') })
    table.index([written(`(attempt->'token'->>'ref')`)], 'attempts_by_written_provider_reference', {
      predicate: knex.whereRaw(`attempt->'token'->>'ref' is not null`),
    })
    table.index(['total', knex.raw('started_at desc')], 'attempts_by_total')
    table.index(
      [knex.raw(`((attempt->'money'->>'amount')::bigint)`), knex.raw('started_at desc')],
      'attempts_by_received',
      { predicate: knex.whereRaw(`attempt->'money'->>'amount' is not null`) },
    )
  })

  await knex.schema.withSchema('ordering').alterTable('orders', (table) => {
    table.index(['attempt_id'], 'orders_by_attempt')
    table.index(['price', knex.raw('placed_at desc')], 'orders_by_price')
  })
}
