import type { Knex } from 'knex'

/**
 * Sessions are identity's, and carry the version of the credentials they were opened with: a new password, a disabled
 * or a deleted account ends all of them at once. Who is signed in now signs in once more.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('platform').dropTable('sessions')
  const identity = () => knex.schema.withSchema('identity')
  await identity().alterTable('users', (table) => {
    table.integer('credentialsVersion').notNullable().defaultTo(1)
    table.timestamp('disabledAt')
    table.boolean('hadOtherEmail').notNullable().defaultTo(false)
    table.setNullable('usernameKey')
  })
  await knex('identity.users').whereNotNull('deletedAt').update({ usernameKey: null })
  await identity().createTable('sessions', (table) => {
    table.uuid('id').primary()
    // What the signed cookie carries.
    table.text('secret').notNullable().unique({ indexName: 'sessions_secret' })
    table.integer('userId').notNullable().references('id').inTable('identity.users').index('sessions_of_user')
    table.integer('credentialsVersion').notNullable()
    table.text('device').notNullable()
    table.timestamp('createdAt').notNullable()
    table.timestamp('lastUsedAt').notNullable()
    table.timestamp('expiresAt').notNullable().index('sessions_expired')
  })
}
