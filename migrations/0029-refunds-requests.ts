import type { Knex } from 'knex'

/**
 * Acts on many refunds: what was asked under a key, as a fingerprint, so that another request under it is noticed. And
 * where payments have lines whose day was closed.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('refunds').createTable('requests', (table) => {
    table.text('request_key').primary()
    table.uuid('request').notNullable()
  })
  await knex.raw(
    `create index attempts_with_closed_days on payments.attempts (id)
     where jsonb_path_exists(attempt, '$.outcomes[*].closure')`,
  )
}
