import type { Knex } from 'knex'

export const name = '0055-payments-sandbox'

export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table payments.sandbox_transactions (
      token text primary key,
      ref text not null,
      company_ref text not null,
      push_at timestamptz,
      state jsonb not null
    );

    create index sandbox_transactions_ref on payments.sandbox_transactions (ref);
    create index sandbox_transactions_company_ref on payments.sandbox_transactions (company_ref);
    create index sandbox_transactions_push on payments.sandbox_transactions (push_at) where push_at is not null;
  `)
}
