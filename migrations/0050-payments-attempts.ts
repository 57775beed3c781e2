import type { Knex } from 'knex'

export const name = '0050-payments-attempts'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create schema if not exists payments;

    create table payments.attempts (
      id uuid primary key,
      kind text not null,
      user_id integer not null,
      status text not null,
      total integer not null,
      started_at timestamptz not null
    );

    create index attempts_unfinished on payments.attempts (started_at) where status in ('draft', 'releasing');
  `)
}
