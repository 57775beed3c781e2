import type { Knex } from 'knex'

export const name = '0057-payments-checks-and-pushes'

/**
 * When the sweep last asked the provider about an attempt (an answer that says nothing new is no event), and what the
 * provider has pushed, as it came.
 */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    create table payments.checks (
      attempt_id uuid primary key,
      checked_at timestamptz not null,
      next_check_at timestamptz
    );

    create table payments.push_inbox (
      id uuid primary key,
      received_at timestamptz not null,
      raw text not null,
      token text,
      state text not null default 'waiting',
      attempt_id uuid,
      handled_at timestamptz
    );

    create index push_inbox_waiting on payments.push_inbox (received_at) where state = 'waiting';
  `)
}
