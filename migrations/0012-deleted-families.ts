import type { Knex } from 'knex'

/** The keys under which families' names and remarks stand in events, and the families that were deleted. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('platform').createTable('family_keys', (table) => {
    table.integer('user_id').primary()
    // Null once it is destroyed: what was sealed with it can never be read again.
    table.binary('key')
  })

  await knex.schema.withSchema('identity').createTable('deletions', (table) => {
    table.integer('userId').primary().references('id').inTable('identity.users')
    table.specificType('studentIds', 'integer[]').notNullable()
    table.text('actor').notNullable()
    table.text('correlationId').notNullable()
    table.timestamp('at').notNullable()
    table.timestamp('finishedAt')
    table.index(['at'], 'deletions_unfinished', { predicate: knex.whereRaw('"finishedAt" is null') })
  })
}
