import type { Knex } from 'knex'

export const name = '0003-platform-sessions'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists platform;

    create table platform.sessions (
      id text primary key,
      user_id integer not null,
      expires_at timestamptz not null
    );

    create index sessions_user_id on platform.sessions (user_id);
    create index sessions_expires_at on platform.sessions (expires_at);
  `)
}
