-- The month in the books: how money left, what a discount took off a meal, and the school's own account numbers.
alter table books.bookings add column sent_by text;
alter table books.orders add column discount bigint not null default 0;

-- One row.
create table books.accounts (
  only_row boolean default true primary key check (only_row),
  program text not null,
  codes jsonb not null,
  tax_code text not null
);
insert into books.accounts (program, codes, tax_code) values ('csv',
  '{"card": "", "airtel": "", "mtn": "", "bank": "", "cash": "", "other": "", "sales": "", "discounts": "",
    "refundsOwed": "", "familyCredit": "", "fees": "", "absences": ""}', '');

-- Who gets the report of a week, and the last Monday of which it was written, or nobody was to get it.
alter table messaging.message_settings add column "headReport" text[] not null default '{}',
  add column "headReportedOn" date;
