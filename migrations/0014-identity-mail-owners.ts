import type { Knex } from 'knex'

/**
 * Whose name or address a mail holds, so that it goes with the account: an address may be one that the account has no
 * more. Mails that are done with and that nobody can be told of any more go now.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.schema.withSchema('identity').alterTable('mail_outbox', (table) => {
    table.integer('userId')
    table.index(['userId'], 'mail_outbox_user')
  })
  await knex.raw(
    `update identity.mail_outbox set "userId" = users.id from identity.users where users.email = mail_outbox."to"`,
  )
  await knex('identity.mail_outbox')
    .whereNull('userId')
    .whereRaw('coalesce("sentAt", "givenUpAt") is not null')
    .delete()
}
