create schema audit;

-- The chain over all events. Amounts in this schema are bigint: what a provider claims to have received may
-- be anything. Positions are collated as bytes, which is how they compare.
create table audit.chain (
  number bigint primary key,
  position text collate "C" not null constraint chain_position_unique unique,
  event_id uuid not null,
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

-- What happened, a row for each event, by its position: what is added at the end costs an index least.
create table audit.entries (
  event_id uuid not null,
  position text collate "C" primary key,
  at timestamptz not null,
  actor text not null,
  who text,
  kind text not null,
  what text not null,
  amount bigint,
  order_price text check (order_price in ('told', 'taken')),
  details jsonb not null,
  attempt_id uuid,
  reference text,
  order_id text,
  slot text,
  transfer_id uuid
);
create index entries_by_time on audit.entries (at);
create index entries_by_attempt on audit.entries (attempt_id) where attempt_id is not null;
create index entries_by_order on audit.entries (order_id) where order_id is not null;
create index entries_by_kind on audit.entries (kind, position);
create index entries_of_transfer on audit.entries (transfer_id) where transfer_id is not null;
create index entries_of_moves on audit.entries ((details ->> 'movedTo')) where details ->> 'movedTo' is not null;
create index entries_by_written_reference on audit.entries
  (upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where reference is not null;
