import type { Knex } from 'knex'

export const name = '0051-payments-settings'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table payments.settings (
      name text primary key,
      value jsonb not null
    );
  `)
}
