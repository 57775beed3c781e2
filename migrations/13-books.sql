create schema books;

-- Receipts and credit notes, numbered by year, and what stands on them.
create table books.receipts (
  id text primary key,
  kind text not null,
  year integer,
  number integer,
  user_id integer,
  attempt_id uuid,
  order_id text,
  receipt_id text,
  refund_id text,
  transfer_id uuid,
  transaction_id text,
  orders jsonb,
  method text,
  amount integer not null,
  credit integer not null,
  at timestamptz,
  check (kind not in ('receipt', 'credit_note')
    or (amount > 0 and number > 0 and year is not null and method is not null and at is not null))
);
create index receipts_of_user on books.receipts (user_id, at) where kind in ('receipt', 'credit_note');
create index receipts_by_time on books.receipts (at) where kind in ('receipt', 'credit_note');
create index receipts_corrected on books.receipts (receipt_id) where kind = 'credit_note';
create unique index receipts_numbers on books.receipts (kind, year, number)
  where kind in ('receipt', 'credit_note');
create index receipts_of_refunds on books.receipts (refund_id) where kind = 'credit_note';

-- Of which receipts of transfers the family was told; no read model.
create table books.letters_written (
  id text primary key,
  at timestamptz not null
);

-- One row.
create table books.settings (
  only_row boolean default true primary key,
  tpin text not null default '',
  address text not null default '',
  vat_percent numeric(5,2) check (vat_percent between 0.01 and 100),
  refund_approval_above integer,
  card_refunds boolean not null default false,
  check (only_row and refund_approval_above >= 0)
);
insert into books.settings default values;

create table books.vat_rates (
  since timestamptz primary key,
  -- Null: from then on prices include none.
  percent numeric(5,2)
);

-- The books' movements of money.
create table books.bookings (
  id text primary key,
  event_id uuid not null,
  at timestamptz not null,
  booked date not null,
  meal date not null,
  kind text not null,
  method text,
  -- Negative where it went down.
  amount bigint not null,
  part integer,
  user_id integer not null,
  attempt_id uuid,
  order_id text
);
create index bookings_of_family on books.bookings (user_id);
-- The days' figures are read without what meals cost.
create index bookings_by_booked on books.bookings (booked) where kind <> 'meal';
create index bookings_by_meal on books.bookings (meal) where kind <> 'meal';
-- What is open is summed from the beginning, from these alone.
create index balances_by_booked on books.bookings (booked)
  include (kind, amount)
  where kind in ('owed', 'unpaid');
create index balances_by_meal on books.bookings (meal)
  include (kind, amount)
  where kind in ('owed', 'unpaid');

-- What bookings are made from: this and the next three.
create table books.attempts (
  id uuid primary key,
  user_id integer not null,
  kind text not null,
  method text not null,
  reference text,
  total bigint not null,
  money text not null,
  received bigint,
  fee bigint not null,
  shortfall bigint not null,
  surplus bigint not null,
  lines jsonb not null
);

create table books.orders (
  id text primary key,
  user_id integer not null,
  attempt_id uuid not null,
  line integer not null,
  cycle_id integer not null,
  method text not null,
  price bigint not null,
  -- What it cost when it was placed, and what money came in for it, also when it becomes another meal.
  placed_price bigint not null,
  credit bigint not null,
  money bigint not null,
  paid text not null,
  -- The transfer that paid for it; null: none, or one that was confirmed before transfers had events.
  transfer_id uuid,
  status text not null,
  remedy text,
  charged bigint not null,
  deducted jsonb not null,
  late boolean not null
);

create table books.refunds (
  id text primary key,
  user_id integer not null,
  attempt_id uuid not null,
  order_id text,
  part text not null,
  amount bigint not null,
  owed bigint not null,
  paid_back bigint not null,
  status text not null,
  card text
);

create table books.transfers (
  id uuid primary key,
  method text not null
);

-- The days that were closed.
create table books.closings (
  date date primary key,
  closed_at timestamptz not null,
  closed_by integer not null,
  figures jsonb not null,
  -- What was counted in the till, in ngwee; null where nobody counted.
  cash_counted integer check (cash_counted >= 0),
  hash text not null
);

-- What the card provider says that it has settled, compared with the books.
create table books.settlements (
  id serial primary key,
  file_name text not null,
  uploaded_by integer not null,
  uploaded_at timestamptz not null,
  counts jsonb not null,
  totals jsonb not null,
  rows jsonb not null,
  errors jsonb not null,
  left_out jsonb not null,
  notes jsonb not null
);
