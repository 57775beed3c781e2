import type { Knex } from 'knex'

export const name = '0012-identity-deleted-accounts'

/** What was deleted stays as a username, so that the books can still name who ordered. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`alter table identity.users add column "deletedAt" timestamptz`)
}
