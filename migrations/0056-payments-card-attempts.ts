import type { Knex } from 'knex'

export const name = '0056-payments-card-attempts'

/** The attempts' read model with all that lists and the sweep look at; `npm run rebuild` fills it from the events. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(`
    drop table payments.attempts;

    create table payments.attempts (
      id uuid primary key,
      kind text not null,
      user_id integer not null,
      status text not null,
      live_status text not null,
      is_recovered boolean not null,
      recovery_status text,
      total integer not null,
      original_total integer not null,
      reference text,
      token text,
      body_hash text not null,
      students text not null,
      items text not null,
      weeks integer[] not null,
      days integer[] not null,
      started_at timestamptz not null,
      since_at timestamptz not null,
      issued_at timestamptz,
      limit_at timestamptz,
      lease_until timestamptz,
      acknowledged boolean not null,
      attempt jsonb not null
    );

    create index attempts_newest on payments.attempts (started_at desc, id desc);
    create index attempts_by_user on payments.attempts (user_id, started_at desc);
    create index attempts_by_token on payments.attempts (token) where token is not null;
    create index attempts_unfinished on payments.attempts (started_at)
      where status in ('draft', 'releasing', 'paid', 'recovering');
    create index attempts_unsettled on payments.attempts (limit_at)
      where status in ('initiated', 'processing', 'declined', 'cancelled', 'expired', 'abandoned', 'review');
    create index attempts_unacknowledged on payments.attempts (since_at) where not acknowledged;
    create index attempts_to_recover on payments.attempts (started_at desc)
      where kind = 'card' and recovery_status is not null;
  `)
}
