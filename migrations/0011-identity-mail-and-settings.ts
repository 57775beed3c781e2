import type { Knex } from 'knex'

export const name = '0011-identity-mail-and-settings'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table identity.mail_outbox (
      id uuid primary key,
      "to" text not null,
      "replyTo" text,
      subject text not null,
      text text not null,
      attempts integer not null default 0,
      "createdAt" timestamptz not null,
      "dueAt" timestamptz not null,
      "sentAt" timestamptz,
      "givenUpAt" timestamptz
    );
    create index mail_outbox_due on identity.mail_outbox ("dueAt") where "sentAt" is null and "givenUpAt" is null;

    create table identity.communication (
      id boolean primary key default true check (id),
      "supportEmail" text not null,
      "whatsappNumber" text not null
    );
    insert into identity.communication ("supportEmail", "whatsappNumber") values ('', '');
  `)
}
