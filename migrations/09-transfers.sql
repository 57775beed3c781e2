-- Statements of mobile money and banks: the files that were uploaded.
create table payments.statements (
  id integer generated always as identity primary key,
  source text not null,
  file_name text not null,
  -- Scope of its transaction ids, and how its payments came.
  layout text not null,
  method text not null check (method in ('airtel', 'mtn', 'bank', 'cash', 'other')),
  uploaded_by integer not null,
  uploaded_at timestamptz not null
);
create index statements_uploaded_at_index on payments.statements (uploaded_at);

-- The incoming payments found in them. The console's search looks for the number of a transaction, as
-- somebody may have written it down, and for the amount.
create table payments.statement_rows (
  -- Made of what makes the payment known again, so that no payment stands here twice.
  id uuid primary key,
  statement_id integer not null
    constraint statement_rows_statement_id_foreign references payments.statements (id) on delete cascade,
  method text not null check (method in ('airtel', 'mtn', 'bank', 'cash', 'other')),
  at timestamptz not null,
  amount integer not null check (amount > 0),
  payer text,
  phone text,
  text text,
  transaction_id text,
  -- The transaction's id as it is compared: its letters and digits alone, look-alikes as one.
  transaction_key text,
  ignored boolean not null default false,
  -- Made of the row's cells: the same row in another upload of the file.
  row_key text not null,
  -- Somebody said that the row is a payment.
  counted_in boolean not null default false
);
create index statement_rows_row_key_index on payments.statement_rows (row_key);
create unique index statement_rows_counted_in_once on payments.statement_rows (row_key) where counted_in;
create index statement_rows_statement_id_at_id_index on payments.statement_rows (statement_id, at, id);
create index statement_rows_transaction_key_index on payments.statement_rows (transaction_key);
create index statement_rows_by_written_transaction on payments.statement_rows
  (upper(regexp_replace(transaction_id, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where transaction_id is not null;
create index statement_rows_by_amount on payments.statement_rows (amount, at desc);

-- Rows that do not count, and errors that somebody may count in, with what they say.
create table payments.statement_left_out (
  statement_id integer not null references payments.statements (id) on delete cascade,
  file_row integer not null,
  row_key text not null,
  is_error boolean not null,
  reason text not null,
  at timestamptz,
  amount integer check (amount > 0),
  payer text,
  phone text,
  text text,
  transaction_id text,
  primary key (statement_id, file_row)
);

-- How files with these heads are read, as somebody said on screen.
create table payments.statement_mappings (
  layout text primary key,
  heads jsonb not null,
  mapping jsonb not null,
  method text not null check (method in ('airtel', 'mtn', 'bank', 'cash', 'other'))
);

-- Payments outside of the card provider, and what each pays.
create table payments.transfers (
  id uuid primary key,
  confirmed boolean not null,
  confirmation_id uuid not null,
  row_id uuid,
  method text not null,
  transaction_id text,
  transaction_key text,
  paid_at timestamptz,
  amount integer not null,
  payer text,
  note text,
  families jsonb not null,
  user_ids integer[] not null,
  order_ids text[] not null,
  by_user integer not null,
  confirmed_at timestamptz not null,
  changed_at timestamptz not null
);
create index transfers_transaction_key_index on payments.transfers (transaction_key);
create index transfers_changed_at_index on payments.transfers (changed_at);
create index transfers_of_user on payments.transfers (user_ids);
create index transfers_of_order on payments.transfers (order_ids);
create index transfers_by_written_transaction on payments.transfers
  (upper(regexp_replace(transaction_id, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where transaction_id is not null;
