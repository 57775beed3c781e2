import type { Knex } from 'knex'

export const name = '0053-payments-alternative'

/**
 * A reference is claimed in a table of its own, before the checkout is written: a view must not be refused a row.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table payments.alternative_references (
      reference text primary key,
      attempt_id uuid not null unique
    );

    create table payments.alternative_payments (
      attempt_id uuid primary key,
      reference text not null,
      user_id integer not null,
      total integer not null,
      started_at timestamptz not null
    );

    create index alternative_payments_by_reference on payments.alternative_payments (reference);
  `)
}
