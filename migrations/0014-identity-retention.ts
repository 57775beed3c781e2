import type { Knex } from 'knex'

export const name = '0014-identity-retention'

/** What tells that a mail or a request is old: finding it is to cost the same however many there are. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    alter table identity.reset_requests add column "askedAt" timestamptz not null default now();
    create index mail_outbox_ended on identity.mail_outbox (coalesce("sentAt", "givenUpAt"))
      where coalesce("sentAt", "givenUpAt") is not null;
    create index mail_outbox_given_up on identity.mail_outbox ("givenUpAt") where "givenUpAt" is not null;
    create index users_temporary on identity.users ("temporaryExpiresAt") where "temporaryExpiresAt" is not null;
  `)
}
