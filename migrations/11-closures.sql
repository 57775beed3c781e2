create schema closures;

-- Closed days: since when and why.
create table closures.closures (
  id uuid primary key,
  cycle_id integer not null,
  reason text not null,
  remedy text not null check (remedy in ('refund', 'credit')),
  -- Whose lunch it stops: both empty means everybody's.
  grades text[] not null default '{}',
  classes text[] not null default '{}',
  -- Blocked when its cycle was made: it cancels nothing, and ends with its cycle.
  planned boolean not null,
  -- Which orders stand on its days is written down: until then it is at work.
  orders_noted boolean not null default false,
  closed_at timestamptz not null,
  closed_by text not null,
  undone_at timestamptz,
  undone_by text,
  -- Of the request that made it: the same key of the same person is one closure.
  request_key text constraint closures_request_key_unique unique,
  request text
);
create index closures_newest on closures.closures (closed_at, id);

create table closures.dates (
  closure_id uuid not null
    constraint dates_closure_id_foreign references closures.closures (id) on delete cascade,
  date date not null,
  is_closed boolean not null,
  -- The grades and classes of its closure in one text; empty for everybody.
  whom text not null default '',
  primary key (closure_id, date)
);
-- A date is closed once for the same children, whoever asks and however many ask at once.
create unique index dates_closed_once on closures.dates (date, whom) where is_closed;

-- What became of the orders on them.
create table closures.orders (
  closure_id uuid not null
    constraint orders_closure_id_foreign references closures.closures (id) on delete cascade,
  order_id text collate "C" not null,
  user_id integer not null,
  price integer not null,
  is_paid boolean not null,
  -- Null: yet to be looked at.
  closing text check (closing in ('cancelled', 'skipped', 'gone')),
  undoing text check (undoing in ('restored', 'skipped', 'gone')),
  -- Why it was skipped the last time.
  code text,
  message text,
  -- Null: no mail names it yet.
  closing_mail integer,
  undoing_mail integer,
  primary key (closure_id, order_id)
);
create index orders_to_cancel on closures.orders (closure_id) where closing is null;

-- Who was told. `mail`: which mail of a family names an order, counted from 1, so that what slipped in
-- after a mail gets one of its own.
create table closures.told (
  closure_id uuid not null
    constraint told_closure_id_foreign references closures.closures (id) on delete cascade,
  user_id integer not null,
  about text not null check (about in ('closing', 'undoing')),
  -- False: there is no address to write to.
  has_address boolean not null,
  mail integer not null default 1,
  primary key (closure_id, about, user_id, mail)
);
