create schema transfers;

-- Statements of mobile money and banks: the files that were uploaded.
create table transfers.statements (
  id integer generated always as identity primary key,
  source text not null,
  file_name text not null,
  -- Scope of its transaction ids, and how its payments came.
  layout text not null,
  method text not null check (method in ('airtel', 'mtn', 'bank', 'cash', 'other')),
  uploaded_by integer not null,
  uploaded_at timestamptz not null
);
create index statements_uploaded_at_index on transfers.statements (uploaded_at);

-- The incoming payments found in them. The console's search looks for the number of a transaction, as
-- somebody may have written it down, and for the amount.
create table transfers.statement_rows (
  -- Made of what makes the payment known again, so that no payment stands here twice.
  id uuid primary key,
  statement_id integer not null
    constraint statement_rows_statement_id_foreign references transfers.statements (id) on delete cascade,
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
create index statement_rows_row_key_index on transfers.statement_rows (row_key);
create unique index statement_rows_counted_in_once on transfers.statement_rows (row_key) where counted_in;
create index statement_rows_statement_id_at_id_index on transfers.statement_rows (statement_id, at, id);
create index statement_rows_transaction_key_index on transfers.statement_rows (transaction_key);
create index statement_rows_by_written_transaction on transfers.statement_rows
  (upper(regexp_replace(transaction_id, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where transaction_id is not null;
create index statement_rows_by_amount on transfers.statement_rows (amount, at desc);

-- Rows that do not count, and errors that somebody may count in, with what they say.
create table transfers.statement_left_out (
  statement_id integer not null references transfers.statements (id) on delete cascade,
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
create table transfers.statement_mappings (
  layout text primary key,
  heads jsonb not null,
  mapping jsonb not null,
  method text not null check (method in ('airtel', 'mtn', 'bank', 'cash', 'other'))
);

-- Payments outside of the card provider, and what each pays.
create table transfers.transfers (
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
  phone text,
  note text,
  families jsonb not null,
  user_ids integer[] not null,
  order_ids text[] not null,
  by_user integer not null,
  confirmed_at timestamptz not null,
  changed_at timestamptz not null
);
create index transfers_transaction_key_index on transfers.transfers (transaction_key);
create index transfers_changed_at_index on transfers.transfers (changed_at);
create index transfers_of_user on transfers.transfers (user_ids);
create index transfers_of_order on transfers.transfers using gin (order_ids);
create index transfers_by_phone on transfers.transfers (phone) where phone is not null;
create index transfers_by_written_transaction on transfers.transfers
  (upper(regexp_replace(transaction_id, '[^A-Za-z0-9]', '', 'g')) text_pattern_ops)
  where transaction_id is not null;

-- Confirmations by a typed transaction id that stands on a statement since.
create table transfers.proven (
  confirmation_id uuid primary key
);

-- Mails about meals that lapse unpaid.
create table transfers.lapse_mails (
  order_id text not null,
  about text not null check (about in ('warning', 'lapsed')),
  user_id integer not null,
  mail_id uuid not null,
  -- Null: the mail has yet to be written.
  told_at timestamptz,
  primary key (order_id, about)
);
create index lapse_mails_to_write on transfers.lapse_mails (mail_id) where told_at is null;
