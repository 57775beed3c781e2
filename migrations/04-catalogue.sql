create schema catalogue;

-- `portion_limit`: how many portions can be ordered for one date; `sold_out_dates`: when it is sold out by
-- hand (days-and-changes.md section 3). `diets`: yes, no or unknown for each, as the kitchen states it.
create table catalogue.menu_items (
  id integer generated always as identity primary key,
  name text not null check (name <> ''),
  description text,
  price_ngwee integer not null check (price_ngwee >= 0),
  image_url text,
  type text not null check (type in ('primary', 'secondary')),
  categories text[] not null,
  protein_descriptions jsonb not null,
  week_numbers integer[] not null,
  days_of_week integer[] not null,
  allergens text[] not null,
  diets jsonb not null
    default '{"halal": "unknown", "vegetarian": "unknown", "noPork": "unknown", "noBeef": "unknown"}',
  side_dishes text[] not null,
  is_available boolean not null,
  is_archived boolean not null,
  portion_limit integer check (portion_limit > 0),
  sold_out_dates text[] not null default '{}'
);

-- Pictures of dishes, each in two sizes as WebP. `needed_at`: when it was uploaded, or last named or left
-- by an item.
create table catalogue.pictures (
  hash text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  needed_at timestamptz not null,
  primary key (hash, width, height)
);
-- WebP does not become smaller; looking for what could only costs time.
alter table catalogue.pictures alter column bytes set storage external;

-- The school's list of allergens.
create table catalogue.allergens (
  id integer generated always as identity primary key,
  name text not null,
  -- The name as allergens are told apart by it: without case, marks, blanks and plural.
  key text not null constraint allergens_key_unique unique,
  -- The others are the school's own.
  standard boolean not null,
  -- Came from a menu item, and the office has not seen that yet.
  unseen boolean not null default false
);
insert into catalogue.allergens (name, key, standard) values
  ('Milk', 'milk', true), ('Eggs', 'egg', true), ('Fish', 'fish', true), ('Shellfish', 'shellfish', true),
  ('Tree Nuts', 'treenut', true), ('Peanuts', 'peanut', true), ('Wheat', 'wheat', true),
  ('Soybeans', 'soybean', true), ('Sesame', 'sesame', true);

-- Whether a meal that a child is allergic to, or that is against its diet, is refused. One row.
create table catalogue.allergy_rule (
  "onlyRow" boolean primary key default true check ("onlyRow"),
  rule text not null check (rule in ('block', 'warn'))
);
insert into catalogue.allergy_rule (rule) values ('block');
