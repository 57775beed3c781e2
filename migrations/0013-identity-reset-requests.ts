import type { Knex } from 'knex'

export const name = '0013-identity-reset-requests'

/** Who asked for a temporary password and has not been answered yet. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table identity.reset_requests (
      id uuid primary key,
      identifier text not null,
      "dueAt" timestamptz not null
    );
    create index reset_requests_due on identity.reset_requests ("dueAt");
  `)
}
