create schema cycles;

create table cycles.order_cycles (
  id integer generated always as identity primary key,
  start_date date not null check (extract(isodow from start_date) = 1),
  cycle_length smallint not null check (cycle_length in (4, 6)),
  is_active boolean not null,
  created_at timestamptz not null
);
-- At most one cycle is active, whoever asks and however many ask at once.
create unique index order_cycles_one_active on cycles.order_cycles (is_active) where is_active;

create table cycles.blocked_days (
  cycle_id integer not null
    constraint blocked_days_cycle_id_foreign references cycles.order_cycles (id) on delete cascade,
  week smallint not null check (week between 1 and 6),
  day smallint not null check (day between 1 and 5),
  primary key (cycle_id, week, day)
);

-- When a day's orders close. One row.
create table cycles.settings (
  only_row boolean primary key default true check (only_row),
  cutoff_hour smallint not null check (cutoff_hour between 0 and 23),
  cutoff_minute smallint not null check (cutoff_minute between 0 and 59),
  -- Before the meal: school days, or calendar days.
  cutoff_days_before smallint not null default 0 check (cutoff_days_before between 0 and 5),
  cutoff_school_days_only boolean not null default true
);
insert into cycles.settings (cutoff_hour, cutoff_minute) values (8, 0);
