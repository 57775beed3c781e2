create schema audit;

-- The chain over all events. Amounts in this schema are bigint: what a provider claims to have received may
-- be anything. Positions are collated as bytes, which is how they compare.
create table audit.chain (
  number bigint primary key,
  position text collate "C" not null constraint chain_position_unique unique,
  event_id uuid not null constraint chain_event_id_unique unique,
  hash text not null
);

-- The results of audits.
create table audit.runs (
  id bigint generated always as identity primary key,
  day date not null,
  ended_at timestamptz not null,
  findings integer not null,
  unbalanced bigint not null,
  head_number bigint not null,
  head_hash text not null
);

-- Chain and runs are only ever added to; triggers stop mistakes.
create function audit.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is only ever added to', tg_table_name;
    end $$;
create trigger chain_only_grows before update or delete or truncate on audit.chain
  for each statement execute function audit.refuse_change();
create trigger runs_only_grow before update or delete or truncate on audit.runs
  for each statement execute function audit.refuse_change();

-- What happened, a row for each event.
create table audit.entries (
  event_id uuid primary key,
  position text collate "C" not null,
  at timestamptz not null,
  actor text not null,
  who text,
  kind text not null,
  what text not null,
  amount bigint,
  takes_order_price boolean not null,
  details jsonb not null,
  attempt_id uuid,
  order_id text,
  slot text,
  transfer_id uuid
);
create index entries_by_time on audit.entries (at);
create index entries_in_order on audit.entries (position desc);
create index entries_by_attempt on audit.entries (attempt_id, position);
create index entries_by_order on audit.entries (order_id, position);
create index entries_by_actor on audit.entries (actor, position);
create index entries_by_kind on audit.entries (kind, position);
create index entries_of_transfer on audit.entries (transfer_id) where transfer_id is not null;

-- The money of attempts, orders, refunds, credit and transfers as their events tell it: this table and the
-- next six.
create table audit.ledger_attempts (
  id uuid primary key,
  kind text not null,
  reference text,
  total bigint not null,
  money text not null,
  received bigint,
  fee bigint not null,
  shortfall bigint not null,
  surplus bigint not null,
  lines jsonb not null,
  changed_at timestamptz not null
);
create index ledger_attempts_by_written_reference on audit.ledger_attempts
  (upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where reference is not null;

-- What an order cost when it was placed and what money came in for it stays, also when it becomes another
-- meal.
create table audit.ledger_orders (
  id text primary key,
  attempt_id uuid not null,
  line integer not null,
  cycle_id integer not null,
  slot text not null,
  price bigint not null,
  paid text not null,
  status text not null,
  changed_at timestamptz not null,
  credit bigint not null default 0,
  remedy text,
  placed_price bigint not null default 0,
  money bigint not null default 0,
  -- The transfer that paid for it; null: none, or one that was confirmed before transfers had events.
  transfer_id uuid
);
create index ledger_orders_by_attempt on audit.ledger_orders (attempt_id);

create table audit.ledger_refunds (
  id text primary key,
  attempt_id uuid not null,
  order_id text,
  part text not null,
  amount bigint not null,
  owed bigint not null,
  paid_back bigint not null,
  status text not null,
  card text,
  as_credit bigint not null default 0
);

create table audit.ledger_credit_accounts (
  user_id integer primary key,
  given bigint not null,
  taken_back bigint not null,
  spent bigint not null,
  paid_out bigint not null,
  held bigint not null,
  balance bigint not null
);

create table audit.ledger_credit_given (
  id text primary key,
  attempt_id uuid,
  order_id text,
  kind text not null,
  amount bigint not null,
  stands boolean not null
);

create table audit.ledger_credit_spent (
  id text primary key,
  attempt_id uuid not null,
  order_id text,
  lines jsonb not null
);

create table audit.ledger_transfers (
  id uuid primary key,
  confirmation_id uuid not null,
  stands boolean not null,
  amount bigint not null,
  families jsonb not null,
  changed_at timestamptz not null
);
