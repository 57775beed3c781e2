create schema ordering;

-- A read model. A lunch is one child's on one date, whichever cycle it was ordered in (days-and-changes.md
-- section 1).
create table ordering.orders (
  id text primary key,
  attempt_id uuid not null,
  line integer not null,
  user_id integer not null,
  student_id integer not null,
  student_name text not null,
  student_grade text not null,
  student_class text,
  cycle_id integer not null,
  week smallint not null,
  day smallint not null,
  meal_date date not null,
  item_id integer not null,
  item_name text not null,
  item_type text not null,
  category text,
  side_dish text,
  comments text not null,
  original_price integer not null,
  price integer not null,
  discount_percentage double precision not null,
  -- Who pays the discount.
  sponsor text,
  status text not null,
  -- kitchen, hatch, or null while it is not complete.
  completed_by text,
  payment_status text not null,
  paid_by_hand boolean not null default false,
  -- What proves the payment; null while unpaid.
  proof text,
  placed_at timestamptz not null,
  cancelled_late boolean not null,
  -- What credit paid.
  credit integer not null default 0,
  -- The closure that cancelled it.
  closure_id uuid,
  -- The child is ill that day; what that gave back as credit, in ngwee.
  absent boolean not null default false,
  absence_credit integer not null default 0,
  -- The mark by which the hatch handed it out, and when by the device's clock.
  given_mark uuid,
  given_at timestamptz,
  -- What else the hatch marked (absent, problem), which stands while nothing is given.
  noticed_kind text,
  noticed_mark uuid,
  noticed_at timestamptz,
  -- How the money of a cancelled order goes back.
  remedy text,
  -- The office gave it another meal, so that its family may cancel it until the cutoff of its day.
  substituted boolean not null default false,
  -- How often its family changed it and said "ill": both have an end.
  changes smallint not null default 0,
  absences_told smallint not null default 0,
  absence_ended boolean not null default false,
  pay_by text,
  cutoff_at timestamptz not null,
  -- The office ordered it after the cutoff.
  late boolean not null default false,
  -- Null: it stays, whether it is paid for or not.
  lapses_at timestamptz,
  -- Until when its portion of a limited item is kept though nobody has paid; null: as long as it stands.
  portion_until timestamptz,
  lapsed boolean not null default false,
  acknowledged boolean not null default false,
  -- A tripwire, not the guarantee (that is the slot stream's revision): no child has two active orders on one
  -- day. It is checked at commit because one batch may cancel an order and place the next one for its day. A
  -- child's active orders are found by it too.
  constraint orders_one_active_per_child_and_date exclude using btree (student_id with =, meal_date with =)
    where (status in ('pending', 'completed')) deferrable initially deferred
);
create index orders_by_user on ordering.orders (user_id, placed_at desc);
create index orders_by_item on ordering.orders (item_id);
create index orders_by_date on ordering.orders (meal_date);
-- What finance looks for again and again is little of a table that only grows.
create index orders_unpaid on ordering.orders (user_id, placed_at)
  where payment_status = 'pending' and status in ('pending', 'completed');
create index orders_cancelled_paid on ordering.orders (id)
  where status = 'cancelled' and payment_status = 'confirmed' and price > 0;
-- The history is read page by page in one order, of all cycles or of one; ten years of it must not be
-- sorted anew, the few of one instant may.
create index orders_in_history on ordering.orders (placed_at desc);
create index orders_in_history_of_cycle on ordering.orders (cycle_id, placed_at desc);
create index orders_lapsed on ordering.orders (lapses_at) where lapsed;
create index orders_portions_to_lapse on ordering.orders (portion_until)
  where payment_status = 'pending' and status = 'pending';
create index orders_to_lapse on ordering.orders (lapses_at)
  where payment_status = 'pending' and status = 'pending';
create index orders_by_attempt on ordering.orders (attempt_id);
create index orders_by_price on ordering.orders (price, placed_at desc) where price > 0;

create table ordering.discount_codes (
  id integer generated always as identity primary key,
  code text not null,
  -- Of an account, or of a child whoever has it.
  user_id integer,
  student_id integer,
  sponsor text,
  percentage numeric(5,2) not null check (percentage between 0 and 100),
  is_active boolean not null,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, student_id) = 1)
);
create unique index discount_codes_by_code on ordering.discount_codes (lower(code));
create index discount_codes_by_user on ordering.discount_codes (user_id) where is_active;
create index discount_codes_by_student on ordering.discount_codes (student_id) where student_id is not null;

