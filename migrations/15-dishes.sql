-- `lead_days`: its lines close that many school days before the date's own cutoff. `ingredients`: amounts a
-- portion, `[{ name, unit, primary, secondary }]`. `allergens`: null is "not stated", `{}` is "none"; who
-- stated allergens and diets last, and when (plans-and-sponsors.md section 4).
alter table catalogue.menu_items
  add column lead_days integer not null default 0 check (lead_days between 0 and 5),
  add column ingredients jsonb not null default '[]',
  alter column allergens drop not null,
  add column declared_by text,
  add column declared_at timestamptz;

-- Percent that a buying list adds.
alter table ordering.rules add column buying_margin integer not null default 5
  check (buying_margin between 0 and 50);

-- Another day. `kitchen_id`: what kitchen and hatch call an order, its id while it was not moved; `moved`: the other day.
alter table ordering.orders add column kitchen_id text;
update ordering.orders set kitchen_id = id;
alter table ordering.orders alter column kitchen_id set not null;
create index orders_moved on ordering.orders (kitchen_id) where kitchen_id <> id;
alter table ordering.kitchen_changes add column kitchen_id text, add column moved date;
update ordering.kitchen_changes set kitchen_id = order_id;
alter table ordering.kitchen_changes alter column kitchen_id set not null;
alter table books.orders add column meal_date date;
update books.orders set meal_date = split_part(id, '.', 2)::date;
alter table books.orders alter column meal_date set not null;
