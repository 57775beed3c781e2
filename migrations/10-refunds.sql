create schema refunds;

-- What is owed back and what went back: a read model.
create table refunds.refunds (
  id text primary key,
  order_id text,
  attempt_id uuid not null,
  student_name text not null,
  student_grade text not null,
  item_name text not null,
  amount integer not null check (amount > 0),
  owed integer not null,
  as_credit integer not null,
  status text not null,
  reason text not null,
  ordered_at timestamptz not null,
  due_since timestamptz not null,
  -- When and how the last of it went back.
  paid_back_at timestamptz,
  paid_back_as text,
  check (owed between 0 and amount)
);
create index refunds_due on refunds.refunds (due_since, id) where status = 'due';

create table refunds.letters (
  id uuid primary key,
  refund_id text not null,
  at timestamptz not null
);
create index letters_by_time on refunds.letters (at);

-- Which of them are done with; no read model.
create table refunds.letters_written (
  id text primary key,
  at timestamptz not null
);

-- The latest request to pay each refund back to the card.
create table refunds.card_refunds (
  refund_id text primary key,
  state text not null,
  card jsonb not null
);
create index card_refunds_state_index on refunds.card_refunds (state);

-- Refunds that wait for the approval of another administrator.
create table refunds.approvals (
  refund_id text primary key,
  amount integer not null check (amount > 0),
  method text not null,
  reference text,
  note text,
  to_card boolean not null,
  asked_by integer not null,
  asked_at timestamptz not null
);

-- Read models, for the credit that refunds and changes of meals give.
create table refunds.refunds_as_credit (
  payout_id uuid primary key,
  refund_id text not null
);


-- Of each change of a meal that gave or took credit, whether that stands and whether the order was changed.
create table refunds.meal_changes (
  id text primary key,
  order_id text not null,
  settled boolean not null,
  changed boolean not null,
  at timestamptz not null
);
