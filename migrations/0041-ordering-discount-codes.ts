import type { Knex } from 'knex'

export const name = '0041-ordering-discount-codes'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table ordering.discount_codes (
      id integer primary key generated always as identity,
      code text not null,
      user_id integer not null,
      percentage numeric(5, 2) not null check (percentage between 0 and 100),
      is_active boolean not null,
      created_at timestamptz not null
    );

    create unique index discount_codes_by_code on ordering.discount_codes (lower(code));
    create index discount_codes_by_user on ordering.discount_codes (user_id) where is_active;
  `)
}