-- Reservations of portions by checkouts, which have no order yet.
create table ordering.portion_reservations (
  id text primary key,
  item_id integer not null,
  date date not null,
  student_id integer not null,
  until timestamptz not null
);
create index portion_reservations_by_date on ordering.portion_reservations (date, item_id);

-- What families may do with their orders (days-and-changes.md section 6). One row.
create table ordering.rules (
  only_row boolean primary key default true check (only_row),
  cancel_until text not null check (cancel_until in ('hour', 'cutoff')),
  late_remedy text not null check (late_remedy in ('credit', 'refund')),
  absence text not null check (absence in ('none', 'credit')),
  absence_percent smallint not null check (absence_percent between 0 and 100),
  low_portions smallint not null check (low_portions between 0 and 1000),
  plans boolean not null default false
);
insert into ordering.rules (cancel_until, late_remedy, absence, absence_percent, low_portions)
  values ('hour', 'credit', 'none', 100, 10);

-- What the office does to many orders in one act: what was planned, and what was answered when it was done.
create table ordering.order_acts (
  id uuid primary key,
  -- Of the request: the same key of the same person is one act.
  request_key text constraint order_acts_request_key_unique unique,
  request text not null,
  plan jsonb not null,
  reply jsonb,
  at timestamptz not null,
  -- What a crash cut off is carried on in this person's name.
  actor text not null default 'system'
);

-- What an administrator's change of many orders did to those that were pending, so that it can be undone
-- for a while.
create table ordering.status_batches (
  id uuid primary key,
  actor text not null,
  status text not null,
  order_ids jsonb not null,
  at timestamptz not null
);
create index status_batches_at_index on ordering.status_batches (at);

-- What changed for the kitchen on each day (kitchen-and-hatch.md section 1).
create table ordering.kitchen_changes (
  order_id text not null,
  date date not null,
  -- Compared as the log orders it, whatever the database's language.
  position text collate "C" primary key,
  at timestamptz not null,
  kind text not null,
  was jsonb,
  is_now jsonb,
  late boolean not null
);
create index kitchen_changes_by_date on ordering.kitchen_changes (date);

-- When its list was printed.
create table ordering.kitchen_prints (
  id serial primary key,
  date date not null,
  at timestamptz not null,
  -- What was told before this instant stands on the paper.
  cut timestamptz not null,
  by integer not null
);
create index kitchen_prints_by_date on ordering.kitchen_prints (date, at);

-- What the hatch told of lunches (kitchen-and-hatch.md section 3).
create table ordering.lunch_marks (
  order_id text primary key,
  date date not null,
  given jsonb,
  noticed jsonb,
  changed_at timestamptz not null
);
create index lunch_marks_by_date on ordering.lunch_marks (date, changed_at);

-- Weeks for which families were reminded that nothing is ordered.
create table ordering.reminder_weeks (
  -- Its Monday.
  week date primary key,
  -- Everybody up to this account has been looked at.
  last_user_id integer not null,
  -- Null: not everybody has been looked at.
  done_at timestamptz
);

-- A read model: the plan of a family by which its weeks are ordered. `plan` and `weeks` are as folded.
create table ordering.plans (
  user_id integer primary key,
  -- Null: ended.
  plan jsonb,
  paused boolean not null,
  -- Minutes from Tuesday 00:00 to its hour on the school's clock; null without a plan.
  hour_of_week smallint,
  by_prompt boolean not null,
  skipped jsonb not null,
  -- The Monday of the first week that it may order, and of one that was announced.
  from_week date,
  announced_week date,
  announced_at timestamptz,
  unpaid_in_a_row smallint not null,
  weeks jsonb not null
);
