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
