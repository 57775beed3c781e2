import type { Knex } from 'knex'

/**
 * Invitations to be a child's second guardian. Of the token only a hash is kept; the address goes as soon as the invitation was
 * accepted, the row says until it is old that it was.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('identity').createTable('guardian_invites', (table) => {
    table.uuid('id').primary()
    table
      .integer('studentId')
      .notNullable()
      .references('id')
      .inTable('identity.students')
      .onDelete('CASCADE')
      .index('guardian_invites_of_student')
    table.integer('invitedBy').notNullable().references('id').inTable('identity.users')
    table.text('email')
    table.text('tokenHash').notNullable().unique({ indexName: 'guardian_invites_token' })
    table.timestamp('invitedAt').notNullable()
    table.timestamp('expiresAt').notNullable().index('guardian_invites_expiry')
    table.timestamp('acceptedAt')
    table.check('("acceptedAt" is null) = (email is not null)', {}, 'guardian_invites_address_until_accepted')
  })
}
