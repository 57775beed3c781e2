create schema payments;

-- The checkouts, a read model.
create table payments.attempts (
  id uuid primary key,
  kind text not null,
  user_id integer not null,
  status text not null,
  live_status text not null,
  recovery_status text,
  total integer not null,
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
  owed integer not null,
  attempt jsonb not null
);
create index attempts_newest on payments.attempts (started_at desc);
create index attempts_by_user on payments.attempts (user_id, started_at desc);
create index attempts_by_reference on payments.attempts (reference) where kind = 'alternative';
-- The sweeps and whoever waits look for a few in a table that only grows.
create index attempts_unfinished on payments.attempts (status, limit_at)
  where status in ('draft', 'initiated', 'processing', 'paid', 'recovering', 'releasing', 'blocked', 'review',
    'refund_due', 'declined', 'cancelled', 'expired', 'abandoned');
create index attempts_unacknowledged on payments.attempts (since_at)
  where not acknowledged and token is not null
    and status in ('paid', 'fulfilled', 'blocked', 'refund_due', 'refunded');
create index attempts_that_owe on payments.attempts (id) where owed > 0;
create index attempts_to_recover on payments.attempts (started_at desc)
  where kind = 'card' and recovery_status is not null;
create index attempts_with_closed_days on payments.attempts (id)
  where jsonb_path_exists(attempt, '$.outcomes[*].closure');
-- The console's search finds payments by every name that somebody may have written down, without spaces,
-- dashes and case, and by their amount.
create index attempts_by_written_reference on payments.attempts
  (upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where reference is not null;
create index attempts_by_written_token on payments.attempts
  (upper(regexp_replace(token, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where token is not null;
create index attempts_by_written_provider_reference on payments.attempts
  (upper(regexp_replace(attempt -> 'token' ->> 'ref', '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where attempt -> 'token' ->> 'ref' is not null;
create index attempts_by_phone on payments.attempts using gin ((attempt -> 'prompt' -> 'phones'))
  where attempt -> 'prompt' is not null;
create index attempts_by_total on payments.attempts (total, started_at desc) where total > 0;
create index attempts_by_received on payments.attempts
  (((attempt -> 'money' ->> 'amount')::bigint), started_at desc)
  where (attempt -> 'money' ->> 'amount')::bigint <> total;

-- Prompts of the last days, counted before they are sent; no read model. `number` and `address` are hashes.
create table payments.prompt_notes (
  id uuid primary key,
  user_id integer not null,
  number text not null,
  is_own boolean not null,
  address text,
  asked_at timestamptz not null
);
create index prompt_notes_by_time on payments.prompt_notes (asked_at);

create table payments.letters (
  id uuid primary key,
  attempt_id uuid not null,
  about text not null,
  closure_id uuid,
  at timestamptz not null
);
create index letters_by_time on payments.letters (at);

-- Which of them are done with; no read model.
create table payments.letters_written (
  id text primary key,
  at timestamptz not null
);

-- A reference is claimed here before the checkout is written: a read model must not be refused a row.
create table payments.alternative_references (
  reference text primary key,
  attempt_id uuid not null constraint alternative_references_attempt_id_unique unique
);

-- Whose payment a token is, for the time until the read models know it.
create table payments.tokens (
  token text primary key,
  attempt_id uuid not null,
  at timestamptz not null
);
create index tokens_by_time on payments.tokens (at);

create table payments.settings (
  name text primary key,
  value jsonb not null,
  -- Since when unpaid meals lapse; null: they do not.
  lapsing_since timestamptz
);

-- When the sweep is to ask the provider about an attempt again: an answer that says nothing new is no
-- event.
create table payments.checks (
  attempt_id uuid primary key,
  next_check_at timestamptz
);

-- What the provider has pushed, as it came.
create table payments.push_inbox (
  id uuid primary key,
  received_at timestamptz not null,
  raw text not null,
  token text,
  state text not null default 'waiting'
);
create index push_inbox_waiting on payments.push_inbox (received_at) where state = 'waiting';
create index push_inbox_foreign on payments.push_inbox (state, received_at)
  where state in ('unreadable', 'unknown');

create table payments.sandbox_transactions (
  token text primary key,
  ref text not null,
  company_ref text not null,
  push_at timestamptz,
  -- With a prompt that nobody has answered, and when the newest was asked.
  prompted_phones text[] not null default '{}',
  prompted_at timestamptz,
  state jsonb not null
);
create index sandbox_transactions_phones on payments.sandbox_transactions using gin (prompted_phones)
  where prompted_phones <> '{}';
create index sandbox_transactions_ref on payments.sandbox_transactions (ref);
create index sandbox_transactions_company_ref on payments.sandbox_transactions (company_ref);
create index sandbox_transactions_push on payments.sandbox_transactions (push_at) where push_at is not null;

-- Payments that the provider took no acknowledgement of: how often that was tried, and when it is tried
-- again.
create table payments.acknowledgements (
  attempt_id uuid primary key,
  failed integer not null,
  again_at timestamptz not null
);
