create schema credit;

-- Families' balances, and what checkouts hold of them.
create table credit.accounts (
  user_id integer primary key,
  balance integer not null,
  held integer not null,
  check (balance >= 0 and held >= 0)
);

create table credit.entries (
  id uuid primary key,
  user_id integer not null,
  position text collate "C" not null,
  at timestamptz not null,
  kind text not null,
  amount integer not null,
  balance_after integer not null,
  order_id text,
  reference text,
  text text not null
);
create index entries_of_user on credit.entries (user_id, position);
create index entries_of_orders on credit.entries (order_id) where order_id is not null;

create table credit.given (
  id text primary key,
  user_id integer not null,
  order_id text,
  kind text not null,
  amount integer not null,
  stands boolean not null
);
create index given_for_orders on credit.given (order_id) where stands;

create table credit.checkouts (
  attempt_id uuid primary key,
  user_id integer not null,
  held integer not null,
  spent integer not null
);
create index checkouts_that_hold on credit.checkouts (attempt_id) where held > 0;

-- Payouts of credit and gifts that wait for the approval of another administrator.
create table credit.payout_approvals (
  payout_id uuid primary key,
  user_id integer not null,
  state text not null,
  amount integer not null check (amount > 0),
  kind text not null,
  method text,
  reference text,
  reason text,
  -- Of the money that is to be paid out.
  proof text,
  asked_by integer not null,
  asked_at timestamptz not null
);
create index payouts_waiting on credit.payout_approvals (asked_at, payout_id) where state = 'waiting';
